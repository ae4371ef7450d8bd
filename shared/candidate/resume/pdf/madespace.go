package pdf

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/page"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

const (
	maxObjects = 20000 // of a page that are looked at for its spaces
	maxPieces  = 8     // objects between two adjacent characters
	minDrawn   = 5     // spaces of a page that show that it draws its spaces
	minGaps    = 6     // around a gap, on each side

	// All of the size of the letters.
	usualGap      = 0.2  // most spaces are wider
	widestSpacing = 0.55 // between letters that are set apart
	lowestBox     = 0.8  // a lower box is that of the ink

	// By how much the gaps between letters that are set apart differ, of the size of the letters.
	evenGap   = 0.04
	evenSigns = 0.16 // in scripts of India, with signs that reach over
	evenDrawn = 0.18 // where letters and spaces are objects, often on a grid of pixels
	evenInk   = 0.25 // where pdfium knows the ink of a letter only, not the room that it takes
)

// madeSpaces decides on the spaces that pdfium makes up where it sees a gap. It sees one after a
// syllable that several glyphs draw, of which it knows the first, and between letters that are set
// apart. Spaces that the file draws are certain, also those that pdfium leaves out because they
// are objects of their own. Where pdfium lacks data about a gap, the space stays.
type madeSpaces struct {
	page    *pdfPage
	objects map[uint64]int // the page's objects by their handles, nil for too many
	spaces  map[int]bool   // the gaps of the text, by whether the file draws a space there
	drawn   int            // how many spaces the file draws
	apart   int            // how many of them are objects of their own
}

// dropMadeSpaces removes from the text the spaces that are none.
func (p *pdfPage) dropMadeSpaces() {
	m := madeSpaces{page: p, spaces: make(map[int]bool)}
	var made []int
	for i := 1; i < len(p.text)-1; i++ {
		switch {
		case p.text[i] != ' ' || isBlank(p.text[i-1]) || isBlank(p.text[i+1]):
		case p.hasProperty("FPDFText_IsGenerated", i):
			made = append(made, i)
		default:
			m.drawn++
		}
	}
	if len(made) == 0 {
		return
	}
	if count := int(int32(p.pdf.call("FPDFPage_CountObjects", p.page))); count > 0 && count <= maxObjects {
		m.objects = make(map[uint64]int, count)
		for i := range count {
			m.objects[p.pdf.call("FPDFPage_GetObject", p.page, uint64(i))] = i
		}
	}
	for _, i := range made {
		drawn, ok := m.isDrawn(i)
		if ok {
			m.spaces[i] = drawn
		}
		if drawn && ok {
			m.drawn++
			m.apart++
		}
	}
	dropped := make(map[int]bool)
	for _, i := range made {
		if drawn, ok := m.spaces[i]; ok && !drawn && m.isNone(i) {
			dropped[i] = true
		}
	}
	text := p.text[:0:0]
	places := make([]int, 0, len(p.text))
	for i, r := range p.text {
		if !dropped[i] {
			text = append(text, r)
			places = append(places, i)
		}
	}
	p.text = text
	p.places = places
}

// isDrawn reports whether the file draws a space in a gap; ok is false if it is not known because
// the letters beside it are not drawn one after the other.
func (m *madeSpaces) isDrawn(at int) (drawn, ok bool) {
	from, to, ok := m.findObjects(at-1, at+1)
	if !ok {
		return false, false
	}
	for i := from + 1; i < to; i++ {
		if b, ok := m.objectBox(i); !ok || b.Right-b.Left < 0.01 {
			return true, ok
		}
	}
	return false, true
}

func (m *madeSpaces) findObjects(a, b int) (from, to int, ok bool) {
	from, ok = m.objects[m.page.pdf.call("FPDFText_GetTextObject", m.page.handle, m.page.charIndex(a))]
	if !ok {
		return 0, 0, false
	}
	to, ok = m.objects[m.page.pdf.call("FPDFText_GetTextObject", m.page.handle, m.page.charIndex(b))]
	return from, to, ok && to >= from && to-from <= maxPieces
}

// objectBox returns the box that an object draws in, which is empty for a space.
func (m *madeSpaces) objectBox(index int) (page.Box, bool) {
	pdf := m.page.pdf
	object := pdf.call("FPDFPage_GetObject", m.page.page, uint64(index))
	sides, ok := pdf.callForNumbers("FPDFPageObj_GetBounds", object, pdf.scratch, pdf.scratch+4, pdf.scratch+8, pdf.scratch+12)
	return page.Box{Left: sides[0], Bottom: sides[1], Right: sides[2], Top: sides[3]}, ok
}

