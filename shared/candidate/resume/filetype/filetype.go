// Package filetype detects the type of a resume file by its content, never by its
// name, and refuses files that are recognisably no resume.
//
// It imports no reader of any format, so that a function which only checks uploads
// does not link them. It reads no more of a file than the type needs: a broken or
// hostile file costs nothing here and fails when it is read.
package filetype

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"io"
	"iter"
	"path"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// Type is a type of file.
type Type string

// The types that Sniff distinguishes. Undecidable content is accepted at upload and fails when it is read.
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

// Refusal says why a file is refused. Message is public and says what to send instead; it holds nothing of the file.
type Refusal struct {
	Empty   bool // the file holds only white space; otherwise it is of a type that is not accepted
	Message string
}

// Error returns the public message.
func (r *Refusal) Error() string { return r.Message }

// Sniff returns the type of a file by its content. The error is a *[Refusal], for an empty file and for one that is
// recognisably no resume (an image, an archive, a program, a legacy .doc).
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
	if magic := matchMagic(content); magic != "" {
		return "", &Refusal{Message: magic}
	}
	return Undecidable, nil
}

const (
	sniffedPart  = 64 << 10 // bytes of a text that are searched for the marks of its type: some ten pages of up to 9 MB
	unmarkedPart = 4 << 10  // bytes by which UTF-16 without a mark is found
	spaceShare   = 40       // one unit of so many is a space, a digit or a line break
	maxEntry     = 1 << 20  // bytes that are unpacked of an entry
)

// sniffText returns the type of a file that isText. Valid UTF-8 or UTF-16 proves that it is text. Other bytes may be in
// an old encoding, so there the first bytes of an image or a recording count first, unless they are letters: "BM" is a
// word, and no bitmap. The kinds that begin with letters have control characters soon after them.
func sniffText(content, trimmed []byte) (Type, error) {
	order, _ := findUTF16(content)
	if order != nil {
		text, _ := DecodeUnicode(content[:min(len(content), sniffedPart)])
		trimmed = []byte(strings.TrimLeft(text, " \t\r\n\f"))
	}
	proven := order != nil || utf8.Valid(content)
	head := bytes.ToLower(trimmed[:min(len(trimmed), 1024)])
	isXML := bytes.HasPrefix(head, []byte("<?xml"))
	magic := matchMagic(content)
	switch {
	case !proven && content[0] >= utf8.RuneSelf && magic != "":
		return "", &Refusal{Message: magic}
	case bytes.HasPrefix(head, []byte("<svg")), isXML && bytes.Contains(head, []byte("<svg")):
		return "", &Refusal{Message: picture}
	case htmlStart().Match(head), isXML && bytes.Contains(head, []byte("<html")):
		return HTML, nil
	case isXML:
		return Undecidable, nil
	case markdownMark().Match(trimmed[:min(len(trimmed), sniffedPart)]):
		return Markdown, nil
	}
	return Text, nil
}

var (
	// markdownMark is a heading line, a line that begins in bold, or an inline link, which plain text hardly ever has.
	markdownMark = text.Expression(`(?m)^#{1,6} \S|^(?:[-*+] )?\*\*[^*\s][^*\n]*\*\*|\]\((?:https?://|mailto:)\S+\)`)

	// htmlStart is what browsers recognise as the beginning of a page, in lower case.
	htmlStart = text.Expression(`^<(?:!--|(?:!doctype html|html|head|body|title|style|script|meta|link|div|table|center|section|article|main|header|span|font|h[1-6]|ul|ol|p|a|b|br)[\s>/])`)

	utf8BOM = []byte("\xef\xbb\xbf")
)

