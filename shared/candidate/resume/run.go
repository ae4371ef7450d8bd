package resume

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	usualSpace = 0.4 // of the text's height: the gap between words that are not drawn one after the other
	widerSpace = 1.1 // of the page's usual space
	minSpaces  = 10  // of a page that tell which one is usual
	bandHeight = 4.0 // points; words are looked up by the band of the page in which their middle is
	maxBands   = 12  // looked through for one word, which bounds the height of what is joined
	markGap    = 3.0 // of the text's height: between the mark of a list item and its words
)

// run is a row of words without a gap, from the left.
type run struct {
	words  []span
	length int // bytes of the words
}

// joinWords joins words to spans by where they are: the order in which a file draws its words is
// often another one. A gap that is wider than a usual space parts them too if what follows begins
// where other spans begin.
func joinWords(words []span) []span {
	words = slices.Clone(words)
	fromRight := slices.ContainsFunc(words, func(w span) bool { return isRightToLeft(w.text) })
	for i := range words {
		words[i].turn, words[i].turned = i, fromRight
	}
	gaps := spacing{wide: max(wideSpace, widerSpace*medianSpace(words)), fromRight: fromRight}
	slices.SortStableFunc(words, func(a, b span) int { return cmp.Compare(a.left, b.left) })
	starts := make(map[float64]int)
	for _, r := range groupRuns(words, gaps) {
		starts[math.Round(r.words[0].left)]++
	}
	gaps.starts = starts
	runs := groupRuns(words, gaps)
	spans := make([]span, len(runs))
	usual := medianSize(words)
	for i, r := range runs {
		spans[i] = r.newSpan(usual)
	}
	if fromRight && isAlignedLeft(spans) {
		for i, r := range runs {
			spans[i].text = r.joinText(true, usual)
		}
	}
	return spans
}

// spacing tells the gaps between words from those between columns.
type spacing struct {
	wide      float64         // of the text's height: wider than the page's spaces
	starts    map[float64]int // how many runs begin at a position; nil before they are known
	fromRight bool            // the page has words that are read from the right
}

// medianSpace returns the median gap between words that are drawn one after the other, of their
// height; 0 if there are few. In letters of one width it is the width of a letter.
func medianSpace(words []span) float64 {
	var gaps []float64
	for i := 1; i < len(words); i++ {
		a, b := words[i-1], words[i]
		if gap := (b.left - a.right) / max(a.height(), b.height()); gap > 0 && gap < wideGap && isSameLine(a, b) {
			gaps = append(gaps, gap)
		}
	}
	slices.Sort(gaps)
	if len(gaps) < minSpaces {
		return 0
	}
	return gaps[len(gaps)/2]
}

// groupRuns groups words that are sorted by their left ends.
func groupRuns(words []span, gaps spacing) []*run {
	var runs []*run
	bands := make(map[int][]*run) // the runs by their last words
	for _, w := range words {
		r := findRun(bands, w, gaps)
		switch {
		case r != nil:
			r.words, r.length = append(r.words, w), r.length+len(w.text)
		case len(runs) == maxSpans:
			return runs
		default:
			r = &run{[]span{w}, len(w.text)}
			runs = append(runs, r)
		}
		band := bandOf(w.middle())
		bands[band] = append(bands[band], r)
	}
	return runs
}

func bandOf(y float64) int { return int(math.Floor(y / bandHeight)) }

// findRun returns the run that w continues with the smallest gap, or nil.
func findRun(bands map[int][]*run, w span, gaps spacing) *run {
	var best *run
	reach := min(0.7*w.height(), bandHeight*maxBands/2) // words of another size may be higher
	for band := bandOf(w.middle() - reach); band <= bandOf(w.middle()+reach); band++ {
		runs := bands[band]
		for i := len(runs) - 1; i >= max(0, len(runs)-maxDrift); i-- {
			r := runs[i]
			if r.isContinued(w, gaps) && (best == nil || isNext(r.last(), w) || !isNext(best.last(), w) && r.last().right > best.last().right) {
				best = r
			}
		}
	}
	return best
}

// isNext reports whether two words that are beside each other are drawn one after the other, the
// right one first on a page with words that are read from the right.
func isNext(a, b span) bool {
	return b.turn == a.turn+1 || b.turn == a.turn-1 && a.turned
}

func (r *run) last() span { return r.words[len(r.words)-1] }

// isContinued reports whether w is the next word.
func (r *run) isContinued(w span, gaps spacing) bool {
	last := r.last()
	gap, height := w.left-last.right, max(last.height(), w.height())
	switch {
	case r.length > maxSpanText || !isSameLine(last, w) || gap < -0.3*height || isTimelineMark(w.text) || gaps.fromRight && isTimelineMark(last.text):
		return false
	case len(r.words) == 1 && isBullet(last.text+" ") && len(last.text) <= len("•"):
		return gap < markGap*height && !isLoneMark(w.text) && (isNext(last, w) || !strings.ContainsAny(last.text, "-–—"))
	case gaps.starts == nil:
		return gap <= gaps.wide*height && isNext(last, w)
	}
	begins := gaps.starts[math.Round(w.left)] >= minColumn && !isRightToLeft(w.text)
	if isNext(last, w) {
		return gap < wideGap*height && (!begins || gap <= gaps.wide*height && gap > 0.1*height)
	}
	return gap < usualSpace*height && gap > -0.1*height && !begins
}

