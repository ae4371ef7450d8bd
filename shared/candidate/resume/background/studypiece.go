package background

import (
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// studyPieces splits a line as facts.Split does, but keeps "BSc, Mathematics" together.
func studyPieces(line string) []string {
	var pieces []string
	for _, part := range facts.Separator().Split(line, 12) {
		part = facts.Trim(part)
		if m := facts.InBrackets().FindStringSubmatchIndex(part); m != nil && facts.IsPlace(part[m[2]:m[3]]) {
			part = part[:m[0]]
		}
		if left, right, ok := strings.Cut(part, ": "); ok && areSchoolAndDegree(left, right) {
			pieces = append(pieces, left)
			part = right
		}
		list := facts.CommaGap().Split(part, 8)
		if n := facts.CountPlace(list, len(list) > 2); n > 0 && n < len(list) && !isCityOfSchool(list) {
			list = list[:len(list)-n]
		}
		var studies, kept []string
		for _, piece := range list {
			studies = append(studies, cutStudy(piece)...)
		}
		for _, piece := range studies {
			if n := len(kept) - 1; n >= 0 && continuesPiece(kept[n], piece) {
				kept[n] += ", " + piece
			} else if piece != "" {
				kept = append(kept, piece)
			}
		}
		pieces = append(pieces, kept...)
	}
	return pieces
}

// continuesPiece reports whether a piece belongs to the one before: a degree and its field, or a school and its part.
func continuesPiece(before, piece string) bool {
	switch {
	case isOnlySchool(before) && isOnlySchool(piece): // "School of Law, Ashdown University"
		return true
	case facts.IsSchool(piece):
		return false
	case facts.IsDegree(before):
		return true
	}
	return facts.IsSchool(before) && !facts.IsDegree(piece)
}

// areSchoolAndDegree reports whether one of two texts has a school's word, and one a degree's.
func areSchoolAndDegree(a, b string) bool {
	return facts.IsSchool(a) != facts.IsSchool(b) && facts.IsDegree(a) != facts.IsDegree(b)
}

func isOnlySchool(text string) bool { return facts.IsSchool(text) && !facts.IsDegree(text) }

// cutStudy splits a piece that holds both a school and a degree: "BSc Physics at Ashdown University", "Ashdown College
// BSc Physics".
func cutStudy(piece string) []string {
	if !facts.IsSchool(piece) || !facts.IsDegree(piece) {
		return []string{piece}
	}
	if a, b, ok := strings.Cut(piece, " / "); ok && areSchoolAndDegree(a, b) {
		return []string{a, b}
	}
	for _, gap := range facts.AtWord().FindAllStringIndex(piece, 4) {
		a := piece[:gap[0]]
		b := piece[gap[1]:]
		if facts.IsDegree(a) && !facts.IsSchool(a) && isOnlySchool(b) {
			return []string{a, b}
		}
	}
	tokens := words.Scan(piece)
	for i, t := range tokens {
		_, next := words.Vocabulary().DegreeWords.Find(tokens, i+1)
		if t.Kind != words.Space || next == i+1 {
			continue
		}
		a := strings.TrimRight(piece[:t.First], " /")
		b := piece[t.Last:]
		if isWholeSchool(a) && words.IsCapital(b) && !facts.IsSchool(b) {
			return []string{a, b}
		}
	}
	return []string{piece}
}

// kindsOfSchools are words before "School" that name its kind.
var kindsOfSchools = words.Set("art arts business community grammar high law medical music primary secondary state technical vocational")

// isKindOfSchool reports whether a piece is the end of a school's name that must begin on the
// line above: "School", "Community College".
func isKindOfSchool(piece string) bool {
	words := strings.Fields(strings.ToLower(piece))
	last := len(words) - 1
	isOther := slices.ContainsFunc(words[:last], func(word string) bool { return !kindsOfSchools[word] })
	return last < 2 && !isOther && facts.IsSchool(words[last])
}

// openWords are the prepositions and articles that never end a school's or a degree's name.
var openWords = words.Set(`of in and for the de del della dello delle degli di da do das dos du des der für van voor het för av og och
	en em et e y w z i и та`)

// endsOpen reports whether the line below continues a name: "Institute of".
func endsOpen(name string) bool {
	return len(name) < words.MaxLine && openWords[name[strings.LastIndexByte(name, ' ')+1:]]
}

// isWholeSchool reports whether the beginning of a piece is a school's name: "Ashdown College",
// but neither "College" nor "Faculdade de".
func isWholeSchool(text string) bool {
	terms := strings.Fields(text)
	return len(terms) > 1 && words.IsCapital(terms[len(terms)-1]) && isOnlySchool(text)
}

// isCityOfSchool reports whether a city alone follows a school and may belong to its name:
// "Institute of Applied Arts, Delhi".
func isCityOfSchool(list []string) bool {
	n := len(list) - 1
	if n < 1 || facts.IsCountry(list[n]) {
		return false
	}
	return facts.IsSchool(list[n-1]) && (n == 1 || facts.IsDegree(list[0]))
}
