package collect

import (
	"regexp"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

const maxMarked = 1000 // lines and texts of a document of which mark-up is kept

// roleNames match the classes and properties of elements that hold a title or a company.
var roleNames = []struct {
	role document.Role
	form func() *regexp.Regexp
}{
	{document.TitleRole, words.Expression(`(?i)^(?:.*[-_])?(?:job-?_?title|position(?:-?_?(?:name|title))?|designation|role(?:-?_?(?:name|title))?|hasoccupation|occupation)$`)},
	{document.CompanyRole, words.Expression(`(?i)^(?:.*[-_])?(?:company(?:-?_?name)?|employer(?:-?_?name)?|organi[sz]ation(?:-?_?name)?|worksfor)$`)},
}

// FindRole returns what the words of an attribute name.
func FindRole(attribute string) document.Role {
	for _, word := range strings.Fields(attribute) {
		for _, n := range roleNames {
			if n.form().MatchString(word) {
				return n.role
			}
		}
	}
	return 0
}

// AddMarkedText adds the lines of a text, and how they are set.
func (c *Collector) AddMarkedText(text, style string) {
	before := len(*c.CurrentLines())
	c.AddText(text)
	if style == "" || len(text) > 4*heading.MaxLength {
		return
	}
	for _, line := range (*c.CurrentLines())[before:] {
		mark(&c.doc.Markup.Styles, line, style)
	}
}

// AddRole adds the role that an element's name gives its text.
func (c *Collector) AddRole(text string, r document.Role) {
	if text = facts.Trim(tidyLine(text)); text != "" && len(text) <= words.MaxLine {
		mark(&c.doc.Markup.Roles, text, r)
	}
}

// mark notes the mark-up of a text. Of equal texts the first one counts.
func mark[M any](marks *map[string]M, text string, markup M) {
	if _, ok := (*marks)[text]; ok || len(*marks) >= maxMarked {
		return
	}
	if *marks == nil {
		*marks = make(map[string]M)
	}
	(*marks)[text] = markup
}
