package resume

import (
	"context"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
)

// Patterns of one line of Markdown. A search passes over the line once, because what begins a
// match also ends the previous one. Links are found by hand (markdown.go): a pattern that
// counts to 200 keeps 200 states for every open bracket.
var (
	lineMarks = expression(`^[ \t]{0,3}(?:#{1,6}[ \t]+|>[ \t]?|[-*_=]{3,}[ \t]*$)|[ \t]+#+[ \t]*$`)
	italics   = expression(`(^|[^\p{L}\p{N}_])_([^_\s][^_]*)_([^\p{L}\p{N}_]|$)`)
	firstPart = expression(`^((?:#{1,6}[ \t]+)?)(?:\*{1,3}([^*]+)\*{1,3}|__?([^_]+)__?),[ \t]+`)
	emphasis  = expression("\\*{1,3}([^*]+)\\*{1,3}|__([^_]+)__|`([^`]+)`")
)

// readText reads plain text and Markdown, without Markdown's mark-up.
func readText(ctx context.Context, content []byte, out *collector) error {
	text, err := decodeText(content, false)
	if err != nil {
		return err
	}
	marked, progress := markdown{out: out}, newCheckpoint(ctx)
	for line := range strings.SplitSeq(text, "\n") {
		if err := progress.countBytes(len(line) + 1); err != nil {
			return err
		}
		if out.hasLeftOut() {
			break
		}
		if len(line) > maxText {
			out.addText(line[:maxText])
			out.endText()
			break
		}
		style := ""
		if out.kind() == filetype.Markdown {
			if rest := strings.TrimLeft(line, "#"); len(rest) < len(line) {
				style = "#" + line[:len(line)-len(rest)]
			}
			line = marked.stripLine(line)
		}
		out.addMarkedText(line, style)
	}
	marked.addAddresses()
	return nil
}
