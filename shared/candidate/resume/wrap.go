package resume

import (
	"slices"
	"strings"
)

// head is a line with a range of dates at one of its ends, and what stands beside them.
type head struct {
	text, dates string
	datesFirst  bool
	lineFacts
}

// readHead returns the head that a line is, and reports whether it is one: a gap parts the dates from
// the rest.
func readHead(line string) (h head, ok bool) {
	p, dated := findPeriod(line)
	if !dated || isBullet(line) || isProse(line) || len(line) > maxLine {
		return head{}, false
	}
	left, right := strings.TrimSpace(line[:p.first]), strings.TrimSpace(line[p.last:])
	switch {
	case right == "" && left != "" && line[p.first-1] == '\t':
		h = head{text: left, dates: line[p.first:]}
	case left == "" && right != "" && line[p.last] == '\t':
		h = head{text: right, dates: line[:p.last], datesFirst: true}
	default:
		return head{}, false
	}
	h.lineFacts = splitFacts(h.text)
	return h, true
}

func (h head) line() string {
	if h.datesFirst {
		return h.dates + "\t" + h.text
	}
	return h.text + "\t" + h.dates
}

func (h head) hasTitle() bool {
	return len(h.pair) > 1 && slices.ContainsFunc(h.pair, func(f fact) bool { return f.title })
}

// headUse counts the heads of a section: those with a place on their first line, those of them with
// another one below, those without any, and those with a title beside another fact.
type headUse struct{ all, placed, twice, placeless, titled int }

// joinWrappedHeads joins the heads of jobs that a narrow cell beside their dates breaks in two lines:
// "Acme, Records &<tab>2019 – 2021", "Archives Clerk – Leeds". Where heads have a place or a title
// on their first line, one without it goes on below if that line has it.
func joinWrappedHeads(lines []string) []string {
	lines = joinHeads(lines, func(h head, below string) bool { return isUnfinished(h.text) || goesOn().MatchString(below) })
	var use headUse
	for i, line := range lines {
		if h, ok := readHead(line); ok {
			use.add(h, lines[i+1:])
		}
	}
	return joinHeads(lines, use.isWrapped)
}

// joinHeads joins heads to the line below that may continue them and for which isWrapped returns true.
func joinHeads(lines []string, isWrapped func(h head, below string) bool) []string {
	out := make([]string, 0, len(lines))
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if h, ok := readHead(line); ok && i+1 < len(lines) && mayContinue(h, lines[i+1]) && isWrapped(h, lines[i+1]) {
			h.text = joinWrapped(h.text, lines[i+1])
			line = h.line()
			i++
		}
		out = append(out, line)
	}
	return out
}

// mayContinue reports whether the line below a head may be its second half.
func mayContinue(h head, below string) bool {
	_, dated := findPeriod(below)
	return !dated && !isBullet(below) && !isProse(below) && !isPhrase(below) && !isHeading(below) && !isSkillLine(below) && len(h.text)+len(below) <= maxLine
}

func (u *headUse) add(h head, below []string) {
	next := lineFacts{}
	if len(below) > 0 && mayContinue(h, below[0]) {
		next = splitFacts(below[0])
	}
	u.all++
	switch endsWithGap := strings.HasSuffix(h.text, "–") || strings.HasSuffix(h.text, ","); {
	case h.place != "" && next.place != "":
		u.twice++
	case len(h.pair) > 1 && (h.place != "" || endsWithGap && next.place != "" && len(next.whole) == 0):
		u.placed++
	case next.place == "" || len(next.whole) == 0:
		u.placeless++
	}
	if h.hasTitle() {
		u.titled++
	}
}

// isWrapped reports whether the line below a head has the place or the title that other heads have.
func (u headUse) isWrapped(h head, below string) bool {
	next := splitFacts(below)
	if len(next.whole) == 0 {
		return false
	}
	lacksPlace := h.place == "" && next.place != "" && u.twice == 0 && u.placed > 0 && u.placed >= u.placeless
	lacksTitle := !h.hasTitle() && next.whole[0].title && len(h.pair) > 1 && 2*u.titled >= u.all
	return lacksPlace || lacksTitle
}

var (
	joinsNext = expression(`(?i)(?:[&/]|\b(?:and|of|for|the))$`)
	goesOn    = expression(`^(?:[&(]|(?:and|of|for) )`)
)

// isUnfinished reports whether a head ends with a word or a mark that something must follow.
func isUnfinished(text string) bool {
	return joinsNext().MatchString(text) || strings.Count(text, "(") > strings.Count(text, ")")
}
