package filetype

import "bytes"

// kind is what a file is that is no resume.
type kind int

const (
	unknown kind = iota
	picture
	office // a legacy Office file
	foreign
)

// magics are the first bytes of the pictures, archives, programs, recordings and
// Office files that people attach by mistake. What is missing here is
// Undecidable: it is accepted, and fails when it is read.
var magics = []struct {
	kind  kind
	at    int
	bytes string
}{
	{office, 0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"}, {office, 0, "\xdb\xa5\x2d\x00"}, {office, 0, "\xffWPC"},
	{picture, 0, "\x89PNG\r\n\x1a\n"}, {picture, 0, "\xff\xd8\xff"}, {picture, 0, "GIF87a"}, {picture, 0, "GIF89a"}, {picture, 0, "BM"},
	{picture, 0, "II*\x00"}, {picture, 0, "MM\x00*"}, {picture, 8, "WEBP"}, {picture, 0, "8BPS"}, {picture, 0, "\x00\x00\x01\x00"},
	{picture, 4, "ftypheic"}, {picture, 4, "ftypheix"}, {picture, 4, "ftypmif1"}, {picture, 4, "ftypavif"}, {picture, 0, "\x00\x00\x00\x0cjP  "},
	{foreign, 0, "\x1f\x8b"}, {foreign, 0, "BZh"}, {foreign, 0, "\xfd7zXZ\x00"}, {foreign, 0, "7z\xbc\xaf\x27\x1c"}, {foreign, 0, "Rar!\x1a\x07"},
	{foreign, 0, "\x28\xb5\x2f\xfd"}, {foreign, 257, "ustar"}, {foreign, 0, "!<arch>\n"}, {foreign, 0, "MSCF"},
	{foreign, 0, "MZ"}, {foreign, 0, "\x7fELF"}, {foreign, 0, "\xcf\xfa\xed\xfe"}, {foreign, 0, "\xca\xfe\xba\xbe"}, {foreign, 0, "\x00asm"}, {foreign, 0, "dex\n"},
	{foreign, 0, "ID3"}, {foreign, 0, "\xff\xfb"}, {foreign, 0, "OggS"}, {foreign, 0, "fLaC"}, {foreign, 0, "\x1aE\xdf\xa3"}, {foreign, 8, "WAVE"}, {foreign, 8, "AVI "},
	{foreign, 4, "ftyp"}, {foreign, 4, "moov"}, {foreign, 0, "SQLite format 3\x00"}, {foreign, 0, "wOFF"}, {foreign, 0, "wOF2"}, {foreign, 0, "OTTO"},
}

// recognise returns the first kind whose bytes stand where they should.
func recognise(content []byte) kind {
	for _, m := range magics {
		if len(content) >= m.at && bytes.HasPrefix(content[m.at:], []byte(m.bytes)) {
			return m.kind
		}
	}
	return unknown
}
