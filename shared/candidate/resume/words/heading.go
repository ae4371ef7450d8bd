package words

import (
	"strings"
	"unicode"
)

// Section is a part of a resume as its headings name it.
type Section string

// The parts of a resume.
const (
	HeaderSection     Section = "header" // before the first heading
	ExperienceSection Section = "experience"
	EducationSection  Section = "education"
	SkillsSection     Section = "skills"
	LanguagesSection  Section = "languages"
	SummarySection    Section = "summary"
	RefereesSection   Section = "references" // other people's addresses
	OtherSection      Section = "other"      // other headings; their text is not read
	UnknownSection    Section = "unknown"    // a line set as a heading, with unknown words
)

// HeadingClue returns the section that a word of a heading names: as the only word of a
// known heading, or as one that headings are made of.
func (v *Index) HeadingClue(word string) (Section, bool) {
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
