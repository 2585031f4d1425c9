package composer

import (
	"testing"

	"planmode/plan/image"
)

func TestImagesBecomeChips(t *testing.T) {
	ref, _ := image.NewRef("a.png", []byte("\x89PNG\r\n\x1a\nx"))
	attach := func(c *Composer, out Outcome) {
		for _, n := range out.Attach {
			c.Attached(n.Raw, ref)
		}
	}
	for name, tt := range map[string]struct {
		do          func(c *Composer)
		value, text string
	}{
		"a mention":          {func(c *Composer) { attach(c, press(c, "see @a.png ")) }, "see [image a.png 9 B] ", "see " + ref.Mark() + " "},
		"a pasted path":      {func(c *Composer) { attach(c, c.Paste("'/x y/a.png'")) }, "[image a.png 9 B]", ref.Mark()},
		"a word in between":  {func(c *Composer) { out := press(c, "@a.png "); press(c, "and<left>"); attach(c, out); press(c, "!") }, "[image a.png 9 B] an!d", ref.Mark() + " an!d"},
		"removed":            {func(c *Composer) { attach(c, c.Paste("/a.png")); press(c, "<backspace>") }, "", ""},
		"the same twice":     {func(c *Composer) { c.InsertImage(ref); c.InsertImage(ref) }, "[image a.png 9 B] [image a.png 9 B #2] ", ref.Mark() + " " + ref.Mark() + " "},
		"from a draft":       {func(c *Composer) { c.SetText("see " + ref.Mark()) }, "see [image a.png 9 B]", "see " + ref.Mark()},
		"gone from the text": {func(c *Composer) { out := press(c, "@a.png "); press(c, "<ctrl+u>"); attach(c, out) }, "", ""},
		"one still typed":    {func(c *Composer) { attach(c, press(c, "@a.png")) }, "@a.png", "@a.png"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newComposer()
			tt.do(c)
			if c.box.Value() != tt.value || c.Text() != tt.text {
				t.Errorf("%q, sent as %q", c.box.Value(), c.Text())
			}
		})
	}
}

func TestWhatIsSentNamesTheImagesWithoutAnAnswer(t *testing.T) {
	c := newComposer()
	c.Paste("/a.png")
	out := press(c, " @b.png<enter>")
	if out.Kind != Submitted || len(out.Attach) != 2 || out.Attach[0].Path != "/a.png" || out.Attach[1].Path != "b.png" {
		t.Errorf("%+v", out)
	}
}
