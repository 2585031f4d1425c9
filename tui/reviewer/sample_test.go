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
