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
