package reviewer

import (
	"fmt"
	"math/rand/v2"
)

// sampleLines is a plan of n lines; seed decides which lines differ between two.
func sampleLines(n int, seed uint64) []string {
	r := rand.New(rand.NewPCG(seed, 1))
	out := make([]string, n)
	for i := range out {
		switch {
		case i%12 == 0:
			out[i] = fmt.Sprintf("## Section %d", i/12)
		case i%6 == 1:
			out[i] = ""
		case r.IntN(9) == 0:
			out[i] = fmt.Sprintf("%d. Step %d with **changed %d** words and `code`", i, i, r.IntN(1000))
		default:
			out[i] = fmt.Sprintf("%d. Step %d that stays as it is, long enough to be wrapped on a narrow terminal", i, i)
		}
	}
	return out
}

// richLines is a document of n lines of all that Markdown has: filled prose,
// nested lists, tables, quotations and code.
func richLines(n int) []string {
	var out []string
	for i := 0; len(out) < n; i++ {
		out = append(out, fmt.Sprintf("## Part %d", i), "",
			"A paragraph that was filled to a column of about seventy cells, with",
			fmt.Sprintf("some **bold text** and `code%d` in it, and a [link](https://example.org/%d)", i, i),
			"to somewhere else, so that three lines of the file are one text here.", "",
			"- an item that is long enough to be wrapped on a terminal of usual width, we hope",
			"  - [x] done, with 一些中文文字 in the middle of the line", "  - [ ] open", "",
			"| field | meaning | default |", "|:------|:-------:|--------:|",
			fmt.Sprintf("| timeout | how long a request may take before it is given up | %d |", i),
			"| `retries` | 重试次数，超过之后返回错误 | 3 |", fmt.Sprintf("| row %d | see [docs](https://x.y) | |", i), "",
			"> A quotation", "> of two lines", "", "```go", fmt.Sprintf("func part%d() error { return nil } // nothing", i), "```", "")
	}
	return out[:n]
}
