package resume

import (
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxWrittenSkill  = 40 // characters
	maxUnspacedSkill = 12 // in a script without spaces
	maxWrittenWords  = 4
	maxMeanWords     = 3 // of the parts of a line's items; sentences have more between their commas
)

var (
	skillStart     = expression(`^\d?\p{L}`)
	itemParts      = expression(`\s+[-–—/]+\s+`)
	itemNumber     = expression(`^\d{1,2}[.)]\s+`)
	severalNumbers = expression(`\d[^\d.]+\d`)                                  // "Page 1 of 2"
	ratingMark     = expression(`(?:\s*[\p{So}]+|\s+\d+\s*(?:/\s*\d+|%))+\s*$`) // "4/5", "80 %", "★★★☆☆"
)

// parseWrittenSkills returns the parts of an item that may name skills.
func parseWrittenSkills(item string) (names []string) {
	for _, part := range cutItem(item) {
		if name, ok := parseWrittenSkill(part); ok {
			names = append(names, name)
		}
	}
	return names
}

// cutItem cuts an item at its dashes, and at slashes if it has several: "Dispensing – advanced".
func cutItem(item string) []string {
	if strings.Count(item, "/") > 1 && !strings.ContainsAny(item, ".:") {
		return strings.Split(item, "/")
	}
	return itemParts().Split(item, -1)
}

// parseWrittenSkill returns a part of an item without its marks, and reports whether it may name a skill: a
// few words that are no date, place, language or heading, and say more than how well something is known.
func parseWrittenSkill(item string) (name string, ok bool) {
	item = itemNumber().ReplaceAllString(bulletMark().ReplaceAllString(strings.TrimSpace(item), ""), "")
	if first, rest, found := strings.Cut(item, " "); found && connectives[foldWord(first)] {
		item = rest
	}
	item = strings.TrimLeft(strings.TrimRight(ratingMark().ReplaceAllString(item, ""), ".'’ \u00a0"), "'‘’")
	_, isCity := vocabulary().cities[placeKey(item)]
	return item, isSkillShaped(item) && !isLevel(item) && !isHeading(item) && !isCity && len(parseLanguages(item)) == 0
}

// isSkillShaped reports whether an item is short, begins with a letter or as "3D", and is no date, address or
// sentence.
func isSkillShaped(item string) bool {
	if len(strings.Fields(item)) > maxWrittenWords || !isSkillLength(item) || !skillStart().MatchString(item) {
		return false
	}
	_, _, _, dated := findDate(item)
	isAddress := strings.Contains(item, "@") || urlPattern().MatchString(item)
	return !dated && !isAddress && !isDuration(item) && !isPhrase(item) && !severalNumbers().MatchString(item)
}

func isSkillLength(item string) bool {
	most := maxWrittenSkill
	if strings.ContainsFunc(item, isUnspaced) {
		most = maxUnspacedSkill
	}
	count := utf8.RuneCountInString(item)
	return count > 1 && count <= most
}

// isLevel reports whether all words of an item say how well, or since when, something is known: "very good",
// "5 years", or head a list: "Skill", "Level".
func isLevel(item string) bool {
	words := strings.Fields(headingKey(item))
	return !slices.ContainsFunc(words, func(word string) bool {
		_, isClue := vocabulary().headingClue(word)
		return !isClue && !vocabulary().levels[word] && !vocabulary().plainWords[word]
	})
}

// isSkillList reports whether most lines of a section have words enough for names only, not for sentences.
func isSkillList(list []skillLine) bool {
	short := 0
	for _, line := range list {
		words, parts := 0, 0
		for _, item := range line.items {
			words += len(strings.Fields(headingKey(item)))
			parts += len(cutItem(item))
		}
		if words <= max(maxWrittenWords, maxMeanWords*parts) {
			short++
		}
	}
	return 2*short > len(list)
}

var anyBrackets = expression(`[(\[][^()\[\]]*[)\]]`)

// hasPeriod reports whether a line has a range of dates outside brackets, as lines of jobs have, whose heading
// was not understood.
func hasPeriod(line string) bool {
	_, dated := findPeriod(anyBrackets().ReplaceAllString(line, " "))
	return dated
}
