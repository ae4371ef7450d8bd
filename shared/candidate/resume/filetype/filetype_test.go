package filetype

import (
	"archive/zip"
	"bytes"
	"errors"
	"strings"
	"testing"
	"unicode/utf16"
)

const wordTypes = `<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`

// zipped packs names and texts, in pairs.
func zipped(parts ...string) string {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		f, err := w.Create(parts[i])
		if err != nil {
			panic(err)
		}
		_, _ = f.Write([]byte(parts[i+1]))
	}
	_ = w.Close()
	return b.String()
}

func utf16LE(text string) []byte {
	out := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(text)) {
		out = append(out, byte(u), byte(u>>8))
	}
	return out
}

func TestSniff(t *testing.T) {
	t.Parallel()
	odt := zipped("mimetype", ODT.ContentType(), "content.xml", "<x/>")
	docx := zipped("[Content_Types].xml", wordTypes, "word/document.xml", "<x/>")
	tests := []struct {
		name    string
		content string
		want    Type
		refused string // "empty", "other" or ""
	}{
		{"pdf", "%PDF-1.4\n%\xe2\xe3", PDF, ""},
		{"pdf after a blank line", "\r\n%PDF-1.4\n\x00", PDF, ""},
		{"pdf after junk", "\x00\x01junk\n%PDF-1.4\n\x00", PDF, ""},
		{"docx", docx, DOCX, ""},
		{"odt", odt, ODT, ""},
		{"rtf", `{\rtf1\ansi Maya}`, RTF, ""},
		{"html", "<!DOCTYPE html><p>Maya", HTML, ""},
		{"html after a mark and a comment", "\xef\xbb\xbf<!-- made by hand --><html><body>Maya", HTML, ""},
		{"text", "Maya Okafor\nEngineer\n", Text, ""},
		{"text that begins like a bitmap", "BMW engineer, Maya Okafor", Text, ""},
		{"text that begins like a program", "MZ is short for Mark Zbikowski", Text, ""},
		{"text in Windows-1252", "Jos\xe9 N\xfa\xf1ez \x96 caf\xe9", Text, ""},
		{"text in Windows-1252 that begins like a font", "OTTO M\xdcLLER\nSoftwareentwickler\n", Text, ""},
		{"text in Windows-1252 that begins like a bitmap", "BMW-Werkstudentin J\xf6rg", Text, ""},
		{"text in UTF-16", string(utf16LE("Maya Okafor, żółć")), Text, ""},
		{"markdown", "# Maya Okafor\n\n- Go\n", Markdown, ""},
		{"text with a mark of Markdown after ten pages", strings.Repeat("Maya Okafor, engineer\n", sniffedPart/22+1) + "# Jobs\n", Text, ""},
		{"markdown with a link", "Maya\n[site](https://example.org)\n", Markdown, ""},
		{"random bytes", "\x01\x9d\x00\xfe\x17\x03\x88\x91", Undecidable, ""},
		{"cut off docx", docx[:len(docx)/2], Undecidable, ""},
		{"other xml", "<?xml version=\"1.0\"?><w:wordDocument/>", Undecidable, ""},

		{"nothing", "", "", "empty"},
		{"blanks", " \r\n\t\xef\xbb\xbf"[:4], "", "empty"},
		{"a mark only", "\xef\xbb\xbf", "", "empty"},
		{"png", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "", "other"},
		{"jpeg", "\xff\xd8\xff\xe0\x00\x10JFIF\x00", "", "other"},
		{"svg", `<svg xmlns="http://www.w3.org/2000/svg"><text>Maya</text></svg>`, "", "other"},
		{"zip", zipped("maya.pdf", "%PDF-"), "", "other"},
		{"xlsx", zipped("[Content_Types].xml", "spreadsheetml.sheet.main"), "", "other"},
		{"gzip", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", "", "other"},
		{"7z", "7z\xbc\xaf\x27\x1c\x00\x04", "", "other"},
		{"rar", "Rar!\x1a\x07\x01\x00", "", "other"},
		{"windows program", "MZ\x90\x00\x03\x00\x00\x00\x04\x00", "", "other"},
		{"linux program", "\x7fELF\x02\x01\x01\x00" + strings.Repeat("\x00", 60), "", "other"},
		{"legacy doc", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 600), "", "other"},
		{"mp3", "ID3\x03\x00\x00\x00", "", "other"},
	}
	for _, tt := range tests {
		got, err := Sniff([]byte(tt.content))
		if got != tt.want || reason(err) != tt.refused {
			t.Errorf("Sniff(%s) = %q, %v; want %q, %q", tt.name, got, err, tt.want, tt.refused)
		}
		if err == nil && got.ContentType() == "" {
			t.Errorf("%s has no content type", got)
		}
	}
}

func reason(err error) string {
	var r *Refusal
	switch {
	case err == nil:
		return ""
	case errors.As(err, &r) && r.Empty:
		return "empty"
	case errors.As(err, &r):
		return "other"
	}
	return "no refusal: " + err.Error()
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
	f.Add([]byte(zipped("[Content_Types].xml", wordTypes)))
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
