package background

import (
	"slices"
	"strings"
	"unicode"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

const (
	maxList   = 8 << 10                   // bytes of a list that continues over line breaks
	listMarks = ",;|•·▪●○■□‣、，；«»‹›“”„\"" // around items; so are brackets, tabs and pictographs
)

// skillLine is a line of a skills section: "Databases: PostgreSQL, MySQL".
type skillLine struct {
	label      string
	items      []string
	ofLanguage bool // has a label, and a language in the cell after it
}

// addSection adds what a skills section lists: skills by their first names in skills.txt, and those that it
// lacks as they are written, if the lines are a list.
func (s *skillSet) addSection(lines []string) {
	lines = joinLists(lines)
	list := parseSkillLines(lines)
	isList := isSkillList(list) && !slices.ContainsFunc(lines, hasPeriod)
	counts := countItems(list)
	for _, line := range list {
		found := false
		for _, item := range line.items {
			asWritten := isList && counts[words.SkillKey(item)] == 1 && !line.ofLanguage
			found = s.addItem(item, asWritten) || found
		}
		if _, isKnown := words.SkillsByName()[words.SkillKey(line.label)]; isKnown || !found {
			s.addItem(line.label, isList)
		}
	}
}

// addItem adds the skills that an item of a list names, and reports whether there are any. Guarded names count
// if the item says nothing else than a level or a number: "Go 1.26", but not "Spring cleaning".
func (s *skillSet) addItem(item string, asWritten bool) bool {
	words := words.SkillTokens(item)
	if names, rest := matchSkills(words, true); isLevel(strings.Join(rest, " ")) && s.addAll(names) {
		return true
	}
	if names, _ := matchSkills(words, false); s.addAll(names) || !asWritten {
		return len(names) > 0
	}
	return s.addAll(parseWrittenSkills(item))
}

// joinLists joins the lines of a list that continues over line breaks, which may split an item.
func joinLists(lines []string) []string {
	var out []string
	for _, line := range lines {
		if n := len(out) - 1; n >= 0 && len(out[n]) < maxList && isListContinued(out[n], line) {
			out[n] += " " + line
			continue
		}
		out = append(out, line)
	}
	return out
}

// isListContinued reports whether a line has commas or other marks, and the one below no label, bullet or level.
func isListContinued(line, below string) bool {
	if facts.IsBullet(line) || facts.IsBullet(below) || isLevel(below) {
		return false
	}
	label, _ := cutSkillLabel(below)
	return label == "" && strings.ContainsAny(line, ",|;•·")
}

func parseSkillLines(lines []string) []skillLine {
	var list []skillLine
	for _, line := range lines {
		label, rest := cutSkillLabel(facts.BulletMark().ReplaceAllString(line, ""))
		first, behind, _ := strings.Cut(line, "\t")
		ofLanguage := len(heading.ParseLanguages(first)) == 0 && len(heading.ParseLanguages(behind)) > 0
		list = append(list, skillLine{label, strings.FieldsFunc(rest, isListMark), ofLanguage})
	}
	return list
}

var labelColon = words.Expression(`:(?:\s|$)|：`)

// cutSkillLabel cuts a line behind a colon, or behind a cell without commas before one with them.
func cutSkillLabel(line string) (label, rest string) {
	at := findLabelEnd(line)
	if at < 0 || at >= heading.MaxLength {
		return "", line
	}
	return line[:at], strings.TrimLeft(line[at:], ":：\t ")
}

// findLabelEnd returns the index at which the label of a line ends, or -1.
func findLabelEnd(line string) int {
	if colon := labelColon().FindStringIndex(line); colon != nil {
		return colon[0]
	}
	label, list, found := strings.Cut(line, "\t")
	if !found || label == "" || strings.ContainsAny(label, listMarks) {
		return -1
	}
	if strings.ContainsAny(list, listMarks) {
		return len(label)
	}
	return -1
}

func isListMark(r rune) bool {
	return strings.ContainsRune(listMarks+"()\t", r) || unicode.Is(unicode.Co, r)
}

// countItems counts the items of a section. One that is repeated says how well the skills beside it are known.
func countItems(list []skillLine) map[string]int {
	counts := make(map[string]int)
	for _, line := range list {
		for _, item := range line.items {
			counts[words.SkillKey(item)]++
		}
	}
	return counts
}
