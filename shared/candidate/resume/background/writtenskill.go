package background

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/person"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

const (
	maxWrittenSkill  = 40 // characters
	maxUnspacedSkill = 12 // in a script without spaces
	maxWrittenWords  = 4
	maxMeanWords     = 3 // of the parts of a line's items; sentences have more between their commas
)

var (
	skillStart     = words.Expression(`^\d?\p{L}`)
	itemParts      = words.Expression(`\s+[-–—/]+\s+`)
	itemNumber     = words.Expression(`^\d{1,2}[.)]\s+`)
	severalNumbers = words.Expression(`\d[^\d.]+\d`)                                  // "Page 1 of 2"
	ratingMark     = words.Expression(`(?:\s*[\p{So}]+|\s+\d+\s*(?:/\s*\d+|%))+\s*$`) // "4/5", "80 %", "★★★☆☆"
)

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
// few words that are not a date, place, language or heading, and say more than how well something is known.
func parseWrittenSkill(item string) (name string, ok bool) {
	item = itemNumber().ReplaceAllString(facts.BulletMark().ReplaceAllString(strings.TrimSpace(item), ""), "")
	if first, rest, found := strings.Cut(item, " "); found && heading.Connectives[words.Fold(first)] {
		item = rest
	}
	item = strings.TrimLeft(strings.TrimRight(ratingMark().ReplaceAllString(item, ""), ".'’ \u00a0"), "'‘’")
	_, isCity := words.Vocabulary().Cities[words.PlaceKey(item)]
	isOther := isCity || isLevel(item) || heading.Is(item) || len(heading.ParseLanguages(item)) > 0
	return item, isSkillShaped(item) && !isOther
}

// isSkillShaped reports whether an item is short, begins with a letter or as "3D", and is not a date, address
// or sentence.
func isSkillShaped(item string) bool {
	if !isSkillLength(item) || !skillStart().MatchString(item) {
		return false
	}
	_, _, _, dated := dates.FindDate(item)
	isOther := words.IsAny(item, dates.IsDuration, facts.IsPhrase, severalNumbers().MatchString, person.URLPattern().MatchString)
	return !(dated || isOther || strings.Contains(item, "@"))
}

func isSkillLength(item string) bool {
	if len(strings.Fields(item)) > maxWrittenWords {
		return false
	}
	most := maxWrittenSkill
	if strings.ContainsFunc(item, words.IsUnspaced) {
		most = maxUnspacedSkill
	}
	count := utf8.RuneCountInString(item)
	return count > 1 && count <= most
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
	short := 0
	for _, line := range list {
		terms := 0
		parts := 0
		for _, item := range line.items {
			terms += len(strings.Fields(words.HeadingKey(item)))
			parts += len(cutItem(item))
		}
		if terms <= max(maxWrittenWords, maxMeanWords*parts) {
			short++
		}
	}
	return 2*short > len(list)
}

var anyBrackets = words.Expression(`[(\[][^()\[\]]*[)\]]`)

// hasPeriod reports whether a line has a range of dates outside brackets, as lines of jobs below an unknown
// heading have.
func hasPeriod(line string) bool {
	_, dated := dates.FindPeriod(anyBrackets().ReplaceAllString(line, " "))
	return dated
}
