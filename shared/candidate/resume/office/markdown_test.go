package office

import (
	"regexp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/local/testkit/resumetest"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/collect"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
)

// The scanner removes the same as these patterns, which cost a hundred times as much.
func TestMarkdownScannerAgreesWithPatterns(t *testing.T) {
	t.Parallel()
	labelled := regexp.MustCompile(`\[([^\]\n]{1,200})\]\(([^)\s]{1,999})\)`)
	bare := regexp.MustCompile(`<((?:https?://|mailto:)[^>\s]{1,999})>`)
	token := rapid.OneOf(
		rapid.SampledFrom([]string{"[", "]", "(", ")", "](", "[a](b)", "<", ">", "<http://", "<https://a>", "mailto:", "*", " ", "\t", "é", "語"}),
		rapid.Map(rapid.IntRange(195, 205), func(n int) string { return resumetest.Repeat(n, "l") }),
		rapid.Map(rapid.IntRange(995, 1003), func(n int) string { return resumetest.Repeat(n, "t") }),
	)
	rapid.Check(t, func(t *rapid.T) {
		line := ""
		for _, piece := range rapid.SliceOfN(token, 0, 12).Draw(t, "pieces") {
			line += piece
		}
		var wantLinks []string
		for _, m := range labelled.FindAllStringSubmatch(line, -1) {
			wantLinks = append(wantLinks, m[2])
		}
		want := labelled.ReplaceAllString(line, "$1")
		for _, m := range bare.FindAllStringSubmatch(want, -1) {
			wantLinks = append(wantLinks, m[1])
		}
		want = bare.ReplaceAllString(want, "$1")
		out := collect.New(filetype.Markdown)
		m := markdown{out: out}
		got := m.stripAddresses(m.stripLinks(line))
		m.addAddresses()
		out.AddText("Maya Okafor")
		links := out.FinishDocument().Links
		if got != want {
			t.Errorf("%q: got %q, want %q", line, got, want)
		}
		for _, link := range wantLinks {
			if !slices.Contains(links, link) {
				t.Errorf("%q: the link %q is missing from %q", line, link, links)
			}
		}
	})
}
