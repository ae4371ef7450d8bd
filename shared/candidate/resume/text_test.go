package resume

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
)

func utf16LE(text string) []byte {
	out := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(text)) {
		out = append(out, byte(u), byte(u>>8))
	}
	return out
}

func TestReadText(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, content string
		want          Document
	}{
		{"lines and spaces", "\xef\xbb\xbfMaya \u00a0Okafor\r\n\r\n  Engineer      2019\tnow\x0cend\u00ad\u200b",
			Document{Type: filetype.Text, Blocks: [][]string{{"Maya Okafor", "Engineer\t2019\tnow", "end"}}}},
		{"composed", "Jo\u0308rg", Document{Type: filetype.Text, Blocks: [][]string{{"Jörg"}}}},
		{"windows-1252", "Jos\xe9 \x96 caf\xe9", Document{Type: filetype.Text, Blocks: [][]string{{"José – café"}}}},
		{"utf-16", string(utf16LE("Żółć\nok")), Document{Type: filetype.Text, Blocks: [][]string{{"Żółć", "ok"}}}},
		{"markdown", "# Maya **Okafor** #\n\n> `Go` and [my *site*](https://example.org/a)\n---\n- <mailto:maya@example.com>\n",
			Document{Type: filetype.Markdown, Blocks: [][]string{{"Maya Okafor", "Go and my site", "- mailto:maya@example.com"}}, Links: []string{"https://example.org/a", "mailto:maya@example.com"}, Markup: Markup{Styles: map[string]string{"Maya Okafor": "##"}}}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, mustRead(t, []byte(tt.content))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestTextIsCutAtTheLimits(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"lines":          strings.Repeat("word\n", 3*maxLines),
		"bytes":          strings.Repeat(strings.Repeat("word ", 99)+"\n", 1200),
		"one line":       strings.Repeat("maya@example.com ", 1<<16),
		"one word":       strings.Repeat("x", 1<<20),
		"one word, wide": strings.Repeat("語", 1<<18),
	} {
		doc := mustRead(t, []byte(content))
		checkDocument(t, doc)
		if len(doc.Warnings) == 0 {
			t.Errorf("%s: nothing warns that the text was cut", name)
		}
	}
}

func TestFoldingTearsNoWord(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[a-zé@.]{1,60}`), 1, 200).Draw(t, "words")
		out := newCollector(filetype.Text)
		out.addText(strings.Join(words, " "))
		if got := strings.Fields(strings.Join(slices.Concat(out.finishDocument().Blocks...), " ")); !cmp.Equal(got, words) {
			t.Fatalf("folding changed the words: %s", cmp.Diff(words, got))
		}
	})
}

func TestRejoinLines(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{"develop\u0002\nment", "development"},
		{"Bello\u0002\nWhitfield", "Bello-Whitfield"},
		{"see linkedin.com/in/maya\u0002\nokafor now", "see linkedin.com/in/maya-okafor now"},
		{"linkedin.com/in/maya-\nokafor", "linkedin.com/in/maya-okafor"},
		{"linkedin.com/\nin/maya", "linkedin.com/in/maya"},
		{"maya.okafor@\nexample.com", "maya.okafor@example.com"},
		{"maya.okafor\n@example.com", "maya.okafor@example.com"},
		{"Engineer | Acme | 2013 –\n2018", "Engineer | Acme | 2013 – 2018"},
		{"Engineer | Acme |\nDubai | 2013 – 2018", "Engineer | Acme | Dubai | 2013 – 2018"},
		{"Engineer\t2018 –\nAcme Ltd", "Engineer\t2018 –|Acme Ltd"},
		{"Engineer (Mar 2013 –\nMay 2018)", "Engineer (Mar 2013 – May 2018)"},
		{"linkedin.com/in/maya\nSummary", "linkedin.com/in/maya|Summary"},
		{"Acme\n• item", "Acme|• item"},
		{"plain", "plain"},
	}
	for _, tt := range tests {
		if got := strings.Join(rejoinLines(strings.Split(tt.in, "\n")), "|"); got != tt.want {
			t.Errorf("mendLines(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add([]byte("Maya Okafor\nmaya@example.com\nExperience\nEngineer at Acme, 2019 - Present"))
	f.Add([]byte("# a\n[b](https://c)"))
	f.Add([]byte("Jan '21 – Dec 1999 (555) 555-5555 5555555 ﷺ"))
	f.Add(utf16LE("Maya"))
	f.Fuzz(func(t *testing.T, content []byte) {
		if _, err := filetype.Sniff(content); err == nil && !filetype.IsZip(content) && !strings.Contains(string(content), "%PDF-") {
			checkRead(t, content)
		}
	})
}
