// Package office reads plain text, Markdown, HTML, RTF, DOCX and ODT.
package office

import (
	"context"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/charset"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/collect"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// Patterns of one line of Markdown. A search passes over the line once, because what begins a
// match also ends the previous one. The patterns of links count nothing: one that counts to 200 keeps 200 states for
// every open bracket.
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
	progress := document.NewCheckpoint(ctx)
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
	marked.addAddresses()
	return nil
}
