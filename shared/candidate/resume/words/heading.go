package words

import (
	"strings"
	"unicode"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/section"
)

// HeadingClue returns the section that a word of a heading names: as the only word of a
// known heading, or as one that headings are made of.
func (v *Index) HeadingClue(word string) (section.Name, bool) {
	s, ok := v.Headings[word]
	if !ok {
		s, ok = v.headingClues[word]
	}
	return s, ok
}

// HeadingKey returns the words of a line, folded, with one space between them.
func HeadingKey(line string) string {
	line = Fold(strings.ReplaceAll(line, "&", " and "))
	return strings.Join(strings.FieldsFunc(line, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }), " ")
}
