package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"
)

// family is a way to write files, with habits of its own: nothing but the layouts' names is common to all.
type family struct {
	Name    string
	Formats []string // extensions of the files; pdf is converted from the file of type Source
	Source  string   // extension of a PDF file's source
	Layouts []string // single, columns, label, table, timeline; repeated if more frequent
	Forms   []string // of dates (style.formatMonth)
	Parts   []string // between two dates
	Opens   []string // how a current job ends: now, dash, since
	Heads   []string // lines of a job in the flow, parted by bars; a tab goes to the right margin
	Beside  []string // lines of a job with dates in a column of their own
	Studies []string // lines of a course of study: {G} degree, {S} school
	Bullets []string
	Orders  [][]string
	Join    []string // what parts the addresses under the name; "lines" and "labels" set one a line
	Skills  []string // comma, bars, bullets, lines, groups
	Upper   float64  // probability of headings in capitals
	Lasting float64  // probability of durations behind dates
	Nested  float64  // probability of promotions under one company
}

// style is how one person writes: choices among the habits of a family and the words of a language.
type style struct {
	l                                            language
	Layout, Form, Separator, Open, Now           string
	Head, Beside, Study                          []string // lines
	Bullet, Join, Skills, Title                  string
	Order                                        []string
	Headings                                     map[string]string
	Upper, NameUpper, Lasting, Nested, ShortEnd  bool
	AsideRight, Ruled, Boxed, Controls, RightTab bool
	Units                                        []string
	Look                                         int // a number that a writer chooses its decorations by
}

// drawStyle makes the choices. A third of the people use a date form of their language, if it has one.
func drawStyle(f family, l language, random *rand.Rand) style {
	s := style{
		l: l, Layout: drawOne(f.Layouts, random), Form: drawOne(f.Forms, random),
		Separator: drawOne(f.Parts, random), Open: drawOne(f.Opens, random), Now: l.draw("now", random),
		Bullet: drawOne(f.Bullets, random), Join: drawOne(f.Join, random), Skills: drawOne(f.Skills, random),
		Order: drawOne(f.Orders, random), Upper: chance(f.Upper, random), NameUpper: chance(f.Upper/2, random),
		Lasting: chance(f.Lasting, random), Nested: chance(f.Nested, random), ShortEnd: chance(0.2, random),
		AsideRight: chance(0.4, random), Ruled: chance(0.5, random), Boxed: chance(0.5, random), Controls: chance(0.3, random),
		RightTab: chance(0.8, random), Look: random.IntN(1 << 16),
	}
	if own := l.values("forms"); own != nil && (l.values("onlyforms") != nil || chance(0.35, random)) {
		s.Form = drawOne(own, random)
	}
	if to := l.draw("to", random); s.Separator == " to " && s.Code() != "en" {
		s.Separator = " " + to + " "
		if to == "" {
			s.Separator = " – "
		}
	}
	if strings.ContainsAny(s.Form, "-") && !strings.Contains(s.Separator, " ") {
		s.Separator = " " + s.Separator + " "
	}
	s.Head = strings.Split(drawOne(f.Heads, random), "|")
	s.Beside = strings.Split(drawOne(f.Beside, random), "|")
	s.Study = strings.Split(drawOne(f.Studies, random), "|")
	s.Units = l.values(drawOne([]string{"duration", "shortduration"}, random))
	s.Lasting = s.Lasting && s.Units != nil
	s.Headings = make(map[string]string)
	for _, section := range []string{"summary", "experience", "education", "skills", "tongues", "interests", "personal", "contact"} {
		s.Headings[section] = l.draw(section, random)
	}
	if chance(0.15, random) {
		s.Title = l.draw("vitae", random)
	}
	return s
}

// Shows reports whether a resume of this style has a section.
func (s style) Shows(section string) bool { return slices.Contains(s.Order, section) }

// Heading returns a section's heading as the person writes it.
func (s style) Heading(section string) string {
	if s.Upper {
		return strings.ToUpperSpecial(s.upperCase(), s.Headings[section])
	}
	return s.Headings[section]
}

// Code returns the code of the language.
func (s style) Code() string { return s.l.values("code")[0] }

// Direction returns in which direction lines run.
func (s style) Direction() string {
	if s.l["dir"] != nil {
		return "rtl"
	}
	return "ltr"
}

// Pick returns a number from 0 to n-1, the same for one person throughout. Decorations with different divisors vary
// independently.
func (s style) Pick(divisor, n int) int { return s.Look / divisor % n }

