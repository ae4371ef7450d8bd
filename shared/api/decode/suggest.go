package decode

import "strings"

// suggest finds the accepted value that was probably meant; empty if none is
// near. Case, spaces and hyphens do not count, because display names are what
// people send.
func suggest(sent string, accepted []string) string {
	sent = fold(sent)
	if len(sent) < 2 || len(sent) > 64 {
		return ""
	}
	best, least := "", max(1, len(sent)/5)+1
	for _, v := range accepted {
		folded := fold(v)
		d := distance(sent, folded)
		if d > 0 && strings.HasPrefix(folded, sent) {
			d = 1
		}
		if d < least {
			best, least = v, d
		}
	}
	return best
}

var separators = strings.NewReplacer(" ", "_", "-", "_", "/", "_")

func fold(v string) string { return strings.ToLower(separators.Replace(strings.TrimSpace(v))) }

// distance counts the edits between two strings, where a swap of neighbours is
// one (optimal string alignment).
func distance(a, b string) int {
	older, old, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range old {
		old[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(old[j+1]+1, row[j]+1, old[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], older[j-1]+1)
			}
		}
		older, old, row = old, row, older
	}
	return old[len(b)]
}
