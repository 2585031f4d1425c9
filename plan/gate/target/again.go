package target

import (
	"bytes"
	"context"
)

// Again reads a file or a folder once more, to see whether it is still what was
// shown. What has no file behind it is as it was. An error means that it is gone or
// can no longer be reviewed.
func Again(ctx context.Context, o Options, shown Text) (now Text, changed bool, err error) {
	if shown.Source != FromFile && shown.Source != FromFolder {
		return shown, false, nil
	}
	o.Raw = o.Raw || !shown.Converted
	now, err = o.quiet().read(ctx, shown.Path)
	if err != nil {
		return shown, true, err
	}
	return now, !bytes.Equal(now.Markdown, shown.Markdown), nil
}
