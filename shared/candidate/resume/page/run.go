package page

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/rejoin"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

const (
	// NoGap is the width, of the size of the letters, that every space exceeds, also behind a slanted f.
	NoGap = 0.03

	usualSpace = 0.4 // of the text's height: the gap between words that are not drawn one after the other
	widerSpace = 1.1 // of the page's usual space
	minSpaces  = 10  // of a page that show which width is usual
	bandHeight = 4.0 // points; words are looked up by the band of the page in which their middle is
	maxBands   = 12  // looked through for one word, which bounds the height of joined words
	markGap    = 3.0 // of the text's height: between the mark of a list item and its words
)

// run is a row of words without a gap, from the left.
type run struct {
	words  []Span
	length int // bytes of the words
}

// JoinWords joins words to spans by where they are: the order in which a file draws its words is often another one. A gap
// that is wider than a usual space parts them too if what follows begins where other spans begin.
func JoinWords(terms []Span) []Span {
	terms = slices.Clone(terms)
	fromRight := slices.ContainsFunc(terms, func(w Span) bool { return words.IsRightToLeft(w.Text) })
	for i := range terms {
		terms[i].turn = i
		terms[i].turned = fromRight
	}
	var spaces []float64 // between words drawn one after the other; in letters of one width as wide as a letter
	for i := 1; i < len(terms); i++ {
		a := terms[i-1]
		b := terms[i]
		space := (b.Left - a.Right) / max(a.Height(), b.Height())
		if space > 0 && space < wideGap && isSameLine(a, b) {
			spaces = append(spaces, space)
		}
	}
	gaps := spacing{wide: wideSpace}
	if len(spaces) >= minSpaces {
		gaps.wide = max(wideSpace, widerSpace*median(spaces))
	}
	slices.SortStableFunc(terms, func(a, b Span) int { return cmp.Compare(a.Left, b.Left) })
	starts := make(map[float64]int)
	for _, r := range groupRuns(terms, gaps) {
		starts[math.Round(r.words[0].Left)]++
	}
	gaps.starts = starts
	runs := groupRuns(terms, gaps)
	spans := make([]Span, len(runs))
	usual := medianSize(terms)
	for i, r := range runs {
		s := r.words[0]
		s.body = s.Left
		if len(r.words) > 1 {
			s.body = r.words[1].Left
		}
		for _, w := range r.words[1:] {
			s.Box = s.Union(w.Box)
			s.Size = max(s.Size, w.Size)
		}
		s.Text = r.joinText(false, usual)
		s.lastFont = r.last().Font
		spans[i] = s
	}
	if fromRight && isAlignedLeft(spans) {
		for i, r := range runs {
			spans[i].Text = r.joinText(true, usual)
		}
	}
	return spans
}

// spacing distinguishes the gaps between words from those between columns.
type spacing struct {
	wide   float64         // of the text's height: wider than the page's spaces
	starts map[float64]int // how many runs begin at a position; nil before they are known
}

func groupRuns(words []Span, gaps spacing) []*run {
	var runs []*run
	bands := make(map[int][]*run) // the runs by their last words
	for _, w := range words {
		r := findRun(bands, w, gaps)
		switch {
		case r != nil:
			r.words = append(r.words, w)
			r.length = r.length + len(w.Text)
		case len(runs) == MaxSpans:
			return runs
		default:
			r = &run{[]Span{w}, len(w.Text)}
			runs = append(runs, r)
		}
		band := bandOf(w.Middle())
		bands[band] = append(bands[band], r)
	}
	return runs
}

func bandOf(y float64) int { return int(math.Floor(y / bandHeight)) }

func findRun(bands map[int][]*run, w Span, gaps spacing) *run {
	var best *run
	reach := min(0.7*w.Height(), bandHeight*maxBands/2) // words of another size may be higher
	for band := bandOf(w.Middle() - reach); band <= bandOf(w.Middle()+reach); band++ {
		runs := bands[band]
		for _, r := range slices.Backward(runs[max(0, len(runs)-maxDrift):]) {
			if r.isContinued(w, gaps) && (best == nil || r.isCloser(w, best)) {
				best = r
			}
		}
	}
	return best
}

// isCloser reports whether w continues r rather than another run: it is drawn behind its last word, or its gap is smaller.
func (r *run) isCloser(w Span, other *run) bool {
	return isNext(r.last(), w) || !isNext(other.last(), w) && r.last().Right > other.last().Right
}

// isNext reports whether two words that are beside each other are drawn one after the other, the
// right one first on a page with words that are read from the right.
func isNext(a, b Span) bool {
	return b.turn == a.turn+1 || b.turn == a.turn-1 && a.turned
}

func (r *run) last() Span { return r.words[len(r.words)-1] }

