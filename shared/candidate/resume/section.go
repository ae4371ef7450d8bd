package resume

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// section is a part of a resume as its headings name it.
type section string

const (
	header     section = "header" // before the first heading
	experience section = "experience"
	education  section = "education"
	skills     section = "skills"
	languages  section = "languages"
	summary    section = "summary"
	referees   section = "references" // other people's addresses
	other      section = "other"      // other headings, whose text is not read
	unknown    section = "unknown"    // a line set as a heading, whose words are not known
)

// block is the run of lines under one heading.
type block struct {
	section section
	lines   []string
}

const maxHeading = 40 // characters

// headingForms match headings that vary in a word: "Clinical Experience", "Statistical Skills".
var headingForms = []struct {
	section section
	form    func() *regexp.Regexp
}{
	{experience, expression(`^(?:(?:work|professional|relevant|clinical|industry|industrial|research|teaching|career|practical|related|additional|selected|international|technical|nursing|engineering|management|legal|previous|recent|internship|consulting|sales|business|and) ){1,3}(?:experience|experiences|history|background|employment)$`)},
	{experience, expression(`^(?:\p{L}+ ){1,2}(?:experience|employment|appointments|positions|roles|jobs|posts|placements|internships|assignments|engagements)(?: held)?$`)},
	{experience, expression(`^(?:appointments|assignments|engagements|placements|internships)$`)},
	{skills, expression(`^(?:\p{L}+ ){0,3}skills(?: and \p{L}+| \p{L}+)?$`)},
	{skills, expression(`^(?:technical|professional|core|key|primary|software|computer|it|\p{L}+ and) (?:competencies|competences|expertise|strengths|proficiency|proficiencies|knowledge|tools|technologies)$`)},
	{languages, expression(`^(?:foreign languages|language skills|languages spoken|spoken languages)$`)},
}

// noJobs matches what is done for nothing, and what customers experience: a skill.
var noJobs = expression(`^(?:years?|months|volunteer|volunteering|voluntary|unpaid|leadership|board|user|customer|client|guest|patient|employee|candidate|digital|brand|shopping|driving|life)\b.* (?:experience|positions|roles|posts|engagements|placements|assignments)$`)

// mixedCase matches a heading that was joined to something else: "Salesforce EXPERIENCE".
var mixedCase = expression(`\p{Lu}\p{Ll}{3}.* \p{Lu}{4}|\p{Lu}{4}.* \p{Lu}\p{Ll}{3}`)

// numberedName matches a number that no heading has: "21 Degrees", "360 Education".
var numberedName = expression(`^(?:1[6-9]|[2-9]\d|\d{3,}) `)

// headingMark matches the number of a heading, and what it has on the next page.
var headingMark = expression(`(?i)^\d{1,2}(?:[.)]\s+|\t)|[\s,(–-]+(?:continued|contd|cont['’]d|cont\.?)\)?$`)

// parseHeading returns the section of a heading, and whether line is one, in any case
// and decoration. One of headingForms must begin with a capital letter.
func parseHeading(line string) (section, bool) {
	if len(line) > 4*maxHeading || line == "" || strings.HasSuffix(line, ",") {
		return "", false
	}
	key := headingKey(line)
	if s, ok := vocabulary().headings[key]; ok {
		return s, !numberedName().MatchString(line)
	}
	if s, ok := vocabulary().compactHeadings[strings.ReplaceAll(key, " ", "")]; ok && (isLetterSpaced(line) || strings.ContainsFunc(line, isIndic)) {
		return s, true
	}
	if head := headingMark().ReplaceAllString(line, ""); head != line && head != "" {
		return parseHeading(head)
	}
	if strings.ContainsAny(line, "\t,.;0123456789()") || isBullet(line) || unicode.IsLower([]rune(line)[0]) || mixedCase().MatchString(line) {
		return "", false
	}
	if s, ok := parseJoinedHeading(key); ok {
		return s, true
	}
	if s, ok := parseUnspacedHeading(key); ok {
		return s, true
	}
	for _, h := range headingForms {
		if h.form().MatchString(key) && !noJobs().MatchString(key) {
			return h.section, true
		}
	}
	return parsePlainHeading(key)
}

// parsePlainHeading parses a heading that has a section's word among words that say nothing,
// "My career so far", or only words of one section: "University Studies".
func parsePlainHeading(key string) (section, bool) {
	words := strings.Fields(key)
	plain, named := 0, make(map[section]bool)
	for _, word := range words {
		s, isClue := vocabulary().headingClue(word)
		if !isClue && !vocabulary().plainWords[word] {
			return "", false
		}
		if isClue {
			named[s] = true
		} else {
			plain++
		}
	}
	if len(words) > 5 || len(words) < 2 || plain == 0 && (len(named) > 1 || !named[education] && !named[experience] || isSchool(words[len(words)-1])) {
		return "", false
	}
	return guessSection(key)
}

// guessSection returns the section that the first telling word of a heading names.
func guessSection(line string) (section, bool) {
	for _, word := range strings.Fields(headingKey(line)) {
		if s, ok := vocabulary().headingClue(word); ok {
			return s, true
		}
	}
	return "", false
}

// headingClue returns the section that a word of a heading names: as the only word of a
// known heading, or as one that headings are made of.
func (v *wordIndex) headingClue(word string) (section, bool) {
	s, ok := v.headings[word]
	if !ok {
		s, ok = v.headingClues[word]
	}
	return s, ok
}

// connectives join the halves of a heading.
var connectives = wordSet("and und et y e en og och ja i a si și и та і й ve και và va es és و ו")

