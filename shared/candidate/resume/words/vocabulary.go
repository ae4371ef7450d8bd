// Package words has what the resume reader knows of languages: lists of words, places and skills, and how
// lines are split into words. A new language is added in its lists alone (words.txt, rules.txt, and cldr.txt by cldr.mjs).
package words

import (
	_ "embed"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// The lists of words, in lines such as "month 1: january|jan|januar". cldr.txt (of cldr.mjs) has the words of 55 languages
// for months, units of time, today, countries and spoken languages, words.txt what resumes say beyond these.
var (
	//go:embed cldr.txt
	cldrList string
	//go:embed words.txt
	wordList string
	//go:embed titles.txt
	titleList string // of titles.py
	//go:embed rules.txt
	ruleList string // what single rules look for; none of Lists, whose letters tell encodings apart
	//go:embed places.txt
	placeList string
	//go:embed cities.txt
	cityList string // of cities.py
	// skillList holds a skill and its other names per line, separated by bars. A ! before a name means that it
	// is also a common word or too short, and counts only where skills are listed.
	//
	//go:embed skills.txt
	skillList string
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

// Index holds the words of words.txt, cldr.txt, titles.txt, rules.txt, places.txt and cities.txt.
type Index struct {
	MonthNames      Phrases // 1 to 12
	TimeUnits       Phrases
	TodayWords      Phrases
	Tongues         Phrases // indices of tongueNames
	TongueNames     []string
	UntilWords      Phrases
	SinceWords      Phrases // before the date: "since 2019"
	SinceEndings    Phrases // after it: "2019以来"
	FromWords       Phrases
	OpenWords       Phrases
	Seasons         Phrases
	OfWords         Phrases
	MonthWords      Phrases            // before a month's number
	Eras            Phrases            // the meaning is the year before an era's first
	Headings        map[string]Section // by HeadingKey
	CompactHeadings map[string]Section // of headings without spaces, for letter-spaced ones
	headingClues    map[string]Section // words that headings of a section are made of
	PlainWords      map[string]bool    // words of headings that say nothing
	VitaeTitles     map[string]bool    // names of resumes themselves, by HeadingKey
	NameLabels      map[string]bool    // words before a person's name, folded
	Levels          map[string]bool    // words of how well something is known, by HeadingKey
	Countries       map[string]string  // ISO codes by PlaceKey
	Cities          map[string]string  // ISO codes of the countries of large cities and regions
	TitleWords      Phrases
	LegalForms      Phrases
	Organisations   Phrases
	Units           Phrases
	Employment      map[string]bool // types of it, folded
	SchoolWords     Phrases
	DegreeWords     Phrases
	Rules           map[string][]string // the lists of rules.txt by their names
}

// Lists returns the lists of words and places as they are written, one entry a line.
func Lists() []string { return []string{cldrList, wordList, cityList, placeList} }

// Vocabulary returns the lists of words, which are loaded once.
var Vocabulary = sync.OnceValue(func() *Index {
	v := &Index{Rules: make(map[string][]string)}
	v.addWords(wordList + cldrList + titleList + ruleList)
	v.addPlaces(cityList + placeList)
	return v
})

// addWords adds the words of lines "kind value: word|word".
func (v *Index) addWords(list string) {
	phrases := map[string]*Phrases{
		"month": &v.MonthNames, "era": &v.Eras, "years": &v.TimeUnits, "months": &v.TimeUnits, "today": &v.TodayWords,
		"until": &v.UntilWords, "since": &v.SinceWords, "since-ending": &v.SinceEndings, "from": &v.FromWords, "open": &v.OpenWords,
		"season": &v.Seasons, "of": &v.OfWords, "month-word": &v.MonthWords,
		"title": &v.TitleWords, "legal": &v.LegalForms, "organisation": &v.Organisations,
		"unit": &v.Units, "school": &v.SchoolWords, "degree": &v.DegreeWords,
	}
	// The others are added word by word.
	adders := map[string]func(word, value string){
		"country": func(word, value string) { SetNew(&v.Countries, PlaceKey(word), value) },
		"heading": func(word, value string) {
			key := HeadingKey(word)
			SetNew(&v.Headings, key, Section(value))
			SetNew(&v.CompactHeadings, strings.ReplaceAll(key, " ", ""), Section(value))
		},
		"clue":       func(word, value string) { SetNew(&v.headingClues, word, Section(value)) },
		"employment": func(word, _ string) { SetNew(&v.Employment, Fold(word), true) },
		"plain":      func(word, _ string) { SetNew(&v.PlainWords, word, true) },
		"name":       func(word, _ string) { SetNew(&v.NameLabels, Fold(word), true) },
		"level":      func(word, _ string) { SetNew(&v.Levels, HeadingKey(word), true) },
		"vitae":      func(word, _ string) { SetNew(&v.VitaeTitles, HeadingKey(word), true) },
	}
	for line := range strings.Lines(list) {
		if strings.HasPrefix(line, "//") {
			continue
		}
		key, list, _ := strings.Cut(strings.TrimSpace(line), ": ")
		kind, value, _ := strings.Cut(key, " ")
		words := strings.Split(list, "|")
		switch {
		case adders[kind] != nil:
			for _, word := range words {
				adders[kind](word, value)
			}
		case kind == "rule":
			v.Rules[value] = append(v.Rules[value], words...)
		case kind == "language":
			v.TongueNames = append(v.TongueNames, value)
			v.Tongues.add(len(v.TongueNames)-1, words...)
		default:
			meaning, _ := strconv.Atoi(value) // of a month or an era
			phrases[kind].add(meaning, words...)
		}
	}
}

// SetNew sets the meaning of a key that has none yet.
func SetNew[M any](index *map[string]M, key string, meaning M) {
	if *index == nil {
		*index = make(map[string]M)
	}
	if _, ok := (*index)[key]; !ok {
		(*index)[key] = meaning
	}
}

func (v *Index) addPlaces(list string) {
	for line := range strings.Lines(list) {
		code, names, _ := strings.Cut(strings.TrimSpace(line), ": ")
		index := &v.Cities
		if country, ok := strings.CutPrefix(code, "country "); ok {
			code = country
			index = &v.Countries
		}
		for name := range strings.SplitSeq(names, ", ") {
			if len(code) == 2 {
				SetNew(index, PlaceKey(name), code)
			}
		}
	}
}

// HeadingClue returns the section that a word of a heading names: as the only word of a known heading, or as one that headings are made of.
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

// ParseLanguages returns the languages that a line names, in English.
func ParseLanguages(line string) []string {
	var found []string
	tokens := Scan(line)
	for at := 0; at < len(tokens); {
		meaning, next := Vocabulary().Tongues.Find(tokens, at)
		if next > at {
			found = AppendNew(found, Vocabulary().TongueNames[meaning])
		}
		at = max(at+1, next)
	}
	return found
}

// PlaceKey folds the spellings of a place.
func PlaceKey(s string) string { return Fold(strings.Trim(s, " .()")) }

// MaxSkillWords is the number of words of the longest names in the list.
const MaxSkillWords = 5

// skill is the meaning of a name in the list.
type skill struct {
	Name    string // the first one of its line
	Guarded bool
}

// SkillsByName returns the skills of the list by the keys of all their names. It is loaded once.
var SkillsByName = sync.OnceValue(func() map[string]skill {
	index := make(map[string]skill)
	for line := range strings.Lines(skillList) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "//") {
			continue
		}
		names := strings.Split(line, "|")
		canonical := strings.TrimPrefix(names[0], "!")
		for _, name := range names {
			plain, guarded := strings.CutPrefix(name, "!")
			if key := SkillKey(plain); index[key].Name == "" {
				index[key] = skill{canonical, guarded}
			}
		}
	}
	return index
})

