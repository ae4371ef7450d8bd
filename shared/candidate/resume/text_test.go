package resume

import (
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
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
		want          document.Document
	}{
		{"lines and spaces", "\xef\xbb\xbfMaya \u00a0Okafor\r\n\r\n  Engineer      2019\tnow\x0cend\u00ad\u200b",
			document.Document{Type: filetype.Text, Blocks: [][]string{{"Maya Okafor", "Engineer\t2019\tnow", "end"}}}},
		{"composed", "Jo\u0308rg", document.Document{Type: filetype.Text, Blocks: [][]string{{"Jörg"}}}},
		{"windows-1252", "Jos\xe9 \x96 caf\xe9", document.Document{Type: filetype.Text, Blocks: [][]string{{"José – café"}}}},
		{"utf-16", string(utf16LE("Żółć\nok")), document.Document{Type: filetype.Text, Blocks: [][]string{{"Żółć", "ok"}}}},
		{"markdown", "# Maya **Okafor** #\n\n> `Go` and [my *site*](https://example.org/a)\n---\n- <mailto:maya@example.com>\n",
			document.Document{Type: filetype.Markdown, Blocks: [][]string{{"Maya Okafor", "Go and my site", "- mailto:maya@example.com"}}, Links: []string{"https://example.org/a", "mailto:maya@example.com"}, Markup: document.Markup{Styles: map[string]string{"Maya Okafor": "##"}}}},
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
		"lines":          strings.Repeat("word\n", 3*document.MaxLines),
		"bytes":          strings.Repeat(strings.Repeat("word ", 99)+"\n", 1200),
		"one line":       strings.Repeat("maya@example.com ", 1<<16),
		"one word":       strings.Repeat("x", 1<<20),
		"one word, wide": strings.Repeat("語", 1<<18),
	} {
		doc := mustRead(t, []byte(content))
		checkDocument(t, doc)
		if len(doc.Warnings) == 0 {
			t.Errorf("%s: nothing warns that the text was truncated", name)
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
