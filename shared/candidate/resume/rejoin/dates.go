package rejoin

import (
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// Dates joins the lines over which a page spreads a range of dates: "Mar 2019" and
// "– Present", or two dates without a mark between them.
func Dates(lines []string) []string {
	out := make([]string, 0, len(lines))
	for i := 0; i < len(lines); {
		text, n := joinDateLine(lines[i:min(len(lines), i+MaxDateLines)])
		if at := i + n; n == 1 && at < len(lines) && (isTornDate(text, lines[at]) || isTornMonth(text, lines[at])) {
			text = text + " " + lines[at]
			n = 2
		}
		out = append(out, text)
		i += n
	}
	return out
}

// isTornDate reports whether a line ends within a range of dates, with its year as the line below:
// "Acme · Feb 2014 – Aug", "2017".
func isTornDate(line, below string) bool {
	if len(below) > len("'2017 ") || len(line) > words.MaxLine || facts.IsBullet(line) {
		return false
	}
	if !dates.HasDigit(below) || !dates.HasDigit(line) {
		return false
	}
	if p, dated := dates.FindPeriod(line); dated && p.Last == len(line) {
		return false
	}
	p, dated := dates.FindPeriod(line + " " + below)
	endsBelow := p.First < len(line) && p.Last == len(line)+1+len(below)
	return dated && endsBelow && !p.Current
}

// isTornMonth reports whether a line ends with the first month of the range of dates with which the
// line below begins: "Engineer, Acme July", "2020 – Feb 2022".
func isTornMonth(line, below string) bool {
	p, dated := dates.FindPeriod(below)
	beginsWithYear := dated && p.First == 0 && p.Start.Month == 0
	if !beginsWithYear || len(line)+len(below) > words.MaxLine || facts.IsProse(line) {
		return false
	}
	month := words.Last(line)
	whole, dated := dates.FindPeriod(line + " " + below)
	return dated && len(month) < len(line) && whole.First == len(line)-len(month) && whole.Start.Year == p.Start.Year
}

// joinDateLine returns the first line, or the range that begins with it, and how many lines
// it takes.
func joinDateLine(lines []string) (text string, taken int) {
	text = joinDatePair(lines[0])
	isOpen := dates.HasDigit(text) && dates.IsPeriodPiece(text) && !dates.IsClosedPeriod(text)
	if !isOpen {
		return text, 1
	}
	for i, line := range lines[1:] {
		if !dates.IsPeriodPiece(line) {
			break
		}
		if pair, ok := joinWholeDates(text, line); ok && i == 0 {
			return pair, 2
		}
		text += " " + line
		if dates.IsClosedPeriod(text) {
			return text, i + 2
		}
	}
	return lines[0], 1
}

// PeriodHalves joins the halves of a range of dates that only a gap parts: "04/2022" and
// "– Present".
func PeriodHalves(line string) string {
	if gaps := strings.Count(line, "\t"); gaps == 0 || gaps > dates.MaxGaps {
		return line
	}
	var parts []string
	for part := range strings.SplitSeq(line, "\t") {
		if n := len(parts); n > 0 && arePeriodHalves(parts[n-1], part) {
			parts[n-1] += " " + part
		} else {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "\t")
}

func arePeriodHalves(a, b string) bool {
	return dates.EndsWithDate(a) && dates.BeginsWithPeriodEnd(b) || dates.IsTornPeriod(a, b)
}

func joinWholeDates(a, b string) (pair string, ok bool) {
	pair = a + " – " + b
	return pair, dates.IsWholeDate(a) && dates.IsWholeDate(b) && dates.IsPeriod(pair)
}

// joinDatePair puts a dash between two dates that only a gap parts.
func joinDatePair(line string) string {
	if len(line) > words.MaxLine || !strings.Contains(line, "\t") {
		return line
	}
	parts := strings.Split(line, "\t")
	for i := 1; i < len(parts); i++ {
		if pair, ok := joinWholeDates(parts[i-1], parts[i]); ok && dates.HasDigit(parts[i-1]) {
			parts[i-1] = pair
			parts = append(parts[:i], parts[i+1:]...)
		}
	}
	return strings.Join(parts, "\t")
}

// MaxDateLines bounds the lines over which a narrow cell spreads a range of dates.
const MaxDateLines = 5
