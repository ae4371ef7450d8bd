// Package heading recognizes headings and divides the lines of a document into sections.
package heading

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// Is reports whether a line is a heading of known words.
func Is(line string) bool {
	_, ok := Parse(line)
	return ok
}

const MaxLength = 40 // characters

// headingForms match headings that vary in a word: "Clinical Experience", "Statistical Skills".
var headingForms = []struct {
	section words.Section
	form    func() *regexp.Regexp
}{
	{words.ExperienceSection, words.Pattern(`^(?:<experience-kind> ){1,3}<experience-noun>$`)},
	{words.ExperienceSection, words.Pattern(`^(?:\p{L}+ ){1,2}<jobs-noun>(?: <jobs-behind>)?$`)},
	{words.ExperienceSection, words.Pattern(`^<jobs-alone>$`)},
	{words.SkillsSection, words.Pattern(`^(?:\p{L}+ ){0,3}<skills-noun>(?: <skills-and> \p{L}+| \p{L}+)?$`)},
	{words.SkillsSection, words.Pattern(`^(?:<skills-kind>|\p{L}+ <skills-and>) <knowledge-noun>$`)},
	{words.LanguagesSection, words.Pattern(`^<languages-heading>$`)},
}

var (
	// noJobs matches what is done for nothing, and what customers experience: a skill.
	noJobs       = words.Pattern(`^<no-jobs>\b.* <no-jobs-noun>$`)
	mixedCase    = words.Expression(`\p{Lu}\p{Ll}{3}.* \p{Lu}{4}|\p{Lu}{4}.* \p{Lu}\p{Ll}{3}`) // of two texts that were joined: "Salesforce EXPERIENCE"
	numberedName = words.Expression(`^(?:1[6-9]|[2-9]\d|\d{3,}) `)                             // no heading: "21 Degrees", "360 Education"
	// headingMark matches the number of a heading, and what it has on the next page.
	headingMark = words.Pattern(`(?i)^\d{1,2}(?:[.)]\s+|\t)|[\s,(–-]+<continued>\)?$`)
)

// Parse returns the section of a heading, and whether line is one, in any case
// and decoration. One of headingForms must begin with a capital letter.
func Parse(line string) (words.Section, bool) {
	if len(line) > 4*MaxLength || line == "" || strings.HasSuffix(line, ",") {
		return "", false
	}
	key := words.HeadingKey(line)
	if s, ok := words.Vocabulary().Headings[key]; ok {
		return s, !numberedName().MatchString(line)
	}
	s, ok := words.Vocabulary().CompactHeadings[strings.ReplaceAll(key, " ", "")]
	if ok && (isLetterSpaced(line) || strings.ContainsFunc(line, words.IsIndic)) {
		return s, true
	}
	if head := headingMark().ReplaceAllString(line, ""); head != line && head != "" {
		return Parse(head)
	}
	if strings.ContainsAny(line, "\t,.;0123456789()") || facts.IsBullet(line) {
		return "", false
	}
	if unicode.IsLower(words.FirstRune(line)) || mixedCase().MatchString(line) {
		return "", false
	}
	for _, parse := range []func(string) (words.Section, bool){parseJoinedHeading, parseUnspacedHeading} {
		if s, ok := parse(key); ok {
			return s, true
		}
	}
	for _, h := range headingForms {
		if h.form().MatchString(key) && !noJobs().MatchString(key) {
			return h.section, true
		}
	}
	return parsePlainHeading(key)
}

// parsePlainHeading parses a heading that has a section's word among words that say nothing,
// "My career so far", or only words of studies or of experience: "University Studies".
func parsePlainHeading(key string) (words.Section, bool) {
	terms := strings.Fields(key)
	plain := 0
	named := make(map[words.Section]bool)
	for _, word := range terms {
		s, isClue := words.Vocabulary().HeadingClue(word)
		if !isClue && !words.Vocabulary().PlainWords[word] {
			return "", false
		}
		if isClue {
			named[s] = true
		} else {
			plain++
		}
	}
	if len(terms) > 5 || len(terms) < 2 {
		return "", false
	}
	isOfOneSection := len(named) == 1 && (named[words.EducationSection] || named[words.ExperienceSection])
	if plain == 0 && (!isOfOneSection || facts.IsSchool(terms[len(terms)-1])) { // a school's word ends names
		return "", false
	}
	return Guess(key)
}

