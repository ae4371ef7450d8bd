package resume

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/jobs"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// The baseline is what a first attempt looks like: the first line is the name, and
// regular expressions over the lines find the rest. It is given the same lines.
var (
	plainEmail    = regexp.MustCompile(`[\w.+-]+@[\w-]+\.[\w.]+`)
	plainLinkedIn = regexp.MustCompile(`linkedin\.com/in/([\w-]+)`)
	plainDates    = regexp.MustCompile(`(?i)((?:[a-z]{3,9} |\d{2}/)?\d{4}) ?[-–] ?((?:[a-z]{3,9} |\d{2}/)?\d{4}|present|current|now)`)
	plainJob      = regexp.MustCompile(`^(.+?)(?: at |, | \| | — )([^,|]+)`)
	plainYear     = regexp.MustCompile(`\b(?:19|20)\d{2}\b`)
)

func extractByRegexp(doc document.Document) Fields {
	lines := slices.Concat(doc.Blocks...)
	text := strings.Join(lines, "\n")
	f := Fields{Name: lines[0], Emails: plainEmail.FindAllString(text, -1)}
	for _, m := range plainLinkedIn.FindAllStringSubmatch(text, 1) {
		f.LinkedIn = append(f.LinkedIn, "https://www.linkedin.com/in/"+m[1])
	}
	for i, line := range lines {
		m := plainDates.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		e := jobs.Experience{Start: plainMonth(m[1]), End: plainMonth(m[2])}
		head := strings.TrimSpace(strings.Replace(line, m[0], "", 1))
		if head == "" && i > 0 {
			head = lines[i-1]
		}
		if j := plainJob.FindStringSubmatch(head); j != nil {
			e.Title = j[1]
			e.Company = j[2]
		} else {
			e.Title = head
		}
		f.Experiences = append(f.Experiences, e)
	}
	low := strings.ToLower(text)
	for _, s := range words.SkillsByName() {
		if strings.Contains(low, strings.ToLower(s.Name)) && !slices.Contains(f.Skills, s.Name) {
			f.Skills = append(f.Skills, s.Name)
		}
	}
	years := plainYear.FindAllString(text, -1)
	if len(years) > 0 {
		slices.Sort(years)
		first, _ := strconv.Atoi(years[0])
		f.Years = float64(asOf.Year() - first)
	}
	return f
}

func plainMonth(text string) dates.Month {
	m, _, _, _ := dates.FindDate(text)
	return m
}
