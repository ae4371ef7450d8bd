package background

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/jobs"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/person"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

const (
	maxSkills = 100
	fewListed = 3 // with fewer skills under their own heading, the whole text is searched

	maxList   = 8 << 10                   // bytes of a list that continues over line breaks
	listMarks = ",;|•·▪●○■□‣、，；«»‹›“”„\"" // around items; so are brackets, tabs and pictographs

	maxWrittenSkill  = 40 // characters
	maxUnspacedSkill = 12 // in a script without spaces
	maxWrittenWords  = 4
	maxMeanWords     = 3 // of the parts of a line's items; sentences have more between their commas

	maxUnheaded      = 100_000 // bytes that are searched for entries without a heading; a real resume has a tenth
	maxUnheadedLines = 1500
	maxEntryHead     = 4 // lines of an entry that may be read until it shows what it is
)

// skillSet is the skills of a resume, each once, in order of appearance.
type skillSet struct {
	found []string
	seen  map[string]bool // by words.SkillKey
}

// addAll adds skills that the set lacks until it is full, and reports whether there are any.
func (s *skillSet) addAll(names []string) bool {
	for _, name := range names {
		if key := words.SkillKey(name); !s.seen[key] && len(s.found) < maxSkills {
			s.seen[key] = true
			s.found = append(s.found, name)
		}
	}
	return len(names) > 0
}

// matchSkills returns the skills that words name, the longest names first, and the other words. Guarded names count if allowed.
func matchSkills(terms []string, guarded bool) (names, rest []string) {
	for i := 0; i < len(terms); {
		n := min(words.MaxSkillWords, len(terms)-i)
		for ; n > 0; n-- {
			if known, ok := words.SkillsByName()[strings.Join(terms[i:i+n], " ")]; ok && (guarded || !known.Guarded) {
				names = append(names, known.Name)
				break
			}
		}
		if n == 0 {
			rest = append(rest, terms[i])
		}
		i += max(n, 1)
	}
	return names, rest
}

// FindSkills reads the skills sections, and reports whether they list enough. If not, skills of the list
// that are mentioned anywhere count too, except for guarded names. The person's name is none.
func FindSkills(blocks []heading.Block, name string) (found []string, listed bool) {
	set := skillSet{seen: map[string]bool{words.SkillKey(name): true}}
	for _, b := range blocks {
		if b.Section == words.SkillsSection {
			set.addSection(b.Lines)
		}
	}
	if len(set.found) >= fewListed {
		return set.found, true
	}
	for _, b := range blocks {
		if b.Section != words.RefereesSection && b.Section != words.EducationSection && b.Section != words.LanguagesSection {
			for _, line := range b.Lines {
				names, _ := matchSkills(words.SkillTokens(line), false)
				set.addAll(names)
			}
		}
	}
	return set.found, false
}

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
	isGap := func(r rune) bool { return strings.ContainsRune(listMarks+"()\t", r) || unicode.Is(unicode.Co, r) }
	var list []skillLine
	for _, line := range lines {
		label, rest := cutSkillLabel(facts.BulletMark().ReplaceAllString(line, ""))
		first, behind, _ := strings.Cut(line, "\t")
		ofLanguage := len(words.ParseLanguages(first)) == 0 && len(words.ParseLanguages(behind)) > 0
		list = append(list, skillLine{label, strings.FieldsFunc(rest, isGap), ofLanguage})
	}
	// The lines of jobs below an unknown heading have dates outside brackets.
	isOfJob := func(line string) bool { return dates.HasPeriod(anyBrackets().ReplaceAllString(line, " ")) }
	isList := isSkillList(list) && !slices.ContainsFunc(lines, isOfJob)
	counts := make(map[string]int) // an item that is repeated says how well the skills beside it are known
	for _, line := range list {
		for _, item := range line.items {
			counts[words.SkillKey(item)]++
		}
	}
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
	var written []string
	for _, part := range cutItem(item) {
		if name, ok := parseWrittenSkill(part); ok {
			written = append(written, name)
		}
	}
	return s.addAll(written)
}

