package web

import (
	"bytes"
	"context"
	"errors"
	"net/url"
	"strings"

	"golang.org/x/net/html"

	"planmode/plan/process"
)

// Document writes a whole HTML document as Markdown, whatever in it is the article.
// Links are resolved against base. It ends with the context, and a document that
// breaks the parser is an error.
func Document(ctx context.Context, body []byte, base *url.URL) (string, error) {
	decoded, err := decode(body, "text/html")
	if err != nil {
		return "", err
	}
	type outcome struct {
		text string
		err  error
	}
	done := make(chan outcome, 1)
	process.Go("read an HTML document", func() {
		s, err := document(decoded, base)
		done <- outcome{s, err}
	})
	select {
	case <-ctx.Done():
		return "", explain(ctx, ctx.Err())
	case o := <-done:
		return o.text, o.err
	}
}

// document is Document without a bound in time. The parser is not ours.
func document(body []byte, base *url.URL) (text string, err error) {
	defer func() {
		if recover() != nil {
			text, err = "", errors.New("the document could not be understood")
		}
	}()
	doc, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		return "", errors.New("the document could not be understood")
	}
	return strings.Trim(markdown(doc, base), "\n") + "\n", nil
}
