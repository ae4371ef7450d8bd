package pdf

import (
	"encoding/binary"
	"math"
	"strings"
	"unicode/utf16"

	"github.com/tetratelabs/wazero/api"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/page"
)

// readText returns the first characters of a text.
func (s *sandbox) readText(text uint64, count int) []rune {
	buffer := s.allocate(2 * (count + 1)) // UTF-16, and a zero
	written := s.call("FPDFText_GetText", text, 0, uint64(count), buffer)
	runes := decodeUTF16(s.read(buffer, 2*min(int(int32(written)), count+1)))
	s.call("free", buffer)
	return runes
}

// decodeUTF16 decodes little-endian text that may end with a zero.
func decodeUTF16(content []byte) []rune {
	units := make([]uint16, len(content)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(content[2*i:])
	}
	if n := len(units); n > 0 && units[n-1] == 0 {
		units = units[:n-1]
	}
	return utf16.Decode(units)
}

// characterBox returns the box of a character: as high as its font and as wide as its glyph.
func (s *sandbox) characterBox(text, index uint64) (page.Box, bool) {
	sides, ok := s.callForNumbers("FPDFText_GetLooseCharBox", text, index, s.scratch)
	return page.Box{Left: sides[0], Top: sides[1], Right: sides[2], Bottom: sides[3]}, ok
}

// objectBounds returns the box that an object draws in, which is empty for a space.
func (s *sandbox) objectBounds(object uint64) (page.Box, bool) {
	sides, ok := s.callForNumbers("FPDFPageObj_GetBounds", object, s.scratch, s.scratch+4, s.scratch+8, s.scratch+12)
	return page.Box{Left: sides[0], Bottom: sides[1], Right: sides[2], Top: sides[3]}, ok
}

// callForNumbers calls a function of pdfium that writes up to six 32-bit numbers to the scratch memory, unless it has none.
func (s *sandbox) callForNumbers(name string, arguments ...uint64) (numbers [6]float64, ok bool) {
	if uint32(s.call(name, arguments...)) == 0 {
		return numbers, false
	}
	content := s.read(s.scratch, 4*len(numbers))
	for i := range numbers {
		numbers[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(content[4*i:])))
	}
	return numbers, true
}

func (s *sandbox) fontSize(text, index uint64) float64 {
	return api.DecodeF64(s.call("FPDFText_GetFontSize", text, index))
}

// scaledFontSize returns the font size of a character in points of the page, 0 if it is not known.
func (s *sandbox) scaledFontSize(text, index uint64) float64 {
	matrix, _ := s.callForNumbers("FPDFText_GetMatrix", text, index, s.scratch)
	return s.fontSize(text, index) * math.Hypot(matrix[2], matrix[3])
}

// fontName returns the name of a character's font without the tag of a subset, or "" if it has none or
// a very long one.
func (s *sandbox) fontName(text, index uint64) string {
	length := uint32(s.call("FPDFText_GetFontInfo", text, index, s.scratch, scratchSize, 0))
	if length == 0 || length > scratchSize {
		return ""
	}
	name := string(s.read(s.scratch, int(length)-1))
	return name[strings.IndexByte(name, '+')+1:]
}
