package resume

import (
	"slices"
	"strings"
	"unicode"
)

const (
	maxObjects    = 20000 // of a page that are looked at for its spaces
	maxPieces     = 8     // objects between two characters that stand beside each other
	noGap         = 0.03  // of the size of the letters: no space is as narrow, beside a slanted f
	widestSpacing = 0.55  // of the size of the letters: between letters that are set apart
	evenGap       = 0.09  // of the size of the letters: by how much such gaps differ
	evenInk       = 0.25  // the same where pdfium knows the ink of a letter only, not the room that it takes
	evenSigns     = 0.16  // the same in scripts of India, whose signs reach over
	lowestBox     = 0.8   // of the size of the letters: a lower box is that of the ink
)

// madeSpaces decides on the spaces that pdfium makes up where it sees a gap. It sees one behind a
// syllable that several glyphs draw, of which it knows the first, and between letters that are set
// apart. Spaces that the file draws are certain, also those that pdfium leaves out because they
// are objects of their own. What pdfium cannot tell of a gap leaves the space as it is.
type madeSpaces struct {
	page    *pdfPage
	objects map[uint64]int // the page's objects by their handles, nil for too many
	spaces  map[int]bool   // the gaps of the text, by whether the file draws a space there
	last    int            // the index of the last one within a word
	lastGap float64
}

// dropMadeSpaces removes from the text the spaces that are none.
func (p *pdfPage) dropMadeSpaces() {
	m := madeSpaces{page: p, spaces: make(map[int]bool)}
	var made []int
	for i := 1; i < len(p.text)-1; i++ {
		if p.text[i] == ' ' && !isBlank(p.text[i-1]) && !isBlank(p.text[i+1]) && p.isGenerated(i) {
			made = append(made, i)
		}
	}
	if len(made) == 0 {
		return
	}
	m.readObjects()
	for _, i := range made {
		if drawn, ok := m.isDrawn(i); ok {
			m.spaces[i] = drawn
		}
	}
	dropped := make(map[int]bool)
	for _, i := range made {
		if drawn, ok := m.spaces[i]; ok && !drawn && m.isNone(i) {
			dropped[i] = true
		}
	}
	p.dropCharacters(dropped)
}

// dropCharacters removes characters from the text and keeps the places of the others.
func (p *pdfPage) dropCharacters(dropped map[int]bool) {
	if len(dropped) == 0 {
		return
	}
	text, places := p.text[:0:0], make([]int, 0, len(p.text))
	for i, r := range p.text {
		if !dropped[i] {
			text, places = append(text, r), append(places, i)
		}
	}
	p.text, p.places = text, places
}

func (p *pdfPage) isGenerated(at int) bool {
	index, err := p.charIndex(at)
	if err != nil {
		return false
	}
	generated, err := p.pdf.call("FPDFText_IsGenerated", p.handle, uint64(index))
	return err == nil && int32(generated) == 1
}

func (m *madeSpaces) readObjects() {
	count, err := m.page.pdf.call("FPDFPage_CountObjects", m.page.page)
	if err != nil || int32(count) <= 0 || int32(count) > maxObjects {
		return
	}
	m.objects = make(map[uint64]int, int32(count))
	for i := range int(int32(count)) {
		object, err := m.page.pdf.call("FPDFPage_GetObject", m.page.page, uint64(i))
		if err != nil {
			return
		}
		m.objects[object] = i
	}
}

// isDrawn reports whether the file draws a space in a gap; ok is false if it is not known because
// the letters beside it are not drawn one after the other.
func (m *madeSpaces) isDrawn(at int) (drawn, ok bool) {
	from, to, ok := m.findObjects(at-1, at+1)
	if !ok {
		return false, false
	}
	for i := from + 1; i < to; i++ {
		if b, err := m.objectBox(i); err != nil || b.right-b.left < 0.01 {
			return true, err == nil
		}
	}
	return false, true
}

// findObjects returns the indexes of the objects that draw two characters.
func (m *madeSpaces) findObjects(a, b int) (from, to int, ok bool) {
	from, ok = m.findObject(a)
	if !ok {
		return 0, 0, false
	}
	to, ok = m.findObject(b)
	return from, to, ok && to >= from && to-from <= maxPieces
}

func (m *madeSpaces) findObject(at int) (int, bool) {
	index, err := m.page.charIndex(at)
	if err != nil {
		return 0, false
	}
	object, err := m.page.pdf.call("FPDFText_GetTextObject", m.page.handle, uint64(index))
	i, ok := m.objects[object]
	return i, ok && err == nil
}

func (m *madeSpaces) objectBox(index int) (box, error) {
	object, err := m.page.pdf.call("FPDFPage_GetObject", m.page.page, uint64(index))
	if err != nil {
		return box{}, err
	}
	return m.page.pdf.objectBounds(object)
}