// joinLists joins the lines of a list that continues over line breaks, which may split an item: a line has commas or
// other marks, and the one below no label, bullet or level.
func joinLists(lines []string) []string {
	return words.Merge(lines, func(list, next string) (string, bool) {
		if len(list) >= maxList || facts.IsBullet(list) || facts.IsBullet(next) || isLevel(next) {
			return "", false
		}
		label, _ := cutSkillLabel(next)
		if label != "" || !strings.ContainsAny(list, ",|;•·") {
			return "", false
		}
		return list + " " + next, true
	})
}

// cutSkillLabel cuts a line behind a colon, or behind a cell without commas before one with them.
func cutSkillLabel(line string) (label, rest string) {
	label, list, _ := strings.Cut(line, "\t")
	isLabel := label != "" && !strings.ContainsAny(label, listMarks) && strings.ContainsAny(list, listMarks)
	if colon := labelColon().FindStringIndex(line); colon != nil {
		label = line[:colon[0]]
		isLabel = true
	}
	if !isLabel || len(label) >= heading.MaxLength {
		return "", line
	}
	return label, strings.TrimLeft(line[len(label):], ":：\t ")
}

var (
	labelColon     = words.Expression(`:(?:\s|$)|：`)
	skillStart     = words.Expression(`^\d?\p{L}`)
	itemParts      = words.Expression(`\s+[-–—/]+\s+`)
	itemNumber     = words.Expression(`^\d{1,2}[.)]\s+`)
	severalNumbers = words.Expression(`\d[^\d.]+\d`)                                  // "Page 1 of 2"
	ratingMark     = words.Expression(`(?:\s*[\p{So}]+|\s+\d+\s*(?:/\s*\d+|%))+\s*$`) // "4/5", "80 %", "★★★☆☆"
	anyBrackets    = words.Expression(`[(\[][^()\[\]]*[)\]]`)
	languageLine   = words.Pattern(`(?i)^(?:<language-label-before> )?<language-label>\s*[:：]\s*`)
)

// cutItem cuts an item at its dashes, and at slashes if it has several: "Dispensing – advanced".
func cutItem(item string) []string {
	if strings.Count(item, "/") > 1 && !strings.ContainsAny(item, ".:") {
		return strings.Split(item, "/")
	}
	return itemParts().Split(item, -1)
}

// parseWrittenSkill returns a part of an item without its marks, and reports whether it may name a skill: a
// few words that are not a date, place, language or heading, and say more than how well something is known.
func parseWrittenSkill(item string) (name string, ok bool) {
	item = itemNumber().ReplaceAllString(facts.BulletMark().ReplaceAllString(strings.TrimSpace(item), ""), "")
	if first, rest, found := strings.Cut(item, " "); found && heading.Connectives()[words.Fold(first)] {
		item = rest
	}
	item = strings.TrimLeft(strings.TrimRight(ratingMark().ReplaceAllString(item, ""), ".'’ \u00a0"), "'‘’")
	_, isCity := words.Vocabulary().Cities[words.PlaceKey(item)]
	isOther := isCity || isLevel(item) || heading.Is(item) || len(words.ParseLanguages(item)) > 0
	return item, isSkillShaped(item) && !isOther
}

// isSkillShaped reports whether an item is short, begins with a letter or as "3D", and is not a date, address or sentence.
func isSkillShaped(item string) bool {
	most := maxWrittenSkill
	if strings.ContainsFunc(item, words.IsUnspaced) {
		most = maxUnspacedSkill
	}
	count := utf8.RuneCountInString(item)
	isShort := count > 1 && count <= most && len(strings.Fields(item)) <= maxWrittenWords
	if !isShort || !skillStart().MatchString(item) {
		return false
	}
	_, _, _, dated := dates.FindDate(item)
	isOther := words.IsAny(item, dates.IsDuration, facts.IsPhrase, severalNumbers().MatchString, person.URLPattern().MatchString)
	return !(dated || isOther || strings.Contains(item, "@"))
}

// isLevel reports whether all words of an item say how well, or since when, something is known: "very good",
// "5 years", or head a list: "Skill", "Level".
func isLevel(item string) bool {
	terms := strings.Fields(words.HeadingKey(item))
	return !slices.ContainsFunc(terms, func(word string) bool {
		_, isClue := words.Vocabulary().HeadingClue(word)
		isKnown := isClue || words.Vocabulary().Levels[word] || words.Vocabulary().PlainWords[word]
		return !isKnown
	})
}

