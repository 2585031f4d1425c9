package reviewer

import (
	"reflect"
	"strings"
	"testing"
)

// FuzzParseOptions holds that a command line is read or refused, and that what
// was read does not depend on how a value was attached.
func FuzzParseOptions(f *testing.F) {
	f.Add("--only=a.md\n--output=b")
	f.Add("--compare-old\na\n--compare-new\nb\n-o\nx\n--compact")
	f.Add("-h")
	f.Add("--\n-\n---only=\n--only")
	f.Fuzz(func(t *testing.T, line string) {
		args := strings.Split(line, "\n")
		o, err := ParseOptions(args, nil)
		if err != nil {
			if err.Error() == "" {
				t.Error("refused without a word")
			}
			return
		}
		var attached []string
		for i := 0; i < len(args); i++ {
			name := strings.TrimLeft(args[i], "-")
			if fl, ok := flags[name]; strings.HasPrefix(args[i], "--") && ok && fl.on == nil && i+1 < len(args) {
				attached = append(attached, args[i]+"="+args[i+1])
				i++
				continue
			}
			attached = append(attached, args[i])
		}
		if again, err := ParseOptions(attached, nil); err != nil || !reflect.DeepEqual(again, o) {
			t.Errorf("%q is read as %+v, and %q as %+v, %v", args, o, attached, again, err)
		}
	})
}
