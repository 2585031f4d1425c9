package image

import (
	"strings"
	"testing"
)

const png = "\x89PNG\r\n\x1a\n"

func TestAnImageIsKnownByItsFirstBytes(t *testing.T) {
	for name, tt := range map[string]struct{ data, want string }{
		"a PNG":                      {png + "rest", "image/png"},
		"a JPEG":                     {"\xff\xd8\xff\xe0rest", "image/jpeg"},
		"an old GIF":                 {"GIF87a", "image/gif"},
		"a GIF":                      {"GIF89a", "image/gif"},
		"a WebP":                     {"RIFF\x00\x00\x00\x00WEBPVP8 ", "image/webp"},
		"a RIFF that is a sound":     {"RIFF\x00\x00\x00\x00WAVEfmt ", ""},
		"text":                       {"#!/bin/sh\n", ""},
		"SVG, which can hold script": {"<svg/>", ""},
		"nothing":                    {"", ""},
		"the beginning of a PNG":     {png[:7], ""},
	} {
		if got := Media([]byte(tt.data)); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestASizeIsWrittenAsPeopleSayIt(t *testing.T) {
	for n, want := range map[int]string{0: "0 B", 1023: "1023 B", 1024: "1 KB", 120 << 10: "120 KB", 5 << 20: "5.0 MB"} {
		if got := Size(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestALabelIsOneUnitWhateverTheFileIsCalled(t *testing.T) {
	for name, want := range map[string]string{
		"shot.png":                           "[image shot.png 1 KB]",
		"a[1].png":                           "[image a(1).png 1 KB]",
		"\x1b[31mred\n.png":                  "[image red .png 1 KB]",
		"截图.png":                             "[image 截图.png 1 KB]",
		"":                                   "[image image 1 KB]",
		strings.Repeat("x", 90) + ".png":     "[image " + strings.Repeat("x", 35) + "….png 1 KB]",
		"evil\u202egnp.exe.png":              "[image evilgnp.exe.png 1 KB]",
		"x sha256:" + strings.Repeat("0", 9): "[image x sha256:000000000 1 KB]",
	} {
		ref, ok := NewRef(name, []byte(png+strings.Repeat("x", 1020)))
		if !ok || ref.Label() != want {
			t.Errorf("%q: %q, want %q", name, ref.Label(), want)
		}
		found := Marks("look: " + ref.Mark() + ".")
		if len(found) != 1 || found[0].Label != want || found[0].Hash != ref.Hash || Plain(ref.Mark()) != want {
			t.Errorf("%q: its mark is read as %+v", name, found)
		}
	}
}

func TestAMessageIsRestoredWithItsMarks(t *testing.T) {
	a, _ := NewRef("a.png", []byte(png+"a"))
	b, _ := NewRef("a.png", []byte(png+"b"))
	c, _ := NewRef("c.png", []byte(png+"c"))
	for name, text := range map[string]string{
		"two images":                  "first " + a.Mark() + ", then " + c.Mark() + "\nend",
		"two images of one label":     a.Mark() + b.Mark(),
		"one image twice at the end":  a.Mark() + " " + c.Mark() + c.Mark(),
		"a label that nobody made":    "[image x] " + a.Mark() + "[image a.png",
		"no image":                    "just words [image a.png 9 B]",
		"only an opening bracket":     "[image ",
		"an image with words about ]": a.Mark() + "]]",
	} {
		var refs []Ref
		for _, m := range Marks(text) {
			for _, r := range []Ref{a, b, c} {
				if r.Hash == m.Hash && (len(refs) == 0 || refs[len(refs)-1] != r) {
					refs = append(refs, r)
				}
			}
		}
		if got := Restore(Plain(text), refs); name != "no image" && got != text {
			t.Errorf("%s: %q", name, got)
		}
	}
}
