package main

import (
	"runtime"
	"runtime/debug"

	"planmode/cmd/planmode/doctor"
)

// build describes this binary as the toolchain recorded it. A binary of `go run`,
// or one built outside a checkout, knows no commit.
func build() doctor.Build {
	b := doctor.Build{Version: "devel", Commit: "unknown", Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		b.Version = v
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if commit := settings["vcs.revision"]; commit != "" {
		b.Commit = commit[:min(len(commit), 12)]
		if settings["vcs.modified"] == "true" {
			b.Commit += " with changes"
		}
	}
	return b
}

// versionLine is the answer to --version.
func versionLine() string {
	b := build()
	return "planmode " + b.Version + " (commit " + b.Commit + ", " + b.Go + ", " + b.System + ")\n"
}
