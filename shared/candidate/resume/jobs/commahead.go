package jobs

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/expression"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/rejoin"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// A head of two fonts has a gap behind the comma between its names: "Acme,<tab>Engineer". In a narrow
// cell it goes on below, beside what another cell has there: "Acme,<tab>Senior<tab>Leeds",
// "Engineer<tab>2019 – 2021", or "Acme,<tab>Senior<tab>2019 – 2021", "Engineer – Leeds".

// commaHead is a line of a head: its cells without dates.
type commaHead struct {
	cells      []string
	dates      string // "" if the line has none
	datesFirst bool
}

// readCommaHead splits a line in cells. ok is false for list items and text.
func readCommaHead(line string) (h commaHead, ok bool) {
	if len(line) > words.MaxLine || !mayNameJob(line) {
		return h, false
	}
	h.cells = strings.Split(line, "\t")
	for i, cell := range h.cells {
		if dates.IsPeriod(cell) {
			h.dates = cell
			h.datesFirst = i == 0 && len(h.cells) > 1
			h.cells = slices.Delete(h.cells, i, i+1)
			break
		}
	}
	_, dated := dates.FindPeriod(strings.Join(h.cells, "\t"))
	return h, !dated
}

// hasComma reports whether the first name ends with a comma before a gap.
func (h commaHead) hasComma() bool {
	return len(h.cells) > 0 && strings.HasSuffix(h.cells[0], ",")
}

func (h commaHead) names() string { return strings.Join(h.cells, "\t") }

func (h commaHead) line() string {
	if h.datesFirst {
		return h.dates + "\t" + h.names()
	}
	return strings.Trim(h.names()+"\t"+h.dates, "\t")
}

// joinCommaHeads joins the lines of heads of two fonts where most jobs have one.
func joinCommaHeads(lines []string) []string {
	var use commaUse
	for i, line := range lines {
		h, ok := readCommaHead(line)
		if ok && i+1 < len(lines) {
			use.add(h, lines[i+1])
		} else if ok {
			use.add(h, "")
		}
	}
	if use.heads < 2 || 2*use.heads < use.dated {
		return lines
	}
	out := make([]string, 0, len(lines))
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		for h, ok := readCommaHead(line); ok && i+1 < len(lines); h, ok = readCommaHead(line) {
			joined, ok := use.join(h, lines[i+1])
			if !ok {
				break
			}
			line = joined
			i++
		}
		out = append(out, line)
	}
	return out
}

// commaUse counts the heads of two fonts and all lines with dates of a section. longest is the length of
// the longest names that do not go on.
type commaUse struct{ heads, dated, longest int }

func (u *commaUse) add(h commaHead, below string) {
	if h.dates != "" {
		u.dated++
	}
	if !h.hasComma() {
		return
	}
	u.heads++
	if _, goesOn := readCommaHead(below); !goesOn || below == "" {
		u.longest = max(u.longest, utf8.RuneCountInString(h.names()))
	}
}

// join returns a head with the line below if that continues it.
func (u *commaUse) join(h commaHead, below string) (line string, ok bool) {
	next, ok := readCommaHead(below)
	switch {
	case !ok || next.names() == "":
		return "", false
	case h.isBesidePlace() && next.hasComma() && next.dates != "":
		next.cells[0] = rejoin.Wrapped(h.cells[0], next.cells[0])
		return next.names() + "\t" + h.cells[1] + "\t" + next.dates, true
	case !h.hasComma() || next.hasComma() || len(next.cells) != 1:
		return "", false
	case h.dates == "" && next.dates != "":
		return h.joinBesidePlace(next), true
	case h.dates != "" && next.dates == "" && u.goesOn(h, next.names()):
		h.cells[len(h.cells)-1] = rejoin.Wrapped(h.cells[len(h.cells)-1], next.names())
		return h.line(), true
	}
	return "", false
}

// isBesidePlace reports whether a line has a name without its comma, another cell and no dates.
func (h commaHead) isBesidePlace() bool { return len(h.cells) == 2 && h.dates == "" && !h.hasComma() }

// joinBesidePlace joins a head beside its place to its second half beside its dates.
func (h commaHead) joinBesidePlace(next commaHead) string {
	place := ""
	if n := len(h.cells); n > 1 {
		h.cells, place = h.cells[:n-1], h.cells[n-1]
	}
	if len(h.cells) == 1 {
		h.cells = append(h.cells, next.names())
	} else {
		h.cells[len(h.cells)-1] = rejoin.Wrapped(h.cells[len(h.cells)-1], next.names())
	}
	return strings.Trim(h.names()+"\t"+place, "\t") + "\t" + next.dates
}

// behindDash matches what may be a place behind a dash at the end of names.
var behindDash = expression.New(`\s[–-]\s+(\p{Lu}[^–]*)$`)

// isRestOfName reports whether a line is the rest of an employer's name: its end with a legal form, the name
// behind one, a name in quotation marks, or a few words in small letters.
func isRestOfName(names, below string) bool {
	isSmall := words.StartsLower(below) && len(strings.Fields(below)) < 3 && !strings.HasSuffix(below, ".")
	isQuoted := beginsWithQuote().MatchString(below) || facts.IsLegalForm(names[strings.LastIndexByte(names, '\t')+1:])
	return isSmall || isQuoted || isEndWithLegalForm(names, below)
}

// isEndWithLegalForm reports whether a line is a few words with the legal form that the names lack.
func isEndWithLegalForm(names, below string) bool {
	if !facts.HasLegalForm(below) || facts.HasLegalForm(names) {
		return false
	}
	return len(strings.Fields(below)) < 5 && !strings.Contains(below, ": ")
}

// goesOn reports whether a line continues the names of a head with dates.
func (u *commaUse) goesOn(h commaHead, below string) bool {
	names := h.names()
	place := behindDash().FindStringSubmatch(names)
	if place != nil { // only the place can go on: "Little", "Wenham"
		return !facts.IsPlace(place[1]) && areTownHalves(place[1], below)
	}
	if strings.HasSuffix(names, ",") || isTornName(names, below) || behindDash().MatchString(below) || isRestOfName(names, below) {
		return true
	}
	isFull := u.longest > 0 && utf8.RuneCountInString(names+" "+words.First(below)) > int(fullHead*float64(u.longest))
	return isFull && len(h.cells) > 1 && isPlainRest(below) && isInCapitals(below)
}

func areTownHalves(town, below string) bool {
	return len(strings.Fields(below)) < 3 && facts.IsTownShaped(town) && facts.IsTownShaped(below)
}

// isInCapitals reports whether at least half of the words begin with a capital, and the text is no sentence.
func isInCapitals(text string) bool {
	lower, upper := facts.CountCases(text)
	isSentence := strings.HasSuffix(text, ".") && !facts.HasLegalForm(text)
	return lower <= upper && !isSentence
}
