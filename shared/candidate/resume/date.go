package resume

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Month is a month of a year. Month 0 means that only the year is known; the zero
// value means no date.
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

// MarshalText returns the date as String does.
func (m Month) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// Before reports whether m is before n; a year alone is before its months.
func (m Month) Before(n Month) bool {
	return m.Year < n.Year || m.Year == n.Year && m.Month < n.Month
}

const (
	// English, German, French, Spanish, Portuguese, Italian, Dutch and the Nordic languages.
	monthPattern = `(?:jan(?:uary|uar|uari|vier|eiro)?|feb(?:ruary|ruar|ruari|rero|braio)?|f[ée]v(?:r|rier|ereiro)?|mar(?:ch|s|zo|ço|et)?|m[äa]rz|maart|mrt|apr(?:il|ile)?|avr(?:il)?|abr(?:il)?|may|mai|mayo|maio|maggio|mei|maj|` +
		`june?|juni|juin|junio|junho|giugno|july?|juli|juil(?:let)?|julio|julho|luglio|aug(?:ust|ustus)?|ao[ûu]t|ago(?:sto)?|sept?(?:ember|embre|iembre)?|set(?:embro|tembre)?|` +
		`oct(?:ober|obre|ubre)?|okt(?:ober)?|out(?:ubro)?|ott(?:obre)?|nov(?:ember|embre|iembre|embro)?|dec(?:ember)?|d[ée]c(?:embre)?|dez(?:ember|embro)?|dic(?:iembre|embre)?|des(?:ember)?|ene(?:ro)?|gen(?:naio)?|lug|giu)`
	yearPattern  = `(?:19|20)\d{2}`
	datePattern  = `(?:(?:spring|summer|autumn|fall|winter) ` + yearPattern + `|(?:\d{1,2} )?` + monthPattern + `\.?[ ,/’'-]{0,2}(?:de )?(?:` + yearPattern + `|[’']\d{2})|(?:(?:[0-3]?\d\.)?(?:0?[1-9]|1[0-2]))[/.-]` + yearPattern + `|` + yearPattern + `[/.-](?:0[1-9]|1[0-2])(?:[/.-][0-3]\d)?|` + yearPattern + `\s?年(?:\s?\d{1,2}\s?月)?|` + yearPattern + `)`
	todayPattern = `(?:pr[ée]sente?|aktuell|ce jour|hasta la fecha|hoy|ahora|atualmente|i dag|dnes|current(?:ly)?|now|today|ongoing|till date|till now|to date|until now|date|heute|jetzt|aujourd[’']hui|actualidad|actualmente|atual|oggi|attuale|heden|nu|nå|nutid|obecnie|настоящее время|н\.в\.|по теперішній час|至今|現在|现在|현재)`
)

var (
	dateRange  = regexp.MustCompile(`(?i)[(\[]?(?:\b|^)(?:from |von |de |depuis )?(` + datePattern + `)\s*(?:-|–|—|−|~|〜|to\b|until|till|bis|à|au\b|a\b|до|по|至|thru|through)\s*(` + datePattern + `|` + todayPattern + `)[)\]]?|[(\[]?\b(?:since|seit|depuis|desde) (` + datePattern + `)[)\]]?`)
	lastDate   = regexp.MustCompile(`(?i)\b` + datePattern + `\b`)
	loneDate   = regexp.MustCompile(`(?i)^` + datePattern + `$`)
	namedMonth = regexp.MustCompile(`(?i)^(?:\d{1,2} )?(` + monthPattern + `)\.?[ ,/’'-]{0,2}(?:de )?[’']?(\d{2,4})$`)
	numbers    = regexp.MustCompile(`\d+`)
)

// monthPrefixes maps the beginnings of month names, in lower case, to months. The first
// match counts.
var monthPrefixes = []struct {
	text  string
	month int
}{
	{"jan", 1}, {"ene", 1}, {"gen", 1}, {"feb", 2}, {"fév", 2}, {"fev", 2}, {"mar", 3}, {"mär", 3}, {"maa", 3}, {"mrt", 3}, {"apr", 4}, {"avr", 4}, {"abr", 4},
	{"may", 5}, {"mai", 5}, {"mag", 5}, {"mei", 5}, {"maj", 5}, {"jun", 6}, {"juin", 6}, {"giu", 6}, {"jul", 7}, {"juil", 7}, {"lug", 7},
	{"aug", 8}, {"aoû", 8}, {"aou", 8}, {"ago", 8}, {"sep", 9}, {"set", 9}, {"oct", 10}, {"okt", 10}, {"out", 10}, {"ott", 10}, {"nov", 11},
	{"dec", 12}, {"déc", 12}, {"dez", 12}, {"dic", 12}, {"des", 12},
}

// period is a range of dates in a line.
type period struct {
	start, end  Month
	current     bool
	first, last int // the bytes [first, last) of the line
}

// findPeriod returns the first range of dates in a line. A single date is no range: it
// may mean anything.
func findPeriod(line string) (period, bool) {
	if !strings.ContainsAny(line, "0123456789") {
		return period{}, false
	}
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

// parseMonth parses a match of datePattern. A word for today gives the zero value.
func parseMonth(text string) Month {
	if m := namedMonth.FindStringSubmatch(text); m != nil {
		low := strings.ToLower(m[1])
		for _, b := range monthPrefixes {
			if strings.HasPrefix(low, b.text) {
				return Month{fullYear(m[2]), b.month}
			}
		}
	}
	var parts []int
	for _, n := range numbers.FindAllString(text, 3) {
		v, _ := strconv.Atoi(n)
		parts = append(parts, v)
	}
	switch n := len(parts); {
	case n == 0:
		return Month{}
	case n == 1:
		return Month{Year: parts[0]}
	case parts[0] > 31:
		return Month{parts[0], parts[1]}
	}
	return Month{parts[len(parts)-1], parts[len(parts)-2]}
}

// fullYear returns 1998 for "98" and 2021 for "21".
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
