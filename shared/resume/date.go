package resume

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Month is a month of a year. Month 0 means that only the year is known; the zero value is no date.
type Month struct{ Year, Month int }

// String returns "2021-03", "2021", or "" for no date.
func (m Month) String() string {
	switch {
	case m.Year == 0:
		return ""
	case m.Month == 0:
		return strconv.Itoa(m.Year)
	}
	return fmt.Sprintf("%d-%02d", m.Year, m.Month)
}

// Before orders dates; a year alone stands before its months.
func (m Month) Before(n Month) bool {
	return m.Year < n.Year || m.Year == n.Year && m.Month < n.Month
}

const (
	monthName = `(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`
	year      = `(?:19|20)\d{2}`
	point     = `(?:` + monthName + `\.?[ ,/’'-]{0,2}(?:` + year + `|[’']\d{2})|(?:0?[1-9]|1[0-2])[/.-]` + year + `|` + year + `[/.-](?:0[1-9]|1[0-2])|` + year + `)`
	open      = `(?:present|current(?:ly)?|now|today|ongoing|till date|till now|to date|date|heute|aujourd’hui|actualidad|presente|nu|至今|現在|현재)`
)

var (
	dateRange = regexp.MustCompile(`(?i)\(?\b(?:from )?(` + point + `)\s*(?:-|–|—|−|~|to|until|till|bis)\s*(` + point + `|` + open + `)\)?|\(?\bsince (` + point + `)\)?`)
	named     = regexp.MustCompile(`(?i)^(` + monthName + `)\.?[ ,/’'-]{0,2}[’']?(\d{2,4})$`)
	numbers   = regexp.MustCompile(`\d+`)
)

// period is a range of dates found in a line, and where it stands there.
type period struct {
	start, end  Month
	current     bool
	first, last int // bytes of the line
}

// findPeriod finds the first range of dates. A single date is none: it may be anything.
func findPeriod(line string) (period, bool) {
	m := dateRange.FindStringSubmatchIndex(line)
	if m == nil {
		return period{}, false
	}
	p := period{first: m[0], last: m[1]}
	if m[6] >= 0 {
		p.start, p.current = parseMonth(line[m[6]:m[7]]), true
		return p, true
	}
	p.start, p.end = parseMonth(line[m[2]:m[3]]), parseMonth(line[m[4]:m[5]])
	p.current = p.end == Month{}
	return p, p.current || !p.end.Before(p.start) || p.end.Year == p.start.Year
}

// parseMonth reads one date of the grammar above; words for today give the zero value.
func parseMonth(text string) Month {
	if m := named.FindStringSubmatch(text); m != nil {
		return Month{fullYear(m[2]), 1 + strings.Index("janfebmaraprmayjunjulaugsepoctnovdec", strings.ToLower(m[1][:3]))/3}
	}
	var parts []int
	for _, n := range numbers.FindAllString(text, 2) {
		v, _ := strconv.Atoi(n)
		parts = append(parts, v)
	}
	switch {
	case len(parts) == 1:
		return Month{Year: parts[0]}
	case len(parts) == 2 && parts[0] > 12:
		return Month{parts[0], parts[1]}
	case len(parts) == 2:
		return Month{parts[1], parts[0]}
	}
	return Month{}
}

// fullYear reads '98 as 1998 and '21 as 2021.
func fullYear(digits string) int {
	y, _ := strconv.Atoi(digits)
	switch {
	case len(digits) == 4:
		return y
	case y >= 60:
		return 1900 + y
	}
	return 2000 + y
}
