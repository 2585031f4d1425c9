# Every recipe is commands that also work when pasted into a shell.

# List the recipes.
default:
    @just --list

# Start planmode in this directory.
run *args:
    go run ./cmd/planmode {{args}}

# Build bin/planmode.
build:
    go build -trimpath -buildvcs=auto -o bin/planmode ./cmd/planmode

# Install planmode where Go installs programs.
install:
    go install -trimpath -buildvcs=auto ./cmd/planmode

# Run every test.
test *args:
    go test ./... {{args}}

# Run every test under the race detector.
race:
    go test -race -short ./...

# Check formatting, vet and staticcheck.
lint:
    test -z "$(gofmt -l .)"
    go vet ./...
    go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...

# Run the benchmarks, without the tests. Those of cmd/planmode measure the real
# program and end with a table of what was measured beside its budget.
bench pkg="./...":
    go test -run '^$' -bench . -benchmem {{pkg}}

# Write coverage.out and print the coverage of each function.
cover:
    go test -coverprofile=coverage.out ./...
    go tool cover -func=coverage.out

# Format every Go file.
fmt:
    gofmt -w .

# Fuzz one target for a while: just fuzz ./revdiff/record FuzzParse 30s
fuzz pkg target time="30s":
    go test -run '^$' -fuzz '^{{target}}$' -fuzztime {{time}} {{pkg}}

# Fuzz every target for a while, one after the other: just fuzz-all 10m
fuzz-all time="20s":
    go list ./... | while read -r pkg; do \
        go test -list '^Fuzz' "$pkg" | grep '^Fuzz' | while read -r target; do \
            echo "$pkg $target"; \
            go test -run '^$' -fuzz "^$target\$" -fuzztime {{time}} -parallel 2 "$pkg" < /dev/null || exit 1; \
        done || exit 1; \
    done

# Break the store in ten thousand seeded ways: kills, failing disks, power failures.
soak runs="10000" seed="1":
    go test ./plan/session -run '^TestNothing(IsLost|Synced)' -count 1 -timeout 6h -rig.runs {{runs}} -rig.seed {{seed}}

# Everything the continuous build runs.
ci:
    .ci/run
