package web

import (
	"net/url"
	"testing"
)

func TestADocumentIsConvertedWhole(t *testing.T) {
	const page = `<html><head><title>T</title><style>p{}</style></head><body><h1>Head</h1><p>One <b>two</b></p><ul><li>a<li>b</ul>
<pre>x
 y</pre><table><tr><th>k<th>v<tr><td>1<td>2</table><noscript>no</noscript><script>evil()</script></body></html>`
	want := "# Head\n\nOne **two**\n\n- a\n- b\n\n```\nx\n y\n```\n\n| k | v\n| 1 | 2\n"
	got, err := Document(t.Context(), []byte(page), &url.URL{Scheme: "file", Path: "/p.html"})
	if err != nil || got != want {
		t.Errorf("%v\n%q, want\n%q", err, got, want)
	}
}
