package facts

import (
	"testing"
)

func TestEmployersInSmallLetters(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"tern interactive": true, "blue kite labs2": true, "zona norte": false, "and coast": false, "led a crew": false, "helped with teams": false} {
		if got := (Fact{Text: text, Paired: true}).IsEmployerLike(); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}
