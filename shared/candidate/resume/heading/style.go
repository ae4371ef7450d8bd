package heading

import (
	"strings"
	"unicode"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// TrustedRoles returns what elements are named after, or nil if the words of several, and of more than agree, contradict
// their names: templates reuse what they name after titles for employers.
func TrustedRoles(m document.Markup) map[string]document.Role {
	agree := 0
	contradict := 0
	for text, role := range m.Roles {
		f := facts.New(text)
		isTitle := f.Title || facts.IsDegree(text)
		isCompany := f.Company || f.Legal
		switch {
		case isTitle == isCompany:
		case isTitle == (role == document.TitleRole):
			agree++
		default:
			contradict++
		}
	}
	if contradict > 1 && contradict > agree {
		return nil
	}
	return m.Roles
}

// styleOf returns how a line is set; a text file has capitals and colons alone.
func styleOf(m document.Markup, line string) string {
	switch {
	case m.Styles[line] != "":
		return m.Styles[line]
	case strings.HasSuffix(line, ":"):
		return "colon"
	case strings.ContainsFunc(line, unicode.IsUpper) && !strings.ContainsFunc(line, unicode.IsLower):
		return "capitals"
	}
	return ""
}

// headingStyles returns the styles of known headings that at most as many other lines have.
func headingStyles(m document.Markup, columns [][]string) map[string]bool {
	known := make(map[string]int)
	others := make(map[string]int)
	for _, lines := range columns {
		for _, line := range lines {
			style := styleOf(m, line)
			if style == "" {
				continue
			}
			if _, ok := Parse(line); ok {
				known[style]++
			} else {
				others[style]++
			}
		}
	}
	found := make(map[string]bool)
	for style, n := range known {
		found[style] = n >= 2 && others[style] <= n+1
	}
	return found
}

// parseStyledHeading returns the section of a line that is set as headings are: what its words say, or unknown.
func parseStyledHeading(m document.Markup, line string, styles map[string]bool) (words.Section, bool) {
	if len(line) > 4*MaxLength || !styles[styleOf(m, line)] {
		return "", false
	}
	if strings.ContainsAny(line, "\t0123456789") || len(strings.Fields(line)) > 5 {
		return "", false
	}
	if facts.IsTitle(line) && strings.Contains(line, " ") && facts.PersonEnding().MatchString(line) {
		return "", false // "SOFTWARE ENGINEER"
	}
	if s, ok := Guess(line); ok {
		return s, true
	}
	return words.UnknownSection, m.Styles[line] != "" // of capitals alone a skill may be: "SQL"
}