// skillWord matches words of names like C++, C#, .NET, Node.js and CI/CD.
var skillWord = Expression(`[.]?[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}.'’]*[\p{L}\p{M}\p{N}])?[+#]{0,2}|&`)

// SkillKey folds spellings: case, hyphens, slashes and spaces do not matter, "&" is "and".
func SkillKey(s string) string { return strings.Join(SkillTokens(s), " ") }

// SkillTokens returns the words of a text as names of skills have them.
func SkillTokens(s string) []string {
	tokens := skillWord().FindAllString(strings.ToLower(norm.NFKC.String(s)), 400)
	for i, t := range tokens {
		if t == "&" {
			tokens[i] = "and"
		}
	}
	return tokens
}

var listName = Expression(`<[a-z-]+>`)

// Pattern calls [Expression] with words of rules.txt: "<at>" matches any word of the list "at". Both the lists and the
// expression are read when it is first used.
func Pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(listName().ReplaceAllStringFunc(expr, func(name string) string {
			list := strings.Join(Vocabulary().Rules[strings.Trim(name, "<>")], "\n")
			return "(?:" + strings.ReplaceAll(regexp.QuoteMeta(list), "\n", "|") + ")"
		}))
	})
}

// Listed returns a function that returns the words of a list of rules.txt.
func Listed(name string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := make(map[string]bool)
		for _, word := range Vocabulary().Rules[name] {
			set[word] = true
		}
		return set
	})
}

// Expression calls [text.Expression], which compiles a regular expression when it is first used.
func Expression(expr string) func() *regexp.Regexp { return text.Expression(expr) }
