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
		c.addStyle(line, style)
	}
}

// addStyle notes how a line is set. Of equal lines the first one counts.
func (c *Collector) addStyle(line, style string) {
	if len(c.doc.Markup.Styles) >= maxMarked || c.doc.Markup.Styles[line] != "" {
		return
	}
	if c.doc.Markup.Styles == nil {
		c.doc.Markup.Styles = make(map[string]string)
	}
	c.doc.Markup.Styles[line] = style
}

// AddRole adds the role that an element's name gives its text.
func (c *Collector) AddRole(text string, r document.Role) {
	text = facts.Trim(tidyLine(text))
	if text == "" || len(text) > words.MaxLine || len(c.doc.Markup.Roles) >= maxMarked || c.doc.Markup.Roles[text] > 0 {
		return
	}
	if c.doc.Markup.Roles == nil {
		c.doc.Markup.Roles = make(map[string]document.Role)
	}
	c.doc.Markup.Roles[text] = r
}