// parseJoinedHeading parses a heading of two or three words around a connective, the first
// of which is a heading: "Onderwijs en cursussen".
func parseJoinedHeading(key string) (section, bool) {
	words := strings.Fields(key)
	if len(words) < 3 || len(words) > 5 {
		return "", false
	}
	for i, w := range words[1 : len(words)-1] {
		if connectives[w] && i+3 <= len(words) && len(words)-i-2 <= 2 {
			s, ok := vocabulary().headings[strings.Join(words[:i+1], " ")]
			return s, ok && s != other && s != header
		}
	}
	return "", false
}

// parseUnspacedHeading parses a heading of two parts around a connective in a script without spaces,
// one of which is a heading: "实习与工作经历".
func parseUnspacedHeading(key string) (section, bool) {
	parts := strings.FieldsFunc(key, func(r rune) bool { return strings.ContainsRune(" 与與和及并並暨", r) })
	if len(parts) != 2 || len(key) > maxHeading || !isUnspaced([]rune(key)[0]) {
		return "", false
	}
	for _, part := range parts {
		if s, ok := vocabulary().headings[part]; ok && s != other && s != header {
			return s, true
		}
	}
	return "", false
}

// isLetterSpaced reports whether the letters are set apart: "E D U C A T I O N", "学 歴".
func isLetterSpaced(line string) bool {
	words := strings.Fields(line)
	for _, w := range words {
		if len([]rune(w)) > 1 {
			return false
		}
	}
	return len(words) > 3 || len(words) > 1 && isUnspaced([]rune(line)[0])
}

func headingKey(line string) string {
	line = foldWord(strings.ReplaceAll(line, "&", " and "))
	return strings.Join(strings.FieldsFunc(line, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }), " ")
}

// splitSections splits the text at its headings. The first block is always the header.
// A column with headings of its own begins with a new header: what is above them
// does not belong to the last section of the column before.
func splitSections(columns [][]string, marks Markup) []block {
	blocks := []block{{section: header}}
	styles, labels := headingStyles(marks, columns), countLabels(columns)
	for i, lines := range columns {
		if i > 0 && startsNewHeader(lines) {
			blocks = append(blocks, block{section: header})
		}
		for _, line := range lines {
			if isTopLine(blocks) && isBullet(line) && isHeading(line) {
				continue // the navigation of a page
			}
			s, ok := parseStyledHeading(marks, line, styles)
			if _, isKnown := parseHeading(line); ok && !isKnown && labels[line] == 1 && !isTopLine(blocks) && (s != unknown || len(blocks) > 1 || len(blocks[0].lines) > 2) {
				blocks = append(blocks, block{section: s})
			} else {
				blocks = addLine(blocks, line, labels)
			}
		}
	}
	return blocks
}

// isTopLine reports whether the next line is the first of the resume: a name, perhaps as "Résumé of
// Maya Okafor", and no heading unless it is a known one.
func isTopLine(blocks []block) bool { return len(blocks) == 1 && len(blocks[0].lines) == 0 }

// countLabels counts short lines, and the words before colons: those of one job, such as
// "Highlights", are said of others too.
func countLabels(columns [][]string) map[string]int {
	counts := make(map[string]int)
	for _, lines := range columns {
		for _, line := range lines {
			if len(line) <= 4*maxHeading {
				counts[line]++
			}
			if label, _, ok := strings.Cut(line, ": "); ok && len(label) <= 4*maxHeading {
				counts[label]++
			}
		}
	}
	return counts
}

func startsNewHeader(lines []string) bool {
	for i, line := range lines {
		if s, ok := parseHeading(line); ok {
			return i > 0 && s != languages // a column that continues the page before has few lines and more headings
		}
	}
	return false
}

// addLine adds a heading or a line to blocks. A heading may have its text beside it:
// "Skills<tab>Go, SQL", "Languages: English".
func addLine(blocks []block, line string, labels map[string]int) []block {
	if s, ok := parseHeading(line); ok {
		if s == summary && labels[line] > 1 && blocks[len(blocks)-1].section == experience {
			return blocks
		}
		return append(blocks, block{section: s})
	}
	if left, right, found := cutHeading(line); found {
		s, ok := parseHeading(left)
		inEntries := blocks[len(blocks)-1].section == experience && !strings.Contains(line, "\t")
		if ok && !(inEntries && labels[left] > 1) && (s != languages || blocks[len(blocks)-1].section != skills || len(parseLanguages(right)) > 0) { // "Languages: Go, SQL" are skills
			if blocks = append(blocks, block{section: s, lines: []string{right}}); inEntries {
				blocks = append(blocks, block{section: experience}) // "Technologies: Go, SQL" under a job
			}
			return blocks
		}
	}
	last := &blocks[len(blocks)-1]
	if last.section == summary && len(last.lines) <= 1 && beginsEntry(line) && !slices.ContainsFunc(last.lines, isProse) {
		last.section = experience // "Career Summary" above jobs
	}
	last.lines = append(last.lines, line)
	return blocks
}

// beginsEntry reports whether a line has a range of dates and is no sentence.
func beginsEntry(line string) bool {
	_, dated := findPeriod(line)
	return dated && !isProse(line)
}

func cutHeading(line string) (left, right string, found bool) {
	if left, right, found = strings.Cut(line, "\t"); found {
		return left, right, true
	}
	left, right, found = strings.Cut(line, ": ")
	s, _ := parseHeading(left)
	return left, right, found && (s == skills || s == languages || s == summary)
}
