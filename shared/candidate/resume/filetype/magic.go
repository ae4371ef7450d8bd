package filetype

import (
	"bytes"
	"unicode/utf8"
)

// binaryKind is the kind of a file that is not a resume.
type binaryKind int

const (
	unknown binaryKind = iota
	picture
	office // a legacy Office file
	otherBinary
)

// magics are the first bytes of the images, archives, programs, recordings and Office
// files that people attach by mistake. Any other is Undecidable: it is accepted, and
// fails when it is read.
var magics = []struct {
	kind  binaryKind
	at    int
	bytes string
}{
	{office, 0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"}, {office, 0, "\xdb\xa5\x2d\x00"}, {office, 0, "\xffWPC"},
	{picture, 0, "\x89PNG\r\n\x1a\n"}, {picture, 0, "\xff\xd8\xff"}, {picture, 0, "GIF87a"}, {picture, 0, "GIF89a"}, {picture, 0, "BM"},
	{picture, 0, "II*\x00"}, {picture, 0, "MM\x00*"}, {picture, 8, "WEBP"}, {picture, 0, "8BPS"}, {picture, 0, "\x00\x00\x01\x00"},
	{picture, 4, "ftypheic"}, {picture, 4, "ftypheix"}, {picture, 4, "ftypmif1"}, {picture, 4, "ftypavif"}, {picture, 0, "\x00\x00\x00\x0cjP  "},
	{otherBinary, 0, "\x1f\x8b"}, {otherBinary, 0, "BZh"}, {otherBinary, 0, "\xfd7zXZ\x00"}, {otherBinary, 0, "7z\xbc\xaf\x27\x1c"}, {otherBinary, 0, "Rar!\x1a\x07"},
	{otherBinary, 0, "\x28\xb5\x2f\xfd"}, {otherBinary, 257, "ustar"}, {otherBinary, 0, "!<arch>\n"}, {otherBinary, 0, "MSCF"},
	{otherBinary, 0, "MZ"}, {otherBinary, 0, "\x7fELF"}, {otherBinary, 0, "\xcf\xfa\xed\xfe"}, {otherBinary, 0, "\xca\xfe\xba\xbe"},
	{otherBinary, 0, "\x00asm"}, {otherBinary, 0, "dex\n"}, {otherBinary, 0, "ID3"}, {otherBinary, 0, "\xff\xfb"}, {otherBinary, 0, "OggS"},
	{otherBinary, 0, "fLaC"}, {otherBinary, 0, "\x1aE\xdf\xa3"}, {otherBinary, 8, "WAVE"}, {otherBinary, 8, "AVI "},
	{otherBinary, 4, "ftyp"}, {otherBinary, 4, "moov"}, {otherBinary, 0, "SQLite format 3\x00"}, {otherBinary, 0, "wOFF"}, {otherBinary, 0, "wOF2"}, {otherBinary, 0, "OTTO"},
}

// matchMagic returns the kind of the first entry of magics that content matches.
func matchMagic(content []byte) binaryKind {
	for _, m := range magics {
		if len(content) >= m.at && bytes.HasPrefix(content[m.at:], []byte(m.bytes)) {
			return m.kind
		}
	}
	return unknown
}

// matchMagicOfText is matchMagic for a file that isText, in which first bytes that are letters mean nothing: the kinds that begin with
// letters have control characters soon after them.
func matchMagicOfText(content []byte) binaryKind {
	if kind := matchMagic(content); kind != unknown && content[0] >= utf8.RuneSelf {
		return kind
	}
	return unknown
}