// isSkillList reports whether most lines of a section have words enough for names only, not for sentences.
func isSkillList(list []skillLine) bool {
	short := words.Count(list, func(line skillLine) bool {
		terms := 0
		parts := 0
		for _, item := range line.items {
			terms += len(strings.Fields(words.HeadingKey(item)))
			parts += len(cutItem(item))
		}
		return terms <= max(maxWrittenWords, maxMeanWords*parts)
	})
	return 2*short > len(list)
}

// FindLanguages reads the languages sections, and lines that begin with "Languages:".
func FindLanguages(blocks []heading.Block) []string {
	var found []string
	for _, b := range blocks {
		for _, line := range b.Lines {
			if b.Section != words.LanguagesSection && !languageLine().MatchString(line) || b.Section == words.RefereesSection {
				continue
			}
			for _, l := range words.ParseLanguages(line) {
				found = words.AppendNew(found, l)
			}
		}
	}
	return found
}

// SplitUnheaded finds the jobs and the studies of a resume that has no known heading for them:
// a line that may be a heading parts them from the section above.
func SplitUnheaded(blocks []heading.Block, marks document.Markup) []heading.Block {
	bytes := 0
	lines := 0
	for _, b := range blocks {
		for _, line := range b.Lines {
			bytes += len(line)
		}
		lines += len(b.Lines)
	}
	if bytes > maxUnheaded || lines > maxUnheadedLines {
		return blocks
	}
	if !hasSection(blocks, words.ExperienceSection) && len(jobs.Find(blocks, marks)) == 0 {
		blocks = splitAbove(words.ExperienceSection, blocks, marks)
	}
	if !hasSection(blocks, words.EducationSection) {
		blocks = splitAbove(words.EducationSection, blocks, marks)
		if !hasSection(blocks, words.ExperienceSection) {
			blocks = splitAbove(words.ExperienceSection, blocks, marks) // below the studies
		}
	}
	return blocks
}

func hasSection(blocks []heading.Block, s words.Section) bool {
	return slices.ContainsFunc(blocks, func(b heading.Block) bool { return b.Section == s })
}

// splitAbove splits the first block that has entries of a section under a line of its own.
func splitAbove(wanted words.Section, blocks []heading.Block, marks document.Markup) []heading.Block {
	for i, b := range blocks {
		if b.Section == words.RefereesSection || b.Section == words.HeaderSection && wanted == words.ExperienceSection {
			continue // jobs are read from the header too
		}
		if b.Section == words.UnknownSection && beginsWith(wanted, b.Lines, marks) {
			blocks[i].Section = wanted
			return blocks
		}
		if at := findUnheaded(wanted, b.Lines, marks); at >= 0 {
			blocks[i].Lines = b.Lines[:at]
			return slices.Insert(blocks, i+1, heading.Block{Section: wanted, Lines: b.Lines[at+1:]})
		}
	}
	return blocks
}

// findUnheaded returns the index of the line above an entry that could be a heading of unknown words, or -1.
func findUnheaded(wanted words.Section, lines []string, marks document.Markup) int {
	for i, line := range lines {
		if len(line) > heading.MaxLength || len(strings.Fields(line)) > 4 || strings.ContainsAny(line, "\t,.;:0123456789()") {
			continue
		}
		isKnown := words.IsAny(line, facts.IsBullet, facts.IsTitle, facts.IsSchool, facts.IsDegree, facts.HasLegalForm, facts.IsPlace)
		if unicode.IsUpper(words.FirstRune(line)) && !isKnown && beginsWith(wanted, lines[i+1:], marks) {
			return i
		}
	}
	return -1
}

// beginsWith reports whether lines begin with an entry of a section that its words prove: a
// job with a title and an employer, or a course of study with a school and a degree.
func beginsWith(wanted words.Section, lines []string, marks document.Markup) bool {
	head := lines[:min(len(lines), maxEntryHead)]
	if wanted == words.EducationSection {
		studies := parseStudies(head)
		return len(studies) > 0 && facts.IsSchool(studies[0].School) && facts.IsDegree(studies[0].Degree)
	}
	found := jobs.Parse(head, marks)
	if len(found) == 0 {
		return false
	}
	job := found[0]
	isStudy := facts.IsDegree(job.Title) || facts.IsSchool(job.Company)
	return facts.IsTitle(job.Title) && job.Company != "" && !isStudy
}
