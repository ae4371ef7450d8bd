package text

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestDistance(t *testing.T) {
	t.Parallel()
	tests := []struct {
		a, b        string
		limit, want int
	}{
		{"", "", 0, 0},
		{"berlin", "berlin", 0, 0},
		{"berlin", "berln", 2, 1},
		{"berlin", "berllin", 2, 1},
		{"berlin", "merlin", 2, 1},
		{"berlin", "brelin", 2, 1},
		{"ca", "abc", 5, 3}, // no letter is edited twice
		{"łódź", "lodz", 5, 3},
		{"berlin", "paris", 9, 4},
		{"berlin", "paris", 2, 3},
		{"", "berlin", 2, 3},
		{strings.Repeat("a", 250), strings.Repeat("b", 250), 300, 250},
		{strings.Repeat("a", 251), strings.Repeat("a", 251), 0, 1},
	}
	for _, tt := range tests {
		if got := Distance([]rune(tt.a), []rune(tt.b), tt.limit); got != tt.want {
			t.Errorf("Distance(%q, %q, %d) = %d, want %d", tt.a, tt.b, tt.limit, got, tt.want)
		}
	}
}

// The recurrence as textbooks write it, without limits or reuse of rows.
func TestDistanceIsOptimalStringAlignment(t *testing.T) {
	t.Parallel()
	var align func(a, b string) int
	align = func(a, b string) int {
		n := len(a)
		m := len(b)
		if n == 0 || m == 0 {
			return n + m
		}
		best := align(a[:n-1], b[:m-1])
		if a[n-1] != b[m-1] {
			best = 1 + min(best, align(a[:n-1], b), align(a, b[:m-1]))
		}
		if n > 1 && m > 1 && a[n-1] == b[m-2] && a[n-2] == b[m-1] {
			best = min(best, 1+align(a[:n-2], b[:m-2]))
		}
		return best
	}
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[abc]{0,6}`)
		a := word.Draw(t, "a")
		b := word.Draw(t, "b")
		limit := rapid.IntRange(0, 7).Draw(t, "limit")
		if got, want := Distance([]byte(a), []byte(b), limit), min(align(a, b), limit+1); got != want {
			t.Fatalf("Distance(%q, %q, %d) = %d, want %d", a, b, limit, got, want)
		}
	})
}