// isNone reports whether the gap at a made-up space in which the file draws nothing is within a word:
// it is narrow, or as wide as the gaps beside it.
func (m *madeSpaces) isNone(at int) bool {
	left, right := m.page.text[at-1], m.page.text[at+1]
	size := m.letterSize(at - 1)
	gap, ok := m.gapBetween(at-1, at+1)
	switch {
	case !ok || size == 0 || gap > widestSpacing*size || gap < -widestSpacing*size:
		return false
	case gap <= noGap*size || unicode.IsMark(right):
		return true
	case !isInWord(left) || !isInWord(right):
		return false
	}
	tolerance := m.tolerance(at, size)
	isEven := tolerance == evenInk*size || isWithoutSpaces(left) && isWithoutSpaces(right) ||
		m.last > 0 && gap < m.lastGap+tolerance && !slices.ContainsFunc(m.page.text[m.last:at], isLineBreak)
	for _, beside := range m.gapsBeside(at) {
		if beside < gap-tolerance {
			return false
		}
		isEven = isEven || beside < gap+2*tolerance
	}
	if isEven {
		m.last, m.lastGap = at, gap
	}
	return isEven
}

// tolerance returns by how much the gaps between letters that are set apart differ.
func (m *madeSpaces) tolerance(at int, size float64) float64 {
	left, errLeft := m.page.charBox(at - 1)
	right, errRight := m.page.charBox(at + 1)
	if errLeft == nil && errRight == nil && min(left.height(), right.height()) < lowestBox*size {
		return evenInk * size
	}
	if isIndic(m.page.text[at-1]) || isIndic(m.page.text[at+1]) {
		return evenSigns * size
	}
	return evenGap * size
}

// gapsBeside returns the gaps before the syllable on the left of a gap and behind the one on its
// right, which are within words or may be.
func (m *madeSpaces) gapsBeside(at int) []float64 {
	var gaps []float64
	start, end := m.syllableStart(at-1), m.syllableEnd(at+1)
	if before, ok := m.letterBeside(start, -1); ok {
		if gap, ok := m.gapBetween(before, start); ok {
			gaps = append(gaps, gap)
		}
	}
	if behind, ok := m.letterBeside(end, 1); ok {
		if gap, ok := m.gapBetween(end, behind); ok {
			gaps = append(gaps, gap)
		}
	}
	return gaps
}

// letterBeside returns the index of the letter before or behind at, from which no drawn space parts it.
func (m *madeSpaces) letterBeside(at, step int) (int, bool) {
	text, next := m.page.text, at+step
	if next >= 0 && next < len(text) && text[next] == ' ' {
		if drawn, ok := m.spaces[next]; !ok || drawn {
			return 0, false
		}
		next += step
	}
	return next, next >= 0 && next < len(text) && isInWord(text[next])
}

// syllableStart returns the index of the first character of the syllable that ends at a character.
func (m *madeSpaces) syllableStart(at int) int {
	for at > 0 && !isBlank(m.page.text[at-1]) && isOneSyllable(m.page.text[at-1], m.page.text[at]) {
		at--
	}
	return at
}

// syllableEnd returns the index of the last character of the syllable that begins at a character.
func (m *madeSpaces) syllableEnd(at int) int {
	for at+1 < len(m.page.text) && !isBlank(m.page.text[at+1]) && isOneSyllable(m.page.text[at], m.page.text[at+1]) {
		at++
	}
	return at
}

// isOneSyllable reports whether two characters that are not parted belong to one syllable.
func isOneSyllable(a, b rune) bool { return unicode.IsMark(b) || isVirama(a) || isUnmapped(a) }

// isVirama reports whether r joins the consonants beside it to one syllable in a script of India.
func isVirama(r rune) bool { return isIndic(r) && r&0x7f == 0x4d }

func isIndic(r rune) bool { return r >= 0x900 && r < 0xd80 }

// gapBetween returns the gap between two characters of a line.
func (m *madeSpaces) gapBetween(a, b int) (float64, bool) {
	left, err := m.page.charBox(a)
	if err != nil {
		return 0, false
	}
	right, err := m.page.charBox(b)
	if shared := min(left.top, right.top) - max(left.bottom, right.bottom); err != nil || shared < min(left.height(), right.height())/2 {
		return 0, false // of two lines
	}
	for i := m.syllableStart(a); i < a; i++ {
		if other, err := m.page.charBox(i); err == nil {
			left = left.union(other)
		}
	}
	if from, to, ok := m.findObjects(a, b); ok {
		for i := from + 1; i < to; i++ {
			if piece, err := m.objectBox(i); err == nil && piece.isValid() {
				left = left.union(piece)
			}
		}
	}
	return max(right.left-left.right, left.left-right.right), true
}

// letterSize returns the size of a letter on the page, 0 if it is not known.
func (m *madeSpaces) letterSize(at int) float64 {
	index, err := m.page.charIndex(at)
	if err != nil {
		return 0
	}
	size, err := m.page.pdf.scaledFontSize(m.page.handle, index)
	if err != nil {
		return 0
	}
	return size
}

// isWithoutSpaces reports whether r is of a script that writes no spaces between words.
func isWithoutSpaces(r rune) bool {
	return r > 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// isInWord reports whether r can stand within a word whose letters are set apart.
func isInWord(r rune) bool {
	return isUnmapped(r) || unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || strings.ContainsRune("-‐'’.,&/@", r)
}