func (r *run) isContinued(w Span, gaps spacing) bool {
	last := r.last()
	gap := w.Left - last.Right
	height := max(last.Height(), w.Height())
	switch {
	case r.length > rejoin.MaxText || !isSameLine(last, w) || gap < -0.3*height:
		return false
	case isTimelineMark(w.Text) || last.turned && isTimelineMark(last.Text):
		return false
	case len(r.words) == 1 && facts.IsBullet(last.Text+" ") && len(last.Text) <= len("•"):
		mayFollow := isNext(last, w) || !strings.ContainsAny(last.Text, "-–—") // a dash is drawn right before its words
		return mayFollow && gap < markGap*height && !words.IsLoneMark(w.Text)
	case gaps.starts == nil:
		return gap <= gaps.wide*height && isNext(last, w)
	}
	begins := gaps.starts[math.Round(w.Left)] >= minColumn && !words.IsRightToLeft(w.Text)
	if isNext(last, w) {
		isSpace := gap > 0.1*height && gap <= gaps.wide*height
		return gap < wideGap*height && (isSpace || !begins)
	}
	return gap < usualSpace*height && gap > -0.1*height && !begins
}

// findFontChange returns the index of the word with which a line of two fonts changes from one fact
// to another: "Acme Ltd," in bold and "Engineer" in italic letters. It is 0 if there is none: in list
// items and after a colon a font emphasises only, and in large letters without a comma it is within a name.
func (r *run) findFontChange(usualSize float64) int {
	change := 0
	for i := 1; i < len(r.words); i++ {
		if r.words[i].Font != r.words[i-1].Font {
			if change > 0 || words.IsRightToLeft(r.words[0].Text+r.words[i].Text) {
				return 0
			}
			change = i
		}
	}
	if change == 0 || facts.IsBullet(r.words[0].Text+" ") {
		return 0
	}
	if r.words[0].Size > headline*usualSize && !strings.HasSuffix(r.words[change-1].Text, ",") {
		return 0
	}
	last, _ := utf8.DecodeLastRuneInString(r.words[change-1].Text)
	first := words.FirstRune(r.words[change].Text)
	endsFact := unicode.IsLetter(last) || unicode.IsDigit(last) || strings.ContainsRune(".),", last)
	beginsFact := unicode.IsUpper(first) || last == ','
	if endsFact && beginsFact {
		return change
	}
	return 0
}

// joinText returns the words of a run as they are read, on a page with lines that begin at the left or at the right.
func (r *run) joinText(fromLeft bool, usualSize float64) string {
	var text strings.Builder
	change := r.findFontChange(usualSize)
	for i, w := range orderRun(r.words, fromLeft) {
		switch {
		case i > 0 && i == change:
			text.WriteByte('\t')
		case i > 0 && !w.joined:
			text.WriteByte(' ')
		}
		text.WriteString(w.text)
	}
	if out := text.String(); words.IsRightToLeft(out) && turnedBrackets().MatchString(out) {
		return turnBrackets.Replace(out)
	}
	return text.String()
}

var (
	// turnedBrackets matches a closing bracket before the first opening one. One alone may belong to another line.
	turnedBrackets = words.Expression(`^[^(]*\)[^(]*\(`)
	// turnBrackets turns brackets that a file shows turned and names as they are shown.
	turnBrackets = strings.NewReplacer("(", ")", ")", "(")
)

type runWord struct {
	text   string
	joined bool // to the word before
}

// orderRun returns the words of a run in the order in which they are read. In Arabic and Hebrew that
// is from the right, except for adjacent words of other scripts. Where lines begin at the left, only
// what is between Arabic words is read from the right.
func orderRun(terms []Span, fromLeft bool) []runWord {
	out := make([]runWord, len(terms))
	backwards := false
	letters := letterGap(terms)
	for i, w := range terms {
		out[i].text = w.Text
		backwards = backwards || words.IsRightToLeft(w.Text)
		if i == 0 {
			continue
		}
		gap := w.gapAfter(terms[i-1])
		touches := math.Abs(gap) < NoGap && !strings.ContainsFunc(w.Text, words.IsIndic) // whose signs reach over spaces
		isClose := gap < 0.1 && !isNext(terms[i-1], w)
		isLetterGap := letters > 0 && gap <= letters
		out[i].joined = touches || isClose || isLetterGap
	}
	if !backwards {
		return out
	}
	for i := range out {
		out[i].joined = false
		if text, ok := strings.CutSuffix(out[i].text, "+"); ok {
			out[i].text = "+" + text
		}
	}
	if fromLeft {
		reverseBetween(out, words.IsRightToLeft, words.HasLatin)
		return out
	}
	slices.Reverse(out)
	reverseBetween(out, words.HasLatin, words.IsRightToLeft)
	return out
}

// reverseBetween reverses the words from each one that ends accepts to the last such one before a word that stops accepts.
func reverseBetween(words []runWord, ends, stops func(string) bool) {
	for from := 0; from < len(words); from++ {
		to := from
		for i := from; i < len(words) && ends(words[from].text) && !stops(words[i].text); i++ {
			if ends(words[i].text) {
				to = i
			}
		}
		slices.Reverse(words[from : to+1])
		from = to
	}
}

// isAlignedLeft reports whether more pieces with Arabic or Hebrew words begin below each other at
// the left than at the right, as in templates that are made for other scripts.
func isAlignedLeft(spans []Span) bool {
	lefts := make(map[float64]int)
	rights := make(map[float64]int)
	left := 0
	right := 0
	for _, s := range spans {
		if words.IsRightToLeft(s.Text) {
			lefts[math.Round(s.Left)]++
			rights[math.Round(s.Right)]++
			left = max(left, lefts[math.Round(s.Left)])
			right = max(right, rights[math.Round(s.Right)])
		}
	}
	return left > right
}