func (s style) upperCase() unicode.SpecialCase {
	if s.Code() == "tr" {
		return unicode.TurkishCase
	}
	return nil
}

// fillHead fills the lines of a job.
func (s style) fillHead(lines []string, j job) []string {
	dates := s.Period(j.Start, j.End)
	if s.Lasting {
		dates += drawByLook(s.Look, []string{" (" + s.formatDuration(j.Start, j.End) + ")", " · " + s.formatDuration(j.Start, j.End)})
	}
	at := ", "
	if own := s.l.values("at"); own != nil {
		at = " " + own[0] + " "
	}
	return fillLines(lines, "{T}", j.Title, "{C}", j.Company, "{L}", j.Location, "{D}", dates, " {at} ", at)
}

func (s style) fillStudy(lines []string, e study) []string {
	return fillLines(lines, "{G}", e.Degree, "{S}", e.School, "{D}", s.Period(e.Start, e.End))
}

func fillLines(lines []string, pairs ...string) []string {
	return strings.Split(strings.NewReplacer(pairs...).Replace(strings.Join(lines, "\n")), "\n")
}

// withoutDates returns the lines of a head without its dates, which are elsewhere.
func withoutDates(lines []string) []string {
	var out []string
	for _, line := range lines {
		for _, dates := range []string{"\t{D}", " ({D})", "{D}: ", "{D}  ", ", {D}", " · {D}", " | {D}", "{D}"} {
			line = strings.Replace(line, dates, "", 1)
		}
		out = append(out, strings.TrimSpace(line))
	}
	return slices.DeleteFunc(out, func(line string) bool { return line == "" })
}

// drawByLook returns the same one of the values for one person throughout.
func drawByLook(look int, values []string) string { return values[look%len(values)] }

// formatMonth fills a form of dates: {MMMM} and {MMM} are the month's name, {MM} and {M}
// its number, {yyyy} and {yy} the year, {Q} the quarter, {DD} a day.
func (s style) formatMonth(m month, isEnd bool) string {
	day := "01"
	if isEnd {
		day = "28"
	}
	return strings.NewReplacer("{MMMM}", s.l.values("long")[m.Month-1], "{MMM}", s.l.values("short")[m.Month-1],
		"{MM}", fmt.Sprintf("%02d", m.Month), "{M}", fmt.Sprint(m.Month), "{DD}", day,
		"{yyyy}", fmt.Sprint(m.Year), "{yy}", fmt.Sprintf("%02d", m.Year%100), "{Q}", fmt.Sprint((m.Month+2)/3)).Replace(s.Form)
}

// Period returns the dates of a job or course of study. A zero end is today.
func (s style) Period(start, end month) string {
	from := s.formatMonth(start, false)
	switch {
	case end == month{} && s.Open == "since" && s.l.values("since") != nil:
		return strings.ReplaceAll(s.l.values("since")[0], "{}", "") + " " + from
	case end == month{} && s.Open == "dash":
		return strings.TrimRight(from+s.Separator, " ")
	case end == month{}:
		return from + s.Separator + s.Now
	case s.Form == "{yyyy}" && s.ShortEnd && end.Year > start.Year:
		return from + s.Separator + fmt.Sprintf("%02d", end.Year%100)
	}
	return from + s.Separator + s.formatMonth(end, true)
}

// formatDuration returns how long a job lasted ("2 years 4 months"), until June if it is the current one.
func (s style) formatDuration(start, end month) string {
	if end == (month{}) {
		end = month{lastYear, 6}
	}
	months := (end.Year-start.Year)*12 + end.Month - start.Month + 1
	return strings.TrimSpace(countUnits(months/12, s.Units[0], s.Units[1]) + " " + countUnits(months%12, s.Units[2], s.Units[3]))
}

func countUnits(n int, one, many string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "1 " + one
	}
	return fmt.Sprint(n, " ", many)
}

// shownMonth returns what of a month a form shows: "2019-03", "2019", "2019-Q1" or "".
func (s style) shownMonth(m month) string {
	switch {
	case m == month{}:
		return ""
	case strings.Contains(s.Form, "{Q}"):
		return fmt.Sprintf("%d-Q%d", m.Year, (m.Month+2)/3)
	case strings.Contains(s.Form, "{M"):
		return fmt.Sprintf("%d-%02d", m.Year, m.Month)
	}
	return fmt.Sprint(m.Year)
}