// findFontChange returns the index of the word with which a line of two fonts changes from one fact
// to another: "Acme Ltd," in bold and "Engineer" in italic letters. It is 0 if there is none: in list
// items and after a colon a font emphasises only, and in large letters without a comma it is within a name.
func (r *run) findFontChange(usualSize float64) int {
	change := 0
	for i := 1; i < len(r.words); i++ {
		if r.words[i].font != r.words[i-1].font {
			if change > 0 || isRightToLeft(r.words[0].text+r.words[i].text) {
				return 0
			}
			change = i
		}
	}
	if change == 0 || isBullet(r.words[0].text+" ") {
		return 0
	}
	if r.words[0].size > headline*usualSize && !strings.HasSuffix(r.words[change-1].text, ",") {
		return 0
	}
	last, _ := utf8.DecodeLastRuneInString(r.words[change-1].text)
	first, _ := utf8.DecodeRuneInString(r.words[change].text)
	if !unicode.IsLetter(last) && !unicode.IsDigit(last) && !strings.ContainsRune(".),", last) || !unicode.IsUpper(first) && last != ',' {
		return 0
	}
	return change
}

// newSpan returns the run as one span. Words that touch are one word, drawn in pieces.
func (r *run) newSpan(usualSize float64) span {
	out := r.words[0]
	out.body = out.left
	if len(r.words) > 1 {
		out.body = r.words[1].left
	}
	for _, w := range r.words[1:] {
		out.box, out.size = out.union(w.box), max(out.size, w.size)
	}
	out.text, out.lastFont = r.joinText(false, usualSize), r.last().font
	return out
}

// joinText returns the words of a run as they are read, on a page whose lines begin at the left or
// at the right.
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
	if out := text.String(); strings.IndexByte(out, ')') < strings.IndexByte(out, '(') && isRightToLeft(out) {
		return turnBrackets.Replace(out)
	}
	return text.String()
}

// turnBrackets turns brackets that a file shows turned and names as they are shown.
var turnBrackets = strings.NewReplacer("(", ")", ")", "(")

// runWord is a word of a run, and whether it belongs to the one before.
type runWord struct {
	text   string
	joined bool
}

// orderRun returns the words of a run in the order in which they are read. In Arabic and Hebrew that
// is from the right, but for words of other scripts that stand beside each other. Where lines begin
// at the left, only what is between Arabic words is read from the right.
func orderRun(words []span, fromLeft bool) []runWord {
	out := make([]runWord, len(words))
	backwards, letters := false, letterGap(words)
	for i, w := range words {
		out[i] = runWord{w.text, i > 0 && w.isPiece(words[i-1], letters)}
		backwards = backwards || isRightToLeft(w.text)
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
		reverseBetween(out, isRightToLeft, hasLatin)
		return out
	}
	slices.Reverse(out)
	reverseBetween(out, hasLatin, isRightToLeft)
	return out
}

// isPiece reports whether a word goes on with the one on its left: it touches it, or the letters of
// the run stand so far apart. In scripts of India signs reach over spaces.
func (s span) isPiece(left span, letters float64) bool {
	gap := s.gapAfter(left)
	touches := math.Abs(gap) < noGap && !strings.ContainsFunc(s.text, isIndic)
	return touches || !isNext(left, s) && gap < 0.1 || gap <= letters && letters > 0
}

// reverseBetween reverses the words from each one that ends accepts to the last such one before a
// word that stops accepts.
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

func hasLatin(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Latin, r) })
}

// isRightToLeft reports whether text is Arabic or Hebrew, where the next word stands on the left.
func isRightToLeft(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.In(r, unicode.Arabic, unicode.Hebrew) })
}

// isAlignedLeft reports whether more pieces with Arabic or Hebrew words begin below each other at
// the left than at the right, as in templates that are made for other scripts.
func isAlignedLeft(spans []span) bool {
	lefts, rights := make(map[float64]int), make(map[float64]int)
	left, right := 0, 0
	for _, s := range spans {
		if isRightToLeft(s.text) {
			lefts[math.Round(s.left)]++
			rights[math.Round(s.right)]++
			left, right = max(left, lefts[math.Round(s.left)]), max(right, rights[math.Round(s.right)])
		}
	}
	return left > right
}

// mirror turns a page around that is read from right to left, so that what is first is left.
func mirror(spans []span) {
	if isAlignedLeft(spans) {
		return
	}
	backwards := countSpans(spans, func(s span) bool { return isRightToLeft(s.text) })
	if 2*backwards <= countSpans(spans, func(s span) bool { return strings.ContainsFunc(s.text, unicode.IsLetter) }) {
		return
	}
	for i := range spans {
		s := &spans[i]
		s.left, s.right, s.body = -s.right, -s.left, -s.right
	}
}
