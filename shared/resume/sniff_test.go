package resume

import (
	"strings"
	"testing"
	"unicode/utf16"
)

func utf16LE(text string) []byte {
	out := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(text)) {
		out = append(out, byte(u), byte(u>>8))
	}
	return out
}

func TestSniff(t *testing.T) {
	t.Parallel()
	odt := zipped(part{name: "mimetype", text: ODT.ContentType()}, part{name: "content.xml", text: "<x/>"})
	tests := []struct {
		name    string
		content string
		want    Type
		refused Kind
	}{
		{"pdf", "%PDF-1.4\n%\xe2\xe3", PDF, ""},
		{"pdf after a blank line", "\r\n%PDF-1.4\n\x00", PDF, ""},
		{"pdf after junk", "\x00\x01junk\n%PDF-1.4\n\x00", PDF, ""},
		{"docx", string(sample("jonas-lindqvist.docx")), DOCX, ""},
		{"odt", string(odt), ODT, ""},
		{"rtf", `{\rtf1\ansi Maya}`, RTF, ""},
		{"html", "<!DOCTYPE html><p>Maya", HTML, ""},
		{"html after a mark and a comment", "\xef\xbb\xbf<!-- made by hand --><html><body>Maya", HTML, ""},
		{"text", "Maya Okafor\nEngineer\n", Text, ""},
		{"text that begins like a bitmap", "BMW engineer, Maya Okafor", Text, ""},
		{"text that begins like a program", "MZ is short for Mark Zbikowski", Text, ""},
		{"text in Windows-1252", "Jos\xe9 N\xfa\xf1ez \x96 caf\xe9", Text, ""},
		{"text in UTF-16", string(utf16LE("Maya Okafor, żółć")), Text, ""},
		{"markdown", "# Maya Okafor\n\n- Go\n", Markdown, ""},
		{"markdown with a link", "Maya\n[site](https://example.org)\n", Markdown, ""},
		{"random bytes", "\x01\x9d\x00\xfe\x17\x03\x88\x91", Undecidable, ""},
		{"cut off docx", string(cut(sample("jonas-lindqvist.docx"), 2)), Undecidable, ""},
		{"other xml", "<?xml version=\"1.0\"?><w:wordDocument/>", Undecidable, ""},

		{"nothing", "", "", Empty},
		{"blanks", " \r\n\t\xef\xbb\xbf"[:4], "", Empty},
		{"a mark only", "\xef\xbb\xbf", "", Empty},
		{"png", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "", UnsupportedType},
		{"jpeg", "\xff\xd8\xff\xe0\x00\x10JFIF\x00", "", UnsupportedType},
		{"svg", `<svg xmlns="http://www.w3.org/2000/svg"><text>Maya</text></svg>`, "", UnsupportedType},
		{"zip", string(zipped(part{name: "maya.pdf", text: "%PDF-"})), "", UnsupportedType},
		{"xlsx", string(zipped(part{name: "[Content_Types].xml", text: "spreadsheetml.sheet.main"})), "", UnsupportedType},
		{"gzip", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", "", UnsupportedType},
		{"7z", "7z\xbc\xaf\x27\x1c\x00\x04", "", UnsupportedType},
		{"rar", "Rar!\x1a\x07\x01\x00", "", UnsupportedType},
		{"windows program", "MZ\x90\x00\x03\x00\x00\x00\x04\x00", "", UnsupportedType},
		{"linux program", "\x7fELF\x02\x01\x01\x00" + strings.Repeat("\x00", 60), "", UnsupportedType},
		{"legacy doc", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 600), "", UnsupportedType},
		{"mp3", "ID3\x03\x00\x00\x00", "", UnsupportedType},
	}
	for _, tt := range tests {
		got, err := Sniff([]byte(tt.content))
		if got != tt.want || kindOf(err) != tt.refused {
			t.Errorf("Sniff(%s) = %q, %v; want %q, %q", tt.name, got, err, tt.want, tt.refused)
		}
		if err == nil && got.ContentType() == "" {
			t.Errorf("%s has no content type", got)
		}
	}
}

func TestRefusalsSayWhatToSend(t *testing.T) {
	t.Parallel()
	for _, content := range []string{"", "\x89PNG\r\n\x1a\n", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Rar!\x1a\x07\x01\x00"} {
		if _, err := Sniff([]byte(content)); err == nil || !strings.Contains(err.Error(), "PDF") {
			t.Errorf("Sniff(%q): %v; want a message that names PDF", content, err)
		}
	}
}

func FuzzSniff(f *testing.F) {
	f.Add([]byte("%PDF-1.4"))
	f.Add(sample("jonas-lindqvist.docx"))
	f.Add([]byte("# Maya\n<html>"))
	f.Add(utf16LE("Maya"))
	f.Fuzz(func(t *testing.T, content []byte) {
		kind, err := Sniff(content)
		if (kind == "") != (err != nil) {
			t.Errorf("Sniff = %q, %v: exactly one must be set", kind, err)
		}
		if err == nil && kind.ContentType() == "" {
			t.Errorf("type %q has no content type", kind)
		}
	})
}
