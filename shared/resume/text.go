package resume

import (
	"bytes"
	"context"
	"regexp"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

var (
	// markdownMark is a heading line or an inline link: what plain text hardly ever has.
	markdownMark = regexp.MustCompile(`(?m)^#{1,6} \S|\]\((?:https?://|mailto:)\S+\)`)
	markdownLink = regexp.MustCompile(`\[([^\]\n]{1,200})\]\(([^)\s]{1,999})\)`)
	autoLink     = regexp.MustCompile(`<((?:https?://|mailto:)[^>\s]{1,999})>`)
	lineMarks    = regexp.MustCompile(`(?m)^[ \t]{0,3}(?:#{1,6}[ \t]+|>[ \t]?|[-*_]{3,}[ \t]*$)|[ \t]+#+[ \t]*$`)
	emphasis     = regexp.MustCompile("\\*{1,3}([^*\n]+)\\*{1,3}|__([^_\n]+)__|`([^`\n]+)`")
)

// readText reads plain text and Markdown. Of Markdown it takes away what is mark-up and keeps the words.
func readText(_ context.Context, content []byte, out *collector) error {
	text, ok := decodeText(content)
	if !ok {
		return corrupt(nil)
	}
	if out.doc.Type == Markdown {
		text = stripMarkdown(text, out)
	}
	out.add(text)
	return nil
}

func stripMarkdown(text string, out *collector) string {
	for _, pattern := range []*regexp.Regexp{markdownLink, autoLink} {
		for _, m := range pattern.FindAllStringSubmatch(text, maxLinks) {
			out.link(m[len(m)-1])
		}
		text = pattern.ReplaceAllString(text, "$1")
	}
	text = lineMarks.ReplaceAllString(text, "")
	return emphasis.ReplaceAllString(text, "$1$2$3")
}

var notIn1252 = [256]bool{0: true, 0x81: true, 0x8d: true, 0x8f: true, 0x90: true, 0x9d: true}

// decodeText decodes UTF-8, UTF-16 with a mark, and else Windows-1252, in which
// old editors save. ok is false where a byte has no meaning in any of them.
func decodeText(content []byte) (text string, ok bool) {
	switch {
	case bytes.HasPrefix(content, []byte("\xff\xfe")):
		return decodeUTF16(content[2:], 0)
	case bytes.HasPrefix(content, []byte("\xfe\xff")):
		return decodeUTF16(content[2:], 1)
	case utf8.Valid(content):
		return string(bytes.TrimPrefix(content, utf8BOM)), true
	case slices.ContainsFunc(content, func(c byte) bool { return notIn1252[c] }):
		return "", false
	}
	decoded, err := charmap.Windows1252.NewDecoder().Bytes(content)
	return string(decoded), err == nil
}

// decodeUTF16 takes the position of the low byte's neighbour: 0 for little-endian, 1 for big-endian.
func decodeUTF16(content []byte, low int) (string, bool) {
	units := make([]uint16, len(content)/2)
	for i := range units {
		units[i] = uint16(content[2*i+low]) | uint16(content[2*i+1-low])<<8
	}
	return string(utf16.Decode(units)), len(content)%2 == 0
}
