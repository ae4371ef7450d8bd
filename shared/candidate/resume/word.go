package resume

import (
	"errors"
	"strings"

	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

const (
	maxPageWords = 6000  // whose positions are read; real pages have under two thousand
	maxWordsRead = 12000 // whose positions are read on all pages; of the rest only the text is
	maxLost      = 200   // words without a position, which broken fonts cause
	maxWord      = 500   // characters; a longer word is several
)

var errPlace = errors.New("a character stands nowhere")

// pdfPage is the text of one page.
type pdfPage struct {
	pdf       engine
	page      references.FPDF_TEXTPAGE
	text      []rune
	sameCount bool // text and page have the same number of characters
	lost      int  // words without a position
}

func (p *pdfPage) loadText() error {
	count, err := p.pdf.FPDFText_CountChars(&requests.FPDFText_CountChars{TextPage: p.page})
	if err != nil || count.Count <= 0 {
		return err
	}
	got, err := p.pdf.FPDFText_GetText(&requests.FPDFText_GetText{TextPage: p.page, Count: min(count.Count, maxText)})
	if err != nil {
		return err
	}
	p.text = []rune(got.Text)
	p.sameCount = len(p.text) == count.Count
	return nil
}

// rawLines returns the page's lines in pdfium's order, for documents with more words
// than are worth locating.
func (p *pdfPage) rawLines() []string {
	return strings.FieldsFunc(strings.ReplaceAll(string(p.text), "\ufffe", lineEndHyphen), isLineBreak)
}

// locateWords returns the page's words in the order of its text. pdfium separates the
// words; their positions show lines and columns.
func (p *pdfPage) locateWords() ([]span, error) {
	var words []span
	for at := 0; at < len(p.text) && len(words) < maxPageWords; {
		end := at
		for end < len(p.text) && end-at < maxWord && !isWordEnd(p.text, end) {
			end++
		}
		if end < len(p.text) && isLineEndHyphen(p.text[end]) {
			end++ // the mark stays with the word
		}
		if end > at {
			w, err := p.locateWord(at, end)
			switch {
			case err == nil:
				words = append(words, w)
			case p.lost == maxLost: // not broken fonts, but a dead sandbox
				return nil, err
			default:
				p.lost++
			}
		}
		for at = max(end, at+1); at < len(p.text) && isBlank(p.text[at]); at++ {
		}
	}
	return words, nil
}

func isWordEnd(text []rune, at int) bool { return isBlank(text[at]) || isLineEndHyphen(text[at]) }

func isBlank(r rune) bool { return r <= ' ' && r != 2 || r == 0xa0 }

// isLineEndHyphen reports whether r is one of pdfium's two marks for a hyphen at the end of a line.
func isLineEndHyphen(r rune) bool { return r == 2 || r == 0xfffe }

// locateWord returns the text [at, end) with its position.
func (p *pdfPage) locateWord(at, end int) (span, error) {
	text := strings.ReplaceAll(string(p.text[at:end]), "\ufffe", lineEndHyphen)
	first, err := p.charBox(at)
	if err != nil {
		return span{}, err
	}
	last, err := p.charBox(end - 1)
	if err != nil || last.middle() < first.middle()-first.height()/2 { // a hyphen mark has no position, or the next line's
		last = first
	}
	index, err := p.charIndex(at)
	if err != nil {
		return span{}, err
	}
	size, err := p.pdf.FPDFText_GetFontSize(&requests.FPDFText_GetFontSize{TextPage: p.page, Index: index})
	if err != nil {
		return span{}, err
	}
	return span{box: first.union(last), text: text, size: size.FontSize}, nil
}

// charIndex returns the page's index of a character of the text.
func (p *pdfPage) charIndex(at int) (int, error) {
	if p.sameCount {
		return at, nil
	}
	got, err := p.pdf.FPDFText_GetCharIndexFromTextIndex(&requests.FPDFText_GetCharIndexFromTextIndex{TextPage: p.page, NTextIndex: at})
	if err != nil {
		return 0, err
	}
	return got.CharIndex, nil
}

func (p *pdfPage) charBox(at int) (box, error) {
	index, err := p.charIndex(at)
	if err != nil {
		return box{}, err
	}
	got, err := p.pdf.FPDFText_GetLooseCharBox(&requests.FPDFText_GetLooseCharBox{TextPage: p.page, Index: index})
	if err != nil {
		return box{}, err
	}
	b := box{float64(got.Rect.Left), float64(got.Rect.Bottom), float64(got.Rect.Right), float64(got.Rect.Top)}
	if !b.isValid() {
		return box{}, errPlace
	}
	return b, nil
}
