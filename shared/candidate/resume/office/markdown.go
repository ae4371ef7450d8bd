package office

import (
	"html"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/collect"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
)

// markdown removes the mark-up of lines and collects what they link to.
type markdown struct {
	out       *collect.Collector
	addresses []string // of <https://…>, which follow the links with a label
}

func (m *markdown) stripLine(line string) string {
	line = m.stripLinks(line)
	line = firstPart().ReplaceAllString(line, "$1$2$3,\t") // "**Engineer**, Acme" has two parts
	for range min(2, strings.Count(line, "_")) {           // a match takes the space before the next
		line = italics().ReplaceAllString(line, "$1$2$3")
	}
	return html.UnescapeString(emphasis().ReplaceAllString(lineMarks().ReplaceAllString(line, ""), "$1$2$3"))
}

// stripLinks replaces [label](target) with the label, and <target> with the target.
func (m *markdown) stripLinks(line string) string {
	for _, link := range labelledLink().FindAllStringSubmatch(line, -1) {
		m.out.AddLink(link[2])
	}
	line = labelledLink().ReplaceAllString(line, "$1")
	for _, link := range bareLink().FindAllStringSubmatch(line, document.MaxLinks-len(m.addresses)) {
		m.addresses = append(m.addresses, link[1])
	}
	return bareLink().ReplaceAllString(line, "$1")
}

// addAddresses adds the links without a label, after those with one.
func (m *markdown) addAddresses() {
	for _, address := range m.addresses {
		m.out.AddLink(address)
	}
}
