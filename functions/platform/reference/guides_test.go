package main

import (
	"strings"
	"testing"
)

// Blocks of code and tables look the same inside of lists and quotations as outside.
func TestNestedBlocksAreColouredAndLabelled(t *testing.T) {
	t.Parallel()
	const block = "```json\n{\"a\": 1}\n```\n\n| Name | Note |\n| --- | --- |\n| x | y |\n"
	for name, text := range map[string]string{
		"at the top":     block + "\n" + block,
		"in a list":      "- " + strings.ReplaceAll(block, "\n", "\n  ") + "\n\n" + block,
		"in a quotation": "> " + strings.ReplaceAll(block, "\n", "\n> ") + "\n\n" + block,
	} {
		got := renderMarkdown([]byte(text))
		if strings.Count(got, "<pre tabindex=0>") != 2 || strings.Count(got, `data-label="Note"`) != 2 {
			t.Errorf("%s: got\n%s", name, got)
		}
	}
}
