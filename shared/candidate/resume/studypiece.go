package resume

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// studyPieces splits a line as splitFacts does, but keeps "BSc, Mathematics" together.
func studyPieces(line string) []string {
	var pieces []string
	for _, part := range separator().Split(line, 12) {
		part = trimFact(part)
		if m := inBrackets().FindStringSubmatchIndex(part); m != nil && isPlace(part[m[2]:m[3]]) {
			part = part[:m[0]]
		}
		if left, right, ok := strings.Cut(part, ": "); ok && isSchool(left) != isSchool(right) && isDegree(left) != isDegree(right) {
			pieces = append(pieces, left)
			part = right
		}
		list := commaGap().Split(part, 8)
		if found := trailingPlace(list, len(list) > 2); found != "" && !isCityOfSchool(list) && len(list) > len(commaGap().Split(found, 5)) {
			list = list[:len(list)-len(commaGap().Split(found, 5))]
		}
		kept := list[:0:0]
		for _, piece := range splitStudies(list) {
			if n := len(kept) - 1; n >= 0 && (isPartOfSchool(kept[n], piece) || !isSchool(piece) && (isDegree(kept[n]) || isSchool(kept[n]) && !isDegree(piece))) {
				kept[n] += ", " + piece
			} else if piece != "" {
				kept = append(kept, piece)
			}
		}
		pieces = append(pieces, kept...)
	}
	return pieces
}

// isPartOfSchool reports whether a school and the next piece are one: "School of Law, Ashdown University".
func isPartOfSchool(school, piece string) bool {
	return isSchool(school) && isSchool(piece) && !isDegree(school) && !isDegree(piece)
}

// splitStudies splits the pieces that hold both a school and a degree: "BSc Physics at Ashdown
// University", "Ashdown College BSc Physics".
func splitStudies(list []string) []string {
	var out []string
	for _, piece := range list {
		left, right := cutStudy(piece)
		if out = append(out, left); right != "" {
			out = append(out, right)
		}
	}
	return out
}

func cutStudy(piece string) (left, right string) {
	if !isSchool(piece) || !isDegree(piece) {
		return piece, ""
	}
	if a, b, ok := strings.Cut(piece, " / "); ok && isSchool(a) != isSchool(b) && isDegree(a) != isDegree(b) {
		return a, b
	}
	for _, gap := range atWord().FindAllStringIndex(piece, 4) {
		if a, b := piece[:gap[0]], piece[gap[1]:]; isDegree(a) && !isSchool(a) && isSchool(b) && !isDegree(b) {
			return a, b
		}
	}
	tokens := scanTokens(piece)
	for i, t := range tokens {
		if t.kind != spaceToken || vocabulary().degreeWords.findAt(tokens, i+1) == i+1 {
			continue
		}
		a, b := strings.TrimRight(piece[:t.first], " /"), piece[t.last:]
		if isWholeSchool(a) && isCapital(b) && !isSchool(b) {
			return a, b
		}
	}
	return piece, ""
}

// kindsOfSchools are words before "School" that name its kind.
var kindsOfSchools = wordSet("art arts business community grammar high law medical music primary secondary state technical vocational")

// isKindOfSchool reports whether a piece is the end of a school's name, whose beginning must be
// on the line above: "School", "Community College".
func isKindOfSchool(piece string) bool {
	words := strings.Fields(strings.ToLower(piece))
	for _, word := range words[:len(words)-1] {
		if !kindsOfSchools[word] {
			return false
		}
	}
	return len(words) < 3 && isSchool(words[len(words)-1])
}

// openWords are the prepositions and articles that never end a school's or a degree's name.
var openWords = wordSet("of in and for the de del della dello delle degli di da do das dos du des der für van voor het för av og och en em et e y w z i и та")

// endsOpen reports whether the line below continues a name: "Institute of".
func endsOpen(name string) bool {
	return len(name) < maxLine && openWords[name[strings.LastIndexByte(name, ' ')+1:]]
}

// isWholeSchool reports whether the beginning of a piece is a school's name: "Ashdown College",
// but neither "College" nor "Faculdade de".
func isWholeSchool(text string) bool {
	words := strings.Fields(text)
	return len(words) > 1 && isCapital(words[len(words)-1]) && isSchool(text) && !isDegree(text)
}

func isCapital(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsUpper(first) || unicode.IsTitle(first)
}

// isCityOfSchool reports whether a city alone stands behind a school, to whose name it may
// belong: "Institute of Applied Arts, Delhi".
func isCityOfSchool(list []string) bool {
	n := len(list) - 1
	return n > 0 && isSchool(list[n-1]) && !isCountry(list[n]) && (n == 1 || isDegree(list[0]))
}