// isText reports whether content is text: UTF-8, UTF-16, or in any encoding that contains ASCII, which package office
// detects, without control characters other than white space. It copies nothing: an upload may be 9 MB, and up to three
// times as much in another encoding.
func isText(content []byte) bool {
	if order, start := findUTF16(content); order != nil {
		for unit := range utf16Units(content[start:], order) {
			if isBinary(rune(unit)) {
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

// What is said of files that are no resume.
const (
	office      = "this is a legacy Word or other Office file; save it as DOCX or PDF and send that"
	picture     = "this is a picture; send the resume with its text, as PDF or DOCX"
	otherBinary = "not a document; " + AcceptedAdvice
)

// magics are the first bytes of the images, archives, programs, recordings and Office files that people attach by
// mistake. Any other is Undecidable: it is accepted, and fails when it is read.
var magics = []struct {
	message string
	at      int
	bytes   string
}{
	{office, 0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"}, {office, 0, "\xdb\xa5\x2d\x00"}, {office, 0, "\xffWPC"},
	{picture, 0, "\x89PNG\r\n\x1a\n"}, {picture, 0, "\xff\xd8\xff"}, {picture, 0, "GIF87a"}, {picture, 0, "GIF89a"}, {picture, 0, "BM"},
	{picture, 0, "II*\x00"}, {picture, 0, "MM\x00*"}, {picture, 8, "WEBP"}, {picture, 0, "8BPS"}, {picture, 0, "\x00\x00\x01\x00"},
	{picture, 4, "ftypheic"}, {picture, 4, "ftypheix"}, {picture, 4, "ftypmif1"}, {picture, 4, "ftypavif"},
	{picture, 0, "\x00\x00\x00\x0cjP  "},
	{otherBinary, 0, "\x1f\x8b"}, {otherBinary, 0, "BZh"}, {otherBinary, 0, "\xfd7zXZ\x00"},
	{otherBinary, 0, "7z\xbc\xaf\x27\x1c"}, {otherBinary, 0, "Rar!\x1a\x07"},
	{otherBinary, 0, "\x28\xb5\x2f\xfd"}, {otherBinary, 257, "ustar"}, {otherBinary, 0, "!<arch>\n"}, {otherBinary, 0, "MSCF"},
	{otherBinary, 0, "MZ"}, {otherBinary, 0, "\x7fELF"}, {otherBinary, 0, "\xcf\xfa\xed\xfe"}, {otherBinary, 0, "\xca\xfe\xba\xbe"},
	{otherBinary, 0, "\x00asm"}, {otherBinary, 0, "dex\n"}, {otherBinary, 0, "ID3"}, {otherBinary, 0, "\xff\xfb"}, {otherBinary, 0, "OggS"},
	{otherBinary, 0, "fLaC"}, {otherBinary, 0, "\x1aE\xdf\xa3"}, {otherBinary, 8, "WAVE"}, {otherBinary, 8, "AVI "},
	{otherBinary, 4, "ftyp"}, {otherBinary, 4, "moov"}, {otherBinary, 0, "SQLite format 3\x00"},
	{otherBinary, 0, "wOFF"}, {otherBinary, 0, "wOF2"}, {otherBinary, 0, "OTTO"},
}

func matchMagic(content []byte) string {
	for _, m := range magics {
		if len(content) >= m.at && bytes.HasPrefix(content[m.at:], []byte(m.bytes)) {
			return m.message
		}
	}
	return ""
}

// IsZip reports whether content begins like a zip container, as DOCX and ODT do.
func IsZip(content []byte) bool {
	return bytes.HasPrefix(content, []byte("PK\x03\x04")) || bytes.HasPrefix(content, []byte("PK\x05\x06"))
}

// PartName returns the name of a container's entry with slashes and without a leading one; some writers use backslashes or a leading slash.
func PartName(name string) string {
	return strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/")
}

// sniffZip returns the type of a zip container by its entries: all current Office formats are zip files.
func sniffZip(content []byte) (Type, error) {
	r, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return Undecidable, nil // broken: it is accepted, and fails when it is read
	}
	if string(readEntry(r, "mimetype")) == ODT.ContentType() {
		return ODT, nil
	}
	if bytes.Contains(readEntry(r, "[Content_Types].xml"), []byte("wordprocessingml.")) {
		return DOCX, nil
	}
	return "", &Refusal{Message: "this is an archive or another kind of Office file; send the one resume in it as PDF or DOCX"}
}

// readEntry returns the first maxEntry bytes of an entry, or nil if it is missing or broken.
func readEntry(r *zip.Reader, name string) []byte {
	i := slices.IndexFunc(r.File, func(f *zip.File) bool { return PartName(f.Name) == name })
	if i < 0 {
		return nil
	}
	entry, err := r.File[i].Open()
	if err != nil {
		return nil
	}
	defer entry.Close()
	content, err := io.ReadAll(io.LimitReader(entry, maxEntry))
	if err != nil {
		return nil
	}
	return content
}

// DecodeUnicode decodes UTF-8, and UTF-16 with a byte order mark or without. ok is false for
// anything else, and for half a unit at the end.
func DecodeUnicode(content []byte) (text string, ok bool) {
	if order, start := findUTF16(content); order != nil {
		units := slices.AppendSeq(make([]uint16, 0, len(content)/2), utf16Units(content[start:], order))
		return string(utf16.Decode(units)), len(content)%2 == 0
	}
	if utf8.Valid(content) {
		return string(bytes.TrimPrefix(content, utf8BOM)), true
	}
	return "", false
}

// findUTF16 returns the byte order of UTF-16, or nil, and where the text begins. Without a mark, text has
// bytes of zero, which no other encoding has: the high bytes of spaces, digits and line breaks.
func findUTF16(content []byte) (order binary.ByteOrder, start int) {
	switch {
	case bytes.HasPrefix(content, []byte("\xff\xfe")):
		return binary.LittleEndian, 2
	case bytes.HasPrefix(content, []byte("\xfe\xff")):
		return binary.BigEndian, 2
	case len(content)%2 != 0 || bytes.IndexByte(content[:min(len(content), unmarkedPart)], 0) < 0:
		return nil, 0
	}
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		if looksLikeUTF16(content[:min(len(content), unmarkedPart)], order) {
			return order, 0
		}
	}
	return nil, 0
}

// looksLikeUTF16 reports whether content has characters of text alone, and spaces among them.
func looksLikeUTF16(content []byte, order binary.ByteOrder) bool {
	units := 0
	spaces := 0
	for r := range utf16Units(content, order) {
		units++
		switch {
		case isBinary(rune(r)), r == 0xfffe, r == 0xffff, r >= 0xe000 && r < 0xf900:
			return false
		case r == ' ', r == '\n', r == '\r', r >= '0' && r <= '9':
			spaces++
		}
	}
	return units > 0 && spaces*spaceShare >= units
}

// utf16Units yields the units of UTF-16: surrogates stay separate.
func utf16Units(content []byte, order binary.ByteOrder) iter.Seq[uint16] {
	return func(yield func(uint16) bool) {
		for unit := range slices.Chunk(content[:len(content)/2*2], 2) {
			if !yield(order.Uint16(unit)) {
				return
			}
		}
	}
}
