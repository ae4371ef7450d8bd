package resume

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/gabriel-vasile/mimetype"
)

// Type is a kind of file.
type Type string

// The types that Sniff tells apart. Undecidable content is accepted at upload
// and fails when it is read (supplement §3 "File types").
const (
	PDF         Type = "pdf"
	DOCX        Type = "docx"
	ODT         Type = "odt"
	RTF         Type = "rtf"
	HTML        Type = "html"
	Text        Type = "text"
	Markdown    Type = "markdown"
	Undecidable Type = "undecidable"
)

var contentTypes = map[Type]string{
	PDF:         "application/pdf",
	DOCX:        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	ODT:         "application/vnd.oasis.opendocument.text",
	RTF:         "application/rtf",
	HTML:        "text/html",
	Text:        "text/plain",
	Markdown:    "text/markdown",
	Undecidable: "application/octet-stream",
}

// ContentType returns the type's MIME type.
func (t Type) ContentType() string { return contentTypes[t] }

const accepted = "send the resume as PDF, DOCX, ODT, RTF, HTML, plain text or Markdown"

// Sniff tells the type of a file by its content. The error is a *Failure: Empty,
// or UnsupportedType for what is recognisably no resume (a picture, an archive,
// a program, a legacy .doc), with a message that says what to send instead.
func Sniff(content []byte) (Type, error) {
	trimmed := bytes.TrimLeft(bytes.TrimPrefix(content, utf8BOM), " \t\r\n\f")
	switch {
	case len(trimmed) == 0:
		return "", failure(Empty, "the file is empty; "+accepted, nil)
	case bytes.HasPrefix(trimmed, []byte("%PDF-")):
		return PDF, nil
	case bytes.HasPrefix(trimmed, []byte(`{\rtf`)):
		return RTF, nil
	case isZip(content):
		return sniffZip(content)
	case isText(content):
		return sniffText(content, trimmed)
	case hasLatePDFHeader(content):
		return PDF, nil
	}
	return sniffBinary(content)
}

// sniffBinary only has to recognise what to refuse.
func sniffBinary(content []byte) (Type, error) {
	m := mimetype.Detect(content)
	switch {
	case m.Is("application/x-ole-storage"), bytes.HasPrefix(content, oleMagic):
		return "", failure(UnsupportedType, "this is a legacy Word or other Office file; save it as DOCX or PDF and send that", nil)
	case strings.HasPrefix(m.String(), "image/"):
		return "", failure(UnsupportedType, "this is a picture; send the resume with its text, as PDF or DOCX", nil)
	case m.Is("application/octet-stream"), isTextual(m), m.Is("application/pdf"):
		return Undecidable, nil
	}
	return "", failure(UnsupportedType, "this is no document; "+accepted, nil)
}

// sniffText is asked about text only. UTF-8 and UTF-16 prove themselves, so "BM"
// is a word there and no bitmap; any bytes may pass for Windows-1252, so a
// picture's or a program's first bytes are believed before.
func sniffText(content, trimmed []byte) (Type, error) {
	m := mimetype.Detect(trimmed)
	proven := utf8.Valid(content) || bytes.HasPrefix(content, []byte("\xff\xfe")) || bytes.HasPrefix(content, []byte("\xfe\xff"))
	switch {
	case !proven && !m.Is("application/octet-stream") && !isTextual(m), m.Is("image/svg+xml"):
		return sniffBinary(content)
	case m.Is("text/html"), looksLikeHTML(trimmed):
		return HTML, nil
	case m.Is("text/xml"):
		return Undecidable, nil
	case markdownMark.Match(trimmed):
		return Markdown, nil
	}
	return Text, nil
}

// isTextual tells whether a type is plain text or one of its relatives (JSON, CSV, …).
func isTextual(m *mimetype.MIME) bool {
	for ; m != nil; m = m.Parent() {
		if m.Is("text/plain") {
			return true
		}
	}
	return false
}

func looksLikeHTML(trimmed []byte) bool {
	head := bytes.ToLower(trimmed[:min(len(trimmed), 64)])
	return bytes.HasPrefix(head, []byte("<!doctype html")) || bytes.HasPrefix(head, []byte("<html"))
}

// hasLatePDFHeader allows junk before the header, as every PDF reader does.
func hasLatePDFHeader(content []byte) bool {
	return bytes.Contains(content[:min(len(content), 1024)], []byte("%PDF-"))
}

var (
	utf8BOM  = []byte("\xef\xbb\xbf")
	oleMagic = []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
)

// isText tells whether content is text in an encoding that decodeText reads:
// no control characters but layout, in UTF-8, marked UTF-16 or Windows-1252.
func isText(content []byte) bool {
	text, ok := decodeText(content)
	return ok && utf8.ValidString(text) && !strings.ContainsFunc(text, isBinary)
}

func isBinary(r rune) bool {
	return r < ' ' && !strings.ContainsRune("\t\n\r\f\v", r) || r == 0x7f || r >= 0x80 && r < 0xa0 && r != 0x85
}
