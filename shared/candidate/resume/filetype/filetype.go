// Package filetype tells by its content what a resume file is, never by its
// name, and refuses what is recognisably none.
//
// It is a leaf: whoever only checks an upload links no reader of any format. It
// looks no further into a file than the type needs, so that a broken or hostile
// file costs nothing here and fails when it is read.
package filetype

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Type is a kind of file.
type Type string

// The types that Sniff tells apart. Undecidable content is accepted at upload
// and fails when it is read.
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

// Accepted is the end of every message about a wrong type.
const Accepted = "send the resume as PDF, DOCX, ODT, RTF, HTML, plain text or Markdown"

// Refusal says why a file is none of the types. Message is public and tells what
// to send instead; it holds nothing of the file.
type Refusal struct {
	Empty   bool // no bytes but blanks; else recognised as something that is not read
	Message string
}

// Error returns the public message.
func (r *Refusal) Error() string { return r.Message }

// Sniff tells the type of a file by its content. The error is a *Refusal: for an
// empty file, and for what is recognisably no resume (a picture, an archive, a
// program, a legacy .doc).
func Sniff(content []byte) (Type, error) {
	trimmed := bytes.TrimLeft(bytes.TrimPrefix(content, utf8BOM), " \t\r\n\f")
	switch {
	case len(trimmed) == 0:
		return "", &Refusal{Empty: true, Message: "the file is empty; " + Accepted}
	case bytes.HasPrefix(trimmed, []byte("%PDF-")):
		return PDF, nil
	case bytes.HasPrefix(trimmed, []byte(`{\rtf`)):
		return RTF, nil
	case IsZip(content):
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
	switch matchMagic(content) {
	case office:
		return "", &Refusal{Message: "this is a legacy Word or other Office file; save it as DOCX or PDF and send that"}
	case picture:
		return "", &Refusal{Message: "this is a picture; send the resume with its text, as PDF or DOCX"}
	case otherBinary:
		return "", &Refusal{Message: "this is no document; " + Accepted}
	}
	return Undecidable, nil
}

// sniffText is asked about text only. UTF-8 and UTF-16 prove themselves, so "BM"
// is a word there and no bitmap; any bytes may pass for Windows-1252, so a
// picture's or a program's first bytes are believed before.
func sniffText(content, trimmed []byte) (Type, error) {
	proven := utf8.Valid(content) || bytes.HasPrefix(content, []byte("\xff\xfe")) || bytes.HasPrefix(content, []byte("\xfe\xff"))
	head := bytes.ToLower(trimmed[:min(len(trimmed), 1024)])
	isXML := bytes.HasPrefix(head, []byte("<?xml"))
	switch {
	case !proven && matchMagic(content) != unknown:
		return sniffBinary(content)
	case bytes.HasPrefix(head, []byte("<svg")), isXML && bytes.Contains(head, []byte("<svg")):
		return "", &Refusal{Message: "this is a picture; send the resume with its text, as PDF or DOCX"}
	case htmlStart.Match(head), isXML && bytes.Contains(head, []byte("<html")):
		return HTML, nil
	case isXML:
		return Undecidable, nil
	case markdownMark.Match(trimmed):
		return Markdown, nil
	}
	return Text, nil
}

// hasLatePDFHeader allows junk before the header, as every PDF reader does.
func hasLatePDFHeader(content []byte) bool {
	return bytes.Contains(content[:min(len(content), 1024)], []byte("%PDF-"))
}

var (
	// markdownMark is a heading line or an inline link: what plain text hardly ever has.
	markdownMark = regexp.MustCompile(`(?m)^#{1,6} \S|\]\((?:https?://|mailto:)\S+\)`)

	// htmlStart is what browsers take for the beginning of a page, in lower case.
	htmlStart = regexp.MustCompile(`^<(?:!--|(?:!doctype html|html|head|body|title|style|script|meta|link|div|table|center|section|article|main|header|span|font|h[1-6]|ul|ol|p|a|b|br)[\s>/])`)

	utf8BOM = []byte("\xef\xbb\xbf")
)

// isText tells whether content is text in an encoding that DecodeText reads:
// no control characters but layout, in UTF-8, marked UTF-16 or Windows-1252.
func isText(content []byte) bool {
	for r := range allRunes(content) {
		if r == undefinedRune || isBinary(r) {
			return false
		}
	}
	return true
}

func isBinary(r rune) bool {
	return r < ' ' && !strings.ContainsRune("\t\n\r\f\v", r) || r == 0x7f || r >= 0x80 && r < 0xa0 && r != 0x85
}
