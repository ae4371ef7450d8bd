package collect

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
)

func TestFoldingTearsNoWord(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[a-zé@.]{1,60}`), 1, 200).Draw(t, "words")
		out := New(filetype.Text)
		out.AddText(strings.Join(words, " "))
		if got := strings.Fields(strings.Join(slices.Concat(out.FinishDocument().Blocks...), " ")); !cmp.Equal(got, words) {
			t.Fatalf("folding changed the words: %s", cmp.Diff(words, got))
		}
	})
}

// A style is that of every line of a text, as the document has it.
func TestStylesOfTexts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]map[string]string{
		"Mein Weg":           {"Mein Weg": "Heading1"},
		"Mein Weg\nbisher":   {"Mein Weg": "Heading1", "bisher": "Heading1"},
		"Acme, 2019 –\n2021": {"Acme, 2019 –": "Heading1", "2021": "Heading1"},
	} {
		out := New(filetype.DOCX)
		out.AddMarkedText(text, "Heading1")
		if diff := cmp.Diff(want, out.FinishDocument().Markup.Styles); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}