// Guess returns the section that the first telling word of a heading names.
func Guess(line string) (words.Section, bool) {
	for _, word := range strings.Fields(words.HeadingKey(line)) {
		if s, ok := words.Vocabulary().HeadingClue(word); ok {
			return s, true
		}
	}
	return "", false
}

// Connectives join the halves of a heading.
var Connectives = words.Listed("heading-and")
var unspacedConnectives = words.Listed("heading-and-unspaced")

// parseJoinedHeading parses a heading of two or three words around a connective, the first of which is a heading: "Onderwijs en cursussen".
func parseJoinedHeading(key string) (words.Section, bool) {
	terms := strings.Fields(key)
	if len(terms) < 3 || len(terms) > 5 {
		return "", false
	}
	for i, w := range terms[1 : len(terms)-1] {
		if Connectives()[w] && len(terms)-i-2 <= 2 {
			return parseHalf(strings.Join(terms[:i+1], " "))
		}
	}
	return "", false
}

func parseHalf(key string) (words.Section, bool) {
	s, ok := words.Vocabulary().Headings[key]
	return s, ok && s != words.OtherSection && s != words.HeaderSection
}

// parseUnspacedHeading parses a heading of two parts around a connective in a script without spaces, one of which is a heading: "实习与工作经历".
func parseUnspacedHeading(key string) (words.Section, bool) {
	parts := strings.FieldsFunc(key, func(r rune) bool { return r == ' ' || unspacedConnectives()[string(r)] })
	if len(parts) != 2 || len(key) > MaxLength || !words.IsUnspaced(words.FirstRune(key)) {
		return "", false
	}
	if s, ok := parseHalf(parts[0]); ok {
		return s, true
	}
	return parseHalf(parts[1])
}

// isLetterSpaced reports whether the letters are set apart: "E D U C A T I O N", "学 歴".
func isLetterSpaced(line string) bool {
	terms := strings.Fields(line)
	if slices.ContainsFunc(terms, func(w string) bool { return utf8.RuneCountInString(w) > 1 }) {
		return false
	}
	return len(terms) > 3 || len(terms) > 1 && words.IsUnspaced(words.FirstRune(line))
}

// Split splits the text at its headings. The first block is always the header.
// A column with headings of its own begins with a new header: what is above them
// does not belong to the last section of the column before.
func Split(columns [][]string, marks document.Markup) []Block {
	blocks := []Block{{Section: words.HeaderSection}}
	styles := headingStyles(marks, columns)
	labels := make(map[string]int) // short lines, and words before colons: those of one job, such as "Highlights", recur in others
	for _, lines := range columns {
		for _, line := range lines {
			if len(line) <= 4*MaxLength {
				labels[line]++
			}
			if label, _, ok := strings.Cut(line, ": "); ok && len(label) <= 4*MaxLength {
				labels[label]++
			}
		}
	}
	for i, lines := range columns {
		if i > 0 && startsNewHeader(lines) {
			blocks = append(blocks, Block{Section: words.HeaderSection})
		}
		for _, line := range lines {
			if isTopLine(blocks) && facts.IsBullet(line) && Is(line) {
				continue // the navigation of a page
			}
			s, ok := parseStyledHeading(marks, line, styles)
			isBelowName := ok && labels[line] == 1 && !isTopLine(blocks)
			mayBeUnknown := len(blocks) > 1 || len(blocks[0].Lines) > 2 // below the contacts
			isBegin := isBelowName && (s != words.UnknownSection || mayBeUnknown)
			if isBegin && !Is(line) {
				blocks = append(blocks, Block{Section: s})
			} else {
				blocks = addLine(blocks, line, labels)
			}
		}
	}
	return blocks
}

// isTopLine reports whether the next line is the first of the resume: a name, perhaps as "Résumé of
// Maya Okafor", and no heading unless it is a known one.
func isTopLine(blocks []Block) bool { return len(blocks) == 1 && len(blocks[0].Lines) == 0 }

func startsNewHeader(lines []string) bool {
	for i, line := range lines {
		if s, ok := Parse(line); ok {
			return i > 0 && s != words.LanguagesSection // a column that continues the page before has few lines and more headings
		}
	}
	return false
}

