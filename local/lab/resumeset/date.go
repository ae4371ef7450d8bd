package main

import (
	"fmt"
	"strings"
)

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

// formatPeriod returns the dates of a job or course of study. A zero end is today.
func (s style) formatPeriod(start, end month) string {
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

// formatDuration returns how long a job lasted ("2 years 4 months"), until June if it is
// the current one.
func (s style) formatDuration(start, end month) string {
	if end == (month{}) {
		end = month{lastYear, 6}
	}
	months := end.since(start) + 1
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