// isNone reports whether the gap at a made-up space in which the file draws nothing is within a word: it is narrow,
// or as wide as most gaps around it, which then are between letters. Where a file draws no spaces, few gaps may be
// between words of a letter.
func (m *madeSpaces) isNone(at int) bool {
	left := m.page.text[at-1]
	right := m.page.text[at+1]
	size := m.letterSize(at - 1)
	gap, ok := m.gapBetween(at-1, at+1)
	switch {
	case !ok || size == 0:
		return false
	case gap > widestSpacing*size || gap < -widestSpacing*size:
		return false
	case gap <= page.NoGap*size || unicode.IsMark(right):
		return true
	case !isInWord(left) || !isInWord(right):
		return false
	}
	gaps := append(m.gapsBeside(at, -1), m.gapsBeside(at, 1)...)
	slices.Sort(gaps)
	isApart := m.isInk(at) || isWithoutSpaces(left) && isWithoutSpaces(right)
	switch n := len(gaps); {
	case n > 0 && gap > gaps[(n-1)/2]+m.tolerance(at, size):
		return false
	case isApart:
		return true
	case m.drawn < minDrawn && gap > usualGap*size:
		return n >= minGaps
	default:
		return n > 0
	}
}

func (m *madeSpaces) tolerance(at int, size float64) float64 {
	switch {
	case m.isInk(at):
		return evenInk * size
	case m.apart >= minDrawn && !m.isOneObject(at):
		return evenDrawn * size
	case words.IsIndic(m.page.text[at-1]) || words.IsIndic(m.page.text[at+1]):
		return evenSigns * size
	}
	return evenGap * size
}

// isInk reports whether pdfium knows of a letter beside a gap its ink only.
func (m *madeSpaces) isInk(at int) bool {
	left, hasLeft := m.page.charBox(at - 1)
	right, hasRight := m.page.charBox(at + 1)
	return hasLeft && hasRight && min(left.Height(), right.Height()) < lowestBox*m.letterSize(at-1)
}

func (m *madeSpaces) isOneObject(at int) bool {
	from, to, ok := m.findObjects(at-1, at+1)
	return ok && from == to
}

// gapsBeside returns the gaps on one side of a gap on its line but those in which the file draws a space. step is -1 for
// those before it, and 1 for those behind.
func (m *madeSpaces) gapsBeside(at, step int) (gaps []float64) {
	for edge := m.syllableEdge(at+step, step); len(gaps) < minGaps; {
		next := edge + step
		if m.hasCharacter(next) && m.page.text[next] == ' ' {
			next += step
		}
		if !m.hasCharacter(next) || !isInWord(m.page.text[next]) {
			break
		}
		drawn, isKnown := m.spaces[edge+step]
		isSpace := m.page.text[edge+step] == ' ' && (drawn || !isKnown) // that the file draws or may draw
		if gap, ok := m.gapBetween(min(edge, next), max(edge, next)); ok && !isSpace {
			gaps = append(gaps, gap)
		}
		edge = m.syllableEdge(next, step)
	}
	return gaps
}

func (m *madeSpaces) hasCharacter(at int) bool { return at >= 0 && at < len(m.page.text) }

// syllableEdge returns the index of the first (step -1) or the last (step 1) character of the syllable with a character.
func (m *madeSpaces) syllableEdge(at, step int) int {
	for next := at + step; m.hasCharacter(next) && !isBlank(m.page.text[next]); next += step {
		a := m.page.text[min(at, next)]
		b := m.page.text[max(at, next)]
		if isOneSyllable := unicode.IsMark(b) || words.IsVirama(a) || isUnmapped(a); !isOneSyllable {
			break
		}
		at = next
	}
	return at
}

func (m *madeSpaces) gapBetween(a, b int) (float64, bool) {
	left, hasLeft := m.page.charBox(a)
	right, hasRight := m.page.charBox(b)
	shared := min(left.Top, right.Top) - max(left.Bottom, right.Bottom)
	isKnown := hasLeft && hasRight
	if !isKnown || shared < min(left.Height(), right.Height())/2 {
		return 0, false // of two lines
	}
	for i := m.syllableEdge(a, -1); i < a; i++ {
		if other, ok := m.page.charBox(i); ok {
			left = left.Union(other)
		}
	}
	if from, to, ok := m.findObjects(a, b); ok {
		for i := from + 1; i < to; i++ {
			if piece, ok := m.objectBox(i); ok && piece.IsValid() {
				left = left.Union(piece)
			}
		}
	}
	return max(right.Left-left.Right, left.Left-right.Right), true
}

// letterSize returns the size of a letter in points of the page, 0 if it is not known.
func (m *madeSpaces) letterSize(at int) float64 {
	index := m.page.charIndex(at)
	matrix, _ := m.page.pdf.callForNumbers("FPDFText_GetMatrix", m.page.handle, index, m.page.pdf.scratch)
	return m.page.pdf.fontSize(m.page.handle, index) * math.Hypot(matrix[2], matrix[3])
}

func isWithoutSpaces(r rune) bool {
	return r > 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// isInWord reports whether r can be within a word with letters set apart.
func isInWord(r rune) bool {
	if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) {
		return true
	}
	return isUnmapped(r) || strings.ContainsRune("-‐'’.,&/@", r)
}
