package jobs

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/expression"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/rejoin"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// head is a line with a range of dates at one of its ends, and what stands beside them.
type head struct {
	text, dates string
	datesFirst  bool
	facts.Line
}

// readHead returns the head that a line is, and reports whether it is one: a gap parts the dates from
// the rest.
func readHead(line string) (h head, ok bool) {
	p, dated := dates.FindPeriod(line)
	if !dated || facts.IsProse(line) || len(line) > words.MaxLine {
		return head{}, false
	}
	left := strings.TrimSpace(line[:p.First])
	right := strings.TrimSpace(line[p.Last:])
	switch {
	case left != "" && isBlankOrDuration(right) && (line[p.First-1] == '\t' || isWithinQuotes(left)):
		h = head{text: left, dates: line[p.First:]}
	case left == "" && right != "" && line[p.Last] == '\t':
		h = head{text: right, dates: line[:p.Last], datesFirst: true}
	default:
		return head{}, false
	}
	h.Line = facts.Split(h.text)
	return h, true
}

func isBlankOrDuration(text string) bool {
	return text == "" || dates.IsDuration(strings.Trim(text, "()"))
}

func (h head) line() string {
	if h.datesFirst {
		return h.dates + "\t" + h.text
	}
	return h.text + "\t" + h.dates
}

func (h head) hasTitle() bool {
	return len(h.Pair) > 1 && slices.ContainsFunc(h.Pair, func(f facts.Fact) bool { return f.Title })
}

// headUse counts the heads of a section: those with a place on their first line, those of them with
// another one below, those without any, and those with a title beside another fact. longest is the
// length of the longest head that does not wrap.
type headUse struct{ all, placed, twice, placeless, titled, longest int }

// fullHead is the share of the longest head's letters from which a head may fill its cell: letters, and
// the dates beside them, differ in width.
const fullHead = 0.8

// joinWrappedHeads joins the heads of jobs that a narrow cell beside their dates breaks in two lines:
// "Acme, Records &<tab>2019 – 2021", "Archives Clerk – Leeds". Where heads have a place or a title
// on their first line, one without it goes on below if that line has it.
func joinWrappedHeads(lines []string) []string {
	lines = joinHeads(joinHeadsAbove(lines), func(h head, below string) bool { return isTornName(h.text, below) })
	var use headUse
	for i, line := range lines {
		if h, ok := readHead(line); ok {
			use.add(h, lines[i+1:])
		}
	}
	return joinHeads(lines, use.isWrapped)
}

// joinHeadsAbove joins heads whose dates are beside their second half to the first: "Cooper at «Tern",
// "Sons»<tab>2019 – 2021".
func joinHeadsAbove(lines []string) []string {
	out := make([]string, 0, len(lines))
	for i, line := range lines {
		h, ok := readHead(line)
		mayBeSecond := ok && i > 0 && !h.datesFirst
		if mayBeSecond && isFirstHalf(out[len(out)-1], h.text) {
			h.text = rejoin.Wrapped(out[len(out)-1], h.text)
			out[len(out)-1] = h.line()
			continue
		}
		out = append(out, line)
	}
	return out
}

// isFirstHalf reports whether a line is a head's first half, and text the second: a quotation or a
// bracket is open between them.
func isFirstHalf(line, text string) bool {
	_, dated := dates.FindPeriod(line)
	if dated || len(line)+len(text) > words.MaxLine || facts.IsProse(line) || heading.Is(line) {
		return false
	}
	if isWithinQuotes(line) && isQuoteEnd().MatchString(text) {
		return true
	}
	return len(facts.Split(line).Pair) > 1 && beginsWithQuote().MatchString(text)
}

// isWithinQuotes reports whether a line opens a quotation or a bracket that it does not close.
func isWithinQuotes(line string) bool {
	return strings.Count(line, "«") > strings.Count(line, "»") ||
		strings.Count(line, "„") > strings.Count(line, "“")+strings.Count(line, "”") ||
		strings.Count(line, "(") > strings.Count(line, ")")
}

