package main

import (
	"strings"
	"unicode/utf8"
)

const textWidth = 84

// formatText sets a resume in fixed columns, as plain text or Markdown.
func formatText(blocks []block, s style, markdown bool) []byte {
	w := &textWriter{s: s, markdown: markdown}
	w.write(blocks)
	return []byte(w.out.String())
}

type textWriter struct {
	out      strings.Builder
	s        style
	markdown bool
}

func (w *textWriter) write(blocks []block) {
	for _, b := range blocks {
		if b.Kind == row {
			w.writeRow(b.Cells)
			continue
		}
		if b.Kind == heading || b.Kind == headLine {
			w.out.WriteString("\n")
		}
		w.out.WriteString(w.format(b) + "\n")
	}
}

// format returns a block's line or lines.
func (w *textWriter) format(b block) string {
	text := alignRight(b.Text)
	switch b.Kind {
	case nameLine:
		if w.markdown {
			return "# " + text
		}
	case heading:
		return w.formatHeading(text)
	case headLine:
		if w.markdown {
			return "### " + strings.ReplaceAll(b.Text, "\t", " | ")
		}
	case line, contactLine:
		if w.markdown {
			return strings.ReplaceAll(b.Text, "\t", " | ") + "  "
		}
	case bullet:
		mark := w.s.Bullet
		if w.markdown {
			mark = "- "
		}
		return mark + wrapText(text, strings.Repeat(" ", utf8.RuneCountInString(mark)))
	case paragraph:
		return wrapText(text, "")
	}
	return text
}

func (w *textWriter) formatHeading(text string) string {
	if w.markdown {
		return "## " + text + "\n"
	}
	switch w.s.Look % 4 {
	case 0:
		return text + "\n" + strings.Repeat("-", utf8.RuneCountInString(text))
	case 1:
		return text + ":"
	case 2:
		return "== " + text + " =="
	}
	return text
}

// writeRow sets the first cell left of the others' lines.
func (w *textWriter) writeRow(cells [][]block) {
	label := alignRight(cells[0][0].Text)
	for i, b := range cells[len(cells)-1] {
		if i > 0 {
			label = ""
		}
		text := strings.ReplaceAll(w.format(b), "\n", "\n"+strings.Repeat(" ", 24))
		w.out.WriteString(strings.TrimRight(padText(label, 24)+strings.TrimPrefix(text, "### "), " ") + "\n")
	}
}

// alignRight replaces a tab by the spaces that push what follows to the margin.
func alignRight(text string) string {
	left, right, ok := strings.Cut(text, "\t")
	if !ok {
		return text
	}
	return padText(left, textWidth-utf8.RuneCountInString(right)) + right
}

// padText adds at least two spaces, up to a width.
func padText(text string, width int) string {
	return text + strings.Repeat(" ", max(2, width-utf8.RuneCountInString(text)))
}

// wrapText breaks a text at words and indents the lines after the first.
func wrapText(text, indent string) string {
	var out strings.Builder
	length := 0
	for i, word := range strings.Fields(text) {
		switch {
		case i > 0 && length+utf8.RuneCountInString(word) > textWidth-4:
			out.WriteString("\n" + indent)
			length = 0
		case i > 0:
			out.WriteString(" ")
		}
		out.WriteString(word)
		length += utf8.RuneCountInString(word) + 1
	}
	return out.String()
}
