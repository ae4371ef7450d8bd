package text

// maxDistanceLetters keeps every distance within the 8 bits of a cell.
const maxDistanceLetters = 250

// Distance returns the number of edits that turn a into b, or limit+1 if it takes
// more than limit. An edit replaces, adds or removes a letter, or swaps two
// neighbours; no letter is edited twice (optimal string alignment). Words of more
// than 250 letters are not compared: their distance is limit+1.
func Distance[T byte | rune](a, b []T, limit int) int {
	if max(len(a), len(b)) > maxDistanceLetters || max(len(a)-len(b), len(b)-len(a)) > limit {
		return limit + 1
	}
	before := make([]uint8, len(b)+1)
	above := make([]uint8, len(b)+1)
	row := make([]uint8, len(b)+1)
	for j := range above {
		above[j] = uint8(j)
	}
	for i := range a {
		if NextDistances(row, above, before, b, a[:i+1], limit) > limit {
			return limit + 1
		}
		before, above, row = above, row, before
	}
	return min(int(above[len(b)]), limit+1)
}

// NextDistances fills row[j] with the distance between path and the first j
// letters of word, and returns the least of them, which no longer path can go
// below. Distances above limit are not exact: any number above limit may represent them.
// Cells with a j that differs from path's length by more than limit are not filled.
// above is the row of path without its last letter, before that of path
// without its last two; the row of an empty path is 0, 1, 2 and so on. Callers that
// compare many words in order reuse the rows of a common prefix, with one limit. The rows have
// len(word)+1 cells; path has at least one letter and, like word, at most 250.
func NextDistances[T byte | rune](row, above, before []uint8, word, path []T, limit int) int {
	depth := len(path)
	letter := path[depth-1]
	row = row[:len(word)+1]
	above = above[:len(word)+1]
	before = before[:len(word)+1]
	limit = min(limit, maxDistanceLetters)
	first := max(1, depth-limit)
	last := min(len(word), depth+limit)
	if first > len(row) {
		return limit + 1
	}
	row[first-1] = uint8(min(depth, limit+1))
	least := row[first-1]
	for j := first; j <= last; j++ {
		cost := above[j-1]
		if word[j-1] != letter {
			cost = min(cost, above[j], row[j-1]) + 1
			// A swap costs no less than the replacement in the row above, so least
			// bounds later rows although swaps reach back two.
			if depth > 1 && j > 1 && word[j-2] == letter && word[j-1] == path[depth-2] {
				cost = min(cost, before[j-2]+1)
			}
		}
		row[j] = cost
		least = min(least, cost)
	}
	if last+1 < len(row) {
		row[last+1] = uint8(limit + 1) // the next row reads it
	}
	return int(least)
}
