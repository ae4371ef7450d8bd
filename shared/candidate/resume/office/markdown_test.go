package office

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/resumetest"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/collect"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
)

func TestMarkdownEscapes(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`\*no emphasis\*`:                   "*no emphasis*",
		`\# no heading`:                     "# no heading",
		`a\_b_c\_d`:                         "a_b_c_d",
		`2019\. a`:                          "2019. a",
		`R\&amp;D`:                          "R&amp;D",
		`C:\Tern`:                           `C:\Tern`,
		`Acme Ltd\`:                         "Acme Ltd",
		"Acme Ltd\\\r":                      "Acme Ltd",
		`Acme Ltd\\`:                        `Acme Ltd\`,
		`[a\]](https://example.org/a\_b) c`: "a] c",
	} {
		out := collect.New(filetype.Markdown)
		if text := (&markdown{out: out}).stripLine(line); text != want {
			t.Errorf("%q: got %q, want %q", line, text, want)
		}
		if links := out.FinishDocument().Links; strings.Contains(line, "](") && !cmp.Equal(links, []string{"https://example.org/a_b"}) {
			t.Errorf("%q: got the links %q", line, links)
		}
	}
}

func TestMarkdownLinksAreStripped(t *testing.T) {
	t.Parallel()
	long := resumetest.Repeat(1500, "語")
	for line, want := range map[string]struct {
		text  string
		links []string
	}{
		"[a](b)[c](d)":                              {"ac", []string{"b", "d"}},
		"<http://a> ![c](d) <mailto:e>":             {"http://a !c mailto:e", []string{"d", "http://a", "mailto:e"}},
		"[[a](b)] [](c) [d](e f) [g] (h)":           {"[a] [](c) [d](e f) [g] (h)", []string{"b"}},
		"[<https://a>](b) <http://> <c@d>":          {"https://a <http://> <c@d>", []string{"b", "https://a"}},
		"<http://a b> [" + long + "](" + long + ")": {"<http://a b> " + long, []string{long}},
	} {
		out := collect.New(filetype.Markdown)
		m := markdown{out: out}
		text := m.stripLine(line)
		if links := append(out.FinishDocument().Links, m.addresses...); text != want.text || !cmp.Equal(links, want.links) {
			t.Errorf("%.40q: got %.40q with links %.40q, want %.40q with %.40q", line, text, links, want.text, want.links)
		}
	}
}
