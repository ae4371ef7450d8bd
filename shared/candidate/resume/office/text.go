// Package office reads plain text, Markdown, HTML, RTF, DOCX and ODT.
package office

import (
	"context"
	"html"
	"strings"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/charset"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/collect"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// Patterns of one line of Markdown. A search passes over the line once, because what begins a match also ends the
// previous one. The patterns of links count nothing: one that counts to 200 keeps 200 states for every open bracket.
var (
	labelledLink = words.Expression(`\[([^\]]+)\]\(([^)\s]+)\)`)
	bareLink     = words.Expression(`<((?:https?://|mailto:)[^>\s]+)>`)

	lineMarks = words.Expression(`^[ \t]{0,3}(?:#{1,6}[ \t]+|>[ \t]?|[-*_=]{3,}[ \t]*$)|[ \t]+#+[ \t]*$`)
	italics   = words.Expression(`(^|[^\p{L}\p{N}_])_([^_\s][^_]*)_([^\p{L}\p{N}_]|$)`)
	firstPart = words.Expression(`^((?:#{1,6}[ \t]+)?)(?:\*{1,3}([^*]+)\*{1,3}|__?([^_]+)__?),[ \t]+`)
	escaped   = words.Expression(`\\[[:punct:]]`)
	emphasis  = words.Expression("\\*{1,3}([^*]+)\\*{1,3}|__([^_]+)__|`([^`]+)`")
)

// ReadText reads plain text and Markdown, without Markdown's mark-up.
func ReadText(ctx context.Context, content []byte, out *collect.Collector) error {
	text, err := charset.Decode(content, false)
	if err != nil {
		return err
	}
	marked := markdown{out: out}
	progress := document.Checkpoint{Context: ctx}
	for line := range strings.SplitSeq(text, "\n") {
		if err := progress.CountBytes(len(line) + 1); err != nil {
			return err
		}
		if out.HasLeftOut() {
			break
		}
		if len(line) > document.MaxText {
			out.AddText(line[:document.MaxText])
			out.EndText()
			break
		}
		style := ""
		if out.Kind() == filetype.Markdown {
			if rest := strings.TrimLeft(line, "#"); len(rest) < len(line) {
				style = "#" + line[:len(line)-len(rest)]
			}
			line = marked.stripLine(line)
		}
		out.AddMarkedText(line, style)
	}
	for _, address := range marked.addresses {
		out.AddLink(address)
	}
	return nil
}

// markdown removes the mark-up of lines and collects what they link to.
type markdown struct {
	out       *collect.Collector
	addresses []string // of <https://…>, which follow the links with a label
}

// stripLine returns a line without mark-up, and without the backslash that breaks it at its end. A mark behind a
// backslash is text; it is hidden until the others are stripped.
func (m *markdown) stripLine(line string) string {
	line = strings.Map(func(r rune) rune {
		if isHiddenMark(r) {
			return -1 // the file's own, which would be shown as a mark
		}
		return r
	}, line)
	line = escaped().ReplaceAllStringFunc(line, func(mark string) string { return string(hiddenMarks + rune(mark[1])) })
	line = strings.TrimSuffix(strings.TrimRight(line, "\r"), `\`)
	for _, link := range labelledLink().FindAllStringSubmatch(line, -1) {
		m.out.AddLink(showEscaped(link[2]))
	}
	line = labelledLink().ReplaceAllString(line, "$1")
	for _, link := range bareLink().FindAllStringSubmatch(line, document.MaxLinks-len(m.addresses)) {
		m.addresses = append(m.addresses, showEscaped(link[1]))
	}
	line = bareLink().ReplaceAllString(line, "$1")
	line = firstPart().ReplaceAllString(line, "$1$2$3,\t") // "**Engineer**, Acme" has two parts
	for range min(2, strings.Count(line, "_")) {           // a match takes the space before the next
		line = italics().ReplaceAllString(line, "$1$2$3")
	}
	return showEscaped(html.UnescapeString(emphasis().ReplaceAllString(lineMarks().ReplaceAllString(line, ""), "$1$2$3")))
}

// hiddenMarks is the first of the characters, for private use, that stand for ASCII marks which are text.
const hiddenMarks = '\U0010ff00'

func isHiddenMark(r rune) bool { return r >= hiddenMarks && r < hiddenMarks+utf8.RuneSelf }

func showEscaped(text string) string {
	return strings.Map(func(r rune) rune {
		if isHiddenMark(r) {
			return r - hiddenMarks
		}
		return r
	}, text)
}