// joinHeads joins heads to the line below that may continue them and for which isWrapped returns true.
func joinHeads(lines []string, isWrapped func(h head, below string) bool) []string {
	out := make([]string, 0, len(lines))
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if h, ok := readHead(line); ok && i+1 < len(lines) && mayContinue(h, lines[i+1]) && isWrapped(h, lines[i+1]) {
			h.text = rejoin.Wrapped(h.text, lines[i+1])
			line = h.line()
			i++
		}
		out = append(out, line)
	}
	return out
}

// mayContinue reports whether the line below a head may be its second half.
func mayContinue(h head, below string) bool {
	return len(h.text)+len(below) <= words.MaxLine && isUndatedName(below)
}

func (u *headUse) add(h head, below []string) {
	next := facts.Line{}
	if len(below) > 0 && mayContinue(h, below[0]) {
		next = facts.Split(below[0])
	} else if len(h.Pair) > 1 {
		u.longest = max(u.longest, utf8.RuneCountInString(h.text))
	}
	u.all++
	endsWithGap := strings.HasSuffix(h.text, "–") || strings.HasSuffix(h.text, ",")
	isPlaceBelow := next.Place != "" && len(next.Whole) == 0
	switch {
	case h.Place != "" && next.Place != "":
		u.twice++
	case len(h.Pair) > 1 && (h.Place != "" || endsWithGap && isPlaceBelow):
		u.placed++
	case next.Place == "" || len(next.Whole) == 0:
		u.placeless++
	}
	if h.hasTitle() {
		u.titled++
	}
}

// isWrapped reports whether the line below a head has the place or the title that other heads have.
func (u headUse) isWrapped(h head, below string) bool {
	next := facts.Split(below)
	if len(next.Whole) == 0 {
		return false
	}
	lacksPlace := h.Place == "" && next.Place != "" && u.hasPlaces()
	lacksTitle := next.Whole[0].Title && !h.hasTitle() && len(h.Pair) > 1
	return lacksPlace || lacksTitle && 2*u.titled >= u.all || u.lacksEnd(h, next)
}

// hasPlaces reports whether at least half of the heads have a place on their first line, and none another one below.
func (u headUse) hasPlaces() bool {
	return u.placed > 0 && u.placed >= u.placeless && u.twice == 0
}

// lacksEnd reports whether a head ends within its employer: the rest has what names one, as in "Cooper,
// Tern<tab>2019 – 2021", "Shipping Co.", and would not fit on the line in the width of another head.
func (u headUse) lacksEnd(h head, next facts.Line) bool {
	rest := next.Whole[0]
	letters := utf8.RuneCountInString(h.text + " " + words.First(rest.Text))
	isFull := u.longest > 0 && float64(letters) > fullHead*float64(u.longest)
	isAlone := len(next.Whole) == 1 && next.Place == ""
	return isFull && isAlone && isEndOfEmployer(rest) && h.mayGoOn()
}

// isEndOfEmployer reports whether a fact has what names an employer, in words with capitals.
func isEndOfEmployer(rest facts.Fact) bool {
	lower, upper := facts.CountCases(rest.Text)
	isUnit := rest.IsUnit && !words.Vocabulary().Organisations.IsWord(words.Scan(rest.Text)) // "Hospital"
	isEmployer := rest.Company && !rest.Title
	return isEmployer && lower <= upper && !isUnit
}

// mayGoOn reports whether a head has a title beside another fact, and neither the place nor the legal form that end names.
func (h head) mayGoOn() bool {
	return h.hasTitle() && h.Place == "" && !facts.HasLegalForm(h.text)
}

var (
	isQuoteEnd      = expression.New(`^[^«„(]*[»“”)]`)
	beginsWithQuote = expression.New(`^[«„"“][^»“”"]+[»“”"]$`)
	goesOn          = expression.New(`^(?:[&(№]|(?:and|of|for) )`)
)

// isUnfinished reports whether a head ends with a word or a mark that something must follow, or within
// quotation marks or brackets.
func isUnfinished(text string) bool {
	return facts.JoinsNext().MatchString(text) || isWithinQuotes(text)
}
