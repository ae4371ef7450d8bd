// Package filetype detects the type of a resume file by its content, never by its
// name, and refuses files that are recognisably no resume.
//
// It imports no reader of any format, so that a function which only checks uploads
// does not link them. It reads no more of a file than the type needs: a broken or
// hostile file costs nothing here and fails when it is read.
package filetype

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// Type is a type of file.
type Type string

// The types that Sniff distinguishes. Undecidable content is accepted at upload and
// fails when it is read.
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

// AcceptedAdvice is the advice at the end of every message about a wrong type.
const AcceptedAdvice = "send the resume as PDF, DOCX, ODT, RTF, HTML, plain text or Markdown"

// Refusal says why a file is refused. Message is public and says what to send instead;
// it holds nothing of the file.
type Refusal struct {
	Empty   bool // the file holds only white space; otherwise it is of a type that is not accepted
	Message string
}

// Error returns the public message.
func (r *Refusal) Error() string { return r.Message }

// Sniff returns the type of a file by its content. The error is a *[Refusal], for an
// empty file and for one that is recognisably no resume (an image, an archive, a
// program, a legacy .doc).
func Sniff(content []byte) (Type, error) {
	trimmed := bytes.TrimLeft(bytes.TrimPrefix(content, utf8BOM), " \t\r\n\f")
	switch {
	case len(trimmed) == 0:
		return "", &Refusal{Empty: true, Message: "the file is empty; " + AcceptedAdvice}
	case bytes.HasPrefix(trimmed, []byte("%PDF-")):
		return PDF, nil
	case bytes.HasPrefix(trimmed, []byte(`{\rtf`)):
		return RTF, nil
	case IsZip(content):
		return sniffZip(content)
	case isText(content):
		return sniffText(content, trimmed)
	case bytes.Contains(content[:min(len(content), 1024)], []byte("%PDF-")): // after other bytes, as PDF readers allow
		return PDF, nil
	}
	return sniffBinary(content)
}

// sniffBinary refuses the types of magics; anything else is Undecidable.
func sniffBinary(content []byte) (Type, error) {
	switch matchMagic(content) {
	case office:
		return "", &Refusal{Message: "this is a legacy Word or other Office file; save it as DOCX or PDF and send that"}
	case picture:
		return "", &Refusal{Message: "this is a picture; send the resume with its text, as PDF or DOCX"}
	case otherBinary:
		return "", &Refusal{Message: "not a document; " + AcceptedAdvice}
	}
	return Undecidable, nil
}

// sniffText returns the type of a file that isText. Valid UTF-8 or UTF-16 proves that
// it is text. Other bytes may be in an old encoding, so there the first bytes of an image or a recording count
// first, unless they are letters: "BM" is a word, and no bitmap.
func sniffText(content, trimmed []byte) (Type, error) {
	order, _ := findUTF16(content)
	if order != nil {
		text, _ := DecodeUnicode(content[:min(len(content), sniffedPart)])
		trimmed = []byte(strings.TrimLeft(text, " \t\r\n\f"))
	}
	proven := order != nil || utf8.Valid(content)
	head := bytes.ToLower(trimmed[:min(len(trimmed), 1024)])
	isXML := bytes.HasPrefix(head, []byte("<?xml"))
	switch {
	case !proven && matchMagicOfText(content) != unknown:
		return sniffBinary(content)
	case bytes.HasPrefix(head, []byte("<svg")), isXML && bytes.Contains(head, []byte("<svg")):
		return "", &Refusal{Message: "this is a picture; send the resume with its text, as PDF or DOCX"}
	case htmlStart().Match(head), isXML && bytes.Contains(head, []byte("<html")):
		return HTML, nil
	case isXML:
		return Undecidable, nil
	case markdownMark().Match(trimmed[:min(len(trimmed), sniffedPart)]):
		return Markdown, nil
	}
	return Text, nil
}

// sniffedPart is how much of a text is searched for the marks of its type: some ten pages. A text can have 9 MB.
const sniffedPart = 64 << 10

var (
	// markdownMark is a heading line, a line that begins in bold, or an inline link, which plain text
	// hardly ever has.
	markdownMark = text.Expression(`(?m)^#{1,6} \S|^(?:[-*+] )?\*\*[^*\s][^*\n]*\*\*|\]\((?:https?://|mailto:)\S+\)`)

	// htmlStart is what browsers recognise as the beginning of a page, in lower case.
	htmlStart = text.Expression(`^<(?:!--|(?:!doctype html|html|head|body|title|style|script|meta|link|div|table|center|section|article|main|header|span|font|h[1-6]|ul|ol|p|a|b|br)[\s>/])`)

	utf8BOM = []byte("\xef\xbb\xbf")
)

// isText reports whether content is text: UTF-8, UTF-16, or in any encoding that contains ASCII, which package charset
// detects, without control characters other than white space. It copies nothing: an upload may be 9 MB, and up to three
// times as much in another encoding.
func isText(content []byte) bool {
	if order, start := findUTF16(content); order != nil {
		for unit := range utf16Units(content[start:], order) {
			if isBinary(unit) {
				return false
			}
		}
		return len(content)%2 == 0
	}
	isUTF8 := utf8.Valid(content)
	return !bytes.ContainsFunc(content, func(r rune) bool { return isBinary(r) && (isUTF8 || r < utf8.RuneSelf) })
}

func isBinary(r rune) bool {
	isControl := r < ' ' && !strings.ContainsRune("\t\n\r\f\v", r)
	isUpperControl := r >= 0x7f && r < 0xa0 && r != 0x85
	return isControl || isUpperControl
}