// addLine adds a heading or a line to blocks. A heading may have its text beside it, some behind a colon:
// "Skills<tab>Go, SQL", "Languages: English".
func addLine(blocks []Block, line string, labels map[string]int) []Block {
	if s, ok := Parse(line); ok {
		if s == words.SummarySection && labels[line] > 1 && blocks[len(blocks)-1].Section == words.ExperienceSection {
			return blocks
		}
		return append(blocks, Block{Section: s})
	}
	left, right, isCell := strings.Cut(line, "\t")
	if !isCell {
		left, right, _ = strings.Cut(line, ": ")
	}
	s, ok := Parse(left)
	mayHaveColon := s == words.SkillsSection || s == words.LanguagesSection || s == words.SummarySection
	if ok && (isCell || mayHaveColon) {
		before := blocks[len(blocks)-1].Section
		inEntries := before == words.ExperienceSection && !isCell
		isOfJobs := inEntries && labels[left] > 1
		isOfSkills := before == words.SkillsSection && s == words.LanguagesSection && len(words.ParseLanguages(right)) == 0 // "Languages: Go"
		if !isOfJobs && !isOfSkills {
			blocks = append(blocks, Block{Section: s, Lines: []string{right}})
			if inEntries {
				blocks = append(blocks, Block{Section: words.ExperienceSection}) // "Technologies: Go, SQL" under a job
			}
			return blocks
		}
	}
	last := &blocks[len(blocks)-1]
	hasNoText := len(last.Lines) <= 1 && !slices.ContainsFunc(last.Lines, facts.IsProse)
	if last.Section == words.SummarySection && hasNoText {
		if dates.HasPeriod(line) && !facts.IsProse(line) {
			last.Section = words.ExperienceSection // "Career Summary" above jobs
		}
	}
	last.Lines = append(last.Lines, line)
	return blocks
}

// JoinRuns returns the blocks of a section, successive ones as one.
func JoinRuns(blocks []Block, s words.Section) []Block {
	runs := words.Merge(blocks, func(last, next Block) (Block, bool) {
		if last.Section != s || next.Section != s {
			return Block{}, false
		}
		return Block{s, slices.Concat(last.Lines, next.Lines)}, true
	})
	return slices.DeleteFunc(runs, func(b Block) bool { return b.Section != s })
}

// Block is the run of lines under one heading.
type Block struct {
	Section words.Section
	Lines   []string
}

// TrustedRoles returns what elements are named after, or nil if the words of several, and of more than agree, contradict
// their names: templates reuse what they name after titles for employers.
func TrustedRoles(m document.Markup) map[string]document.Role {
	agree := 0
	contradict := 0
	for text, role := range m.Roles {
		f := facts.New(text)
		isTitle := f.Title || facts.IsDegree(text)
		isCompany := f.Company || f.Legal
		switch {
		case isTitle == isCompany:
		case isTitle == (role == document.TitleRole):
			agree++
		default:
			contradict++
		}
	}
	if contradict > 1 && contradict > agree {
		return nil
	}
	return m.Roles
}

// styleOf returns how a line is set; a text file has capitals and colons alone.
func styleOf(m document.Markup, line string) string {
	switch {
	case m.Styles[line] != "":
		return m.Styles[line]
	case strings.HasSuffix(line, ":"):
		return "colon"
	case strings.ContainsFunc(line, unicode.IsUpper) && !strings.ContainsFunc(line, unicode.IsLower):
		return "capitals"
	}
	return ""
}

// headingStyles returns the styles of known headings that at most as many other lines have.
func headingStyles(m document.Markup, columns [][]string) map[string]bool {
	known := make(map[string]int)
	others := make(map[string]int)
	for _, lines := range columns {
		for _, line := range lines {
			switch style := styleOf(m, line); {
			case style == "":
			case Is(line):
				known[style]++
			default:
				others[style]++
			}
		}
	}
	found := make(map[string]bool)
	for style, n := range known {
		found[style] = n >= 2 && others[style] <= n+1
	}
	return found
}

// parseStyledHeading returns the section of a line that is set as headings are: what its words say, or unknown.
func parseStyledHeading(m document.Markup, line string, styles map[string]bool) (words.Section, bool) {
	if len(line) > 4*MaxLength || !styles[styleOf(m, line)] {
		return "", false
	}
	if strings.ContainsAny(line, "\t0123456789") || len(strings.Fields(line)) > 5 {
		return "", false
	}
	if facts.IsTitle(line) && strings.Contains(line, " ") && facts.PersonEnding().MatchString(line) {
		return "", false // "SOFTWARE ENGINEER"
	}
	if s, ok := Guess(line); ok {
		return s, true
	}
	return words.UnknownSection, m.Styles[line] != "" // of capitals alone a skill may be: "SQL"
}
