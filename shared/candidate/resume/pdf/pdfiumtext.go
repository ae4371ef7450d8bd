package pdf

import (
	"encoding/binary"
	"math"
	"strings"
	"unicode/utf16"

	"github.com/tetratelabs/wazero/api"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/page"
)

func (s *sandbox) loadText(page uint64) (text uint64, err error) {
	text, err = s.call("FPDFText_LoadPage", page)
	if err == nil && text == 0 {
		err = errText
	}
	return text, err
}

func (s *sandbox) closeText(text uint64) error {
	_, err := s.call("FPDFText_ClosePage", text)
	return err
}

func (s *sandbox) countCharacters(text uint64) (int, error) {
	count, err := s.call("FPDFText_CountChars", text)
	if err == nil && int32(count) < 0 {
		err = errText
	}
	return int(int32(count)), err
}

// readText returns the first characters of a text.
func (s *sandbox) readText(text uint64, count int) ([]rune, error) {
	buffer, err := s.allocate(2 * (count + 1)) // UTF-16, and a zero
	if err != nil {
		return nil, err
	}
	written, err := s.call("FPDFText_GetText", text, 0, uint64(count), buffer)
	if err != nil {
		return nil, err
	}
	content, err := s.read(buffer, 2*min(int(int32(written)), count+1))
	if err != nil {
		return nil, err
	}
	runes := decodeUTF16(content)
	_, err = s.call("free", buffer)
	return runes, err
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

// characterIndex returns the index of a character on its page by its index in the text.
func (s *sandbox) characterIndex(text uint64, at int) (int, error) {
	index, err := s.call("FPDFText_GetCharIndexFromTextIndex", text, uint64(at))
	if err == nil && int32(index) == -1 {
		err = errText
	}
	return int(int32(index)), err
}

// characterBox returns the box of a character: as high as its font and as wide as its glyph.
func (s *sandbox) characterBox(text uint64, index int) (page.Box, error) {
	sides, err := s.callForNumbers(4, "FPDFText_GetLooseCharBox", text, uint64(uint32(index)), s.scratch)
	if err != nil {
		return page.Box{}, err
	}
	return page.Box{Left: sides[0], Top: sides[1], Right: sides[2], Bottom: sides[3]}, nil
}

// objectBounds returns the box that an object draws in, which is empty for a space.
func (s *sandbox) objectBounds(object uint64) (page.Box, error) {
	sides, err := s.callForNumbers(4, "FPDFPageObj_GetBounds", object, s.scratch, s.scratch+4, s.scratch+8, s.scratch+12)
	if err != nil {
		return page.Box{}, err
	}
	return page.Box{Left: sides[0], Bottom: sides[1], Right: sides[2], Top: sides[3]}, nil
}

// callForNumbers calls a function of pdfium that writes 32-bit numbers to the scratch memory, unless it has none.
func (s *sandbox) callForNumbers(count int, name string, arguments ...uint64) ([]float64, error) {
	found, err := s.call(name, arguments...)
	if err != nil {
		return nil, err
	}
	if uint32(found) == 0 {
		return nil, errText
	}
	content, err := s.read(s.scratch, 4*count)
	if err != nil {
		return nil, err
	}
	numbers := make([]float64, count)
	for i := range numbers {
		numbers[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(content[4*i:])))
	}
	return numbers, nil
}

func (s *sandbox) fontSize(text uint64, index int) (float64, error) {
	size, err := s.call("FPDFText_GetFontSize", text, uint64(uint32(index)))
	return api.DecodeF64(size), err
}

// scaledFontSize returns the font size of a character in points of the page.
func (s *sandbox) scaledFontSize(text uint64, index int) (float64, error) {
	size, err := s.fontSize(text, index)
	if err != nil {
		return 0, err
	}
	matrix, err := s.callForNumbers(6, "FPDFText_GetMatrix", text, uint64(uint32(index)), s.scratch)
	if err != nil {
		return 0, err
	}
	return size * math.Hypot(matrix[2], matrix[3]), nil
}

// fontName returns the name of a character's font without the tag of a subset, or "" if it has none or
// a very long one.
func (s *sandbox) fontName(text uint64, index int) (string, error) {
	length, err := s.call("FPDFText_GetFontInfo", text, uint64(uint32(index)), s.scratch, scratchSize, 0)
	if err != nil || uint32(length) == 0 || uint32(length) > scratchSize {
		return "", err
	}
	content, err := s.read(s.scratch, int(uint32(length))-1)
	name := string(content)
	return name[strings.IndexByte(name, '+')+1:], err
}
