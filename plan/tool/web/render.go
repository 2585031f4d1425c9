package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"unicode/utf8"

	"codeberg.org/readeck/go-readability/v2"
	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"

	"planmode/plan/process"
	"planmode/plan/text"
)

// The most HTML that is looked through for its text, and the most elements.
const (
	maxHTML     = 4 << 20
	maxElements = 60_000
)

// render makes a page of what was downloaded. The address is that after redirects.
func render(ctx context.Context, kind, contentType string, body []byte, from *url.URL) (Page, error) {
	decoded, err := decode(body, contentType)
	if err != nil {
		return Page{}, err
	}
	if kind != "html" {
		return finish(Page{URL: from.String(), Text: string(decoded)})
	}
	type outcome struct {
		page Page
		err  error
	}
	done := make(chan outcome, 1)
	process.Go("read a web page", func() {
		p, err := readable(decoded[:min(len(decoded), maxHTML)], from)
		done <- outcome{p, err}
	})
	select {
	case <-ctx.Done():
		return Page{}, explain(ctx, ctx.Err())
	case o := <-done:
		if o.err != nil {
			return Page{}, o.err
		}
		return finish(o.page)
	}
}

// decode brings a page to UTF-8.
func decode(body []byte, contentType string) ([]byte, error) {
	r, err := charset.NewReader(bytes.NewReader(body), contentType)
	if err != nil {
		return nil, errors.New("the page is in an encoding that is not known")
	}
	out, err := io.ReadAll(io.LimitReader(r, 3*maxDownload))
	if err != nil {
		return nil, fmt.Errorf("the page could not be decoded: %w", err)
	}
	return out, nil
}

// readable finds what a page is about. A page that is no article is taken whole.
// The parser is not ours, and the page may be made to break it.
func readable(body []byte, from *url.URL) (page Page, err error) {
	defer func() {
		if recover() != nil {
			page, err = Page{}, errors.New("the page could not be understood")
		}
	}()
	doc, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		return Page{}, errors.New("the page could not be understood")
	}
	page = Page{URL: from.String(), Title: title(doc)}
	whole := markdown(doc, from)
	p := readability.NewParser()
	p.MaxElemsToParse = maxElements
	article, err := p.ParseAndMutate(doc, from)
	if err != nil || article.Node == nil {
		page.Text = whole
		return page, nil
	}
	if article.Title() != "" {
		page.Title = article.Title()
	}
	if page.Text = markdown(article.Node, from); len(strings.TrimSpace(page.Text)) < len(strings.TrimSpace(whole))/20 {
		page.Text = whole // it took an aside for the article
	}
	return page, nil
}

func title(doc *html.Node) string {
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && n.Data == "title" && n.FirstChild != nil {
			return n.FirstChild.Data
		}
	}
	return ""
}

// finish cleans and bounds a page.
func finish(p Page) (Page, error) {
	p.Title = text.Truncate(text.Line(p.Title), 200)
	p.Text = strings.Trim(text.Clean(p.Text), "\n")
	if len(p.Text) > maxText {
		cut := maxText
		for cut > 0 && !utf8.RuneStart(p.Text[cut]) {
			cut--
		}
		p.Text, p.Cut = p.Text[:cut], true
	}
	if strings.TrimSpace(p.Text) == "" {
		return Page{}, errors.New("the page holds no text; it may need a browser that runs scripts")
	}
	return p, nil
}
