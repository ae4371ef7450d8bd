package resume

import (
	"context"
	"regexp"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
)

var (
	markdownLink = regexp.MustCompile(`\[([^\]\n]{1,200})\]\(([^)\s]{1,999})\)`)
	autoLink     = regexp.MustCompile(`<((?:https?://|mailto:)[^>\s]{1,999})>`)
	lineMarks    = regexp.MustCompile(`(?m)^[ \t]{0,3}(?:#{1,6}[ \t]+|>[ \t]?|[-*_]{3,}[ \t]*$)|[ \t]+#+[ \t]*$`)
	emphasis     = regexp.MustCompile("\\*{1,3}([^*\n]+)\\*{1,3}|__([^_\n]+)__|`([^`\n]+)`")
)

// readText reads plain text and Markdown, without Markdown's mark-up.
func readText(_ context.Context, content []byte, out *collector) error {
	text, ok := filetype.DecodeText(content)
	if !ok {
		return corruptFailure(nil)
	}
	if out.doc.Type == filetype.Markdown {
		text = stripMarkdown(text, out)
	}
	out.addText(text)
	return nil
}

func stripMarkdown(text string, out *collector) string {
	for _, pattern := range []*regexp.Regexp{markdownLink, autoLink} {
		for _, m := range pattern.FindAllStringSubmatch(text, maxLinks) {
			out.addLink(m[len(m)-1])
		}
		text = pattern.ReplaceAllString(text, "$1")
	}
	text = lineMarks.ReplaceAllString(text, "")
	return emphasis.ReplaceAllString(text, "$1$2$3")
}
