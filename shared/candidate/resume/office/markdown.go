package office

import (
	"html"
	"strings"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/collect"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
)

const (
	maxLabel  = 200 // characters of a Markdown link's text
	maxTarget = 999 // characters of its target
)

// markdown removes the mark-up of lines and collects what they link to.
type markdown struct {
	out       *collect.Collector
	addresses []string // of <https://…>, which follow the links with a label
}

func (m *markdown) stripLine(line string) string {
	line = m.stripAddresses(m.stripLinks(line))
	line = firstPart().ReplaceAllString(line, "$1$2$3,\t") // "**Engineer**, Acme" has two parts
	for range min(2, strings.Count(line, "_")) {           // a match takes the space before the next
		line = italics().ReplaceAllString(line, "$1$2$3")
	}
	return html.UnescapeString(emphasis().ReplaceAllString(lineMarks().ReplaceAllString(line, ""), "$1$2$3"))
}

// stripLinks replaces [label](target) with the label. It looks back from each closing
// bracket, so that it passes over a line once however many brackets are open.
func (m *markdown) stripLinks(line string) string {
	var b strings.Builder
	done := 0 // everything before this index is in b
	for at := 0; ; {
		length := strings.IndexByte(line[at:], ']')
		if length < 0 {
			return b.String() + line[done:]
		}
		end := at + length
		open := labelStart(line[at:end])
		target, ok := cutTarget(line[end+1:])
		if open < 0 || !ok {
			at = end + 1
			continue
		}
		b.WriteString(line[done:at+open] + line[at+open+1:end])
		m.out.AddLink(target)
		done = end + len("](") + len(target) + len(")")
		at = done
	}
}

// labelStart returns the index of the first bracket that opens a label of at most
// maxLabel characters at the end of text, or -1.
func labelStart(text string) int {
	from := len(text)
	for n := 0; from > 0 && n <= maxLabel; n++ {
		_, size := utf8.DecodeLastRuneInString(text[:from])
		from -= size
	}
	open := strings.IndexByte(text[from:], '[')
	if open < 0 || from+open+1 == len(text) {
		return -1
	}
	return from + open
}

// cutTarget returns the text between the parentheses with which text begins.
func cutTarget(text string) (string, bool) {
	inside, ok := strings.CutPrefix(text, "(")
	if !ok {
		return "", false
	}
	return cutAddress(inside, ')')
}

// cutAddress returns the characters before end: at least one, at most maxTarget, and no
// space.
func cutAddress(text string, end rune) (string, bool) {
	n := 0
	for i, r := range text {
		switch {
		case r == end:
			return text[:i], n > 0
		case n == maxTarget, strings.ContainsRune(" \t\r\n\f", r):
			return "", false
		}
		n++
	}
	return "", false
}

// stripAddresses removes the brackets of <https://…> and <mailto:…>.
func (m *markdown) stripAddresses(line string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(line, "<")
		if !found {
			return b.String() + line
		}
		b.WriteString(before)
		if address, ok := cutAutoLink(rest); ok {
			if len(m.addresses) < document.MaxLinks {
				m.addresses = append(m.addresses, address)
			}
			b.WriteString(address)
			line = rest[len(address)+1:]
			continue
		}
		b.WriteByte('<')
		line = rest
	}
}

// cutAutoLink returns the address before the closing bracket.
func cutAutoLink(text string) (string, bool) {
	for _, scheme := range []string{"https://", "http://", "mailto:"} {
		if rest, ok := strings.CutPrefix(text, scheme); ok {
			address, ok := cutAddress(rest, '>')
			return scheme + address, ok
		}
	}
	return "", false
}

// addAddresses adds the links without a label, after those with one.
func (m *markdown) addAddresses() {
	for _, address := range m.addresses {
		m.out.AddLink(address)
	}
}
