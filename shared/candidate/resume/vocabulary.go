package resume

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"github.com/recruiting-marketplace/external-api/shared/identity/personname"
)

// cldrList has the words of 55 languages for months, units of time, today, countries and
// spoken languages: lines "month 1: january|jan|januar". cldr.mjs makes it.
//
//go:embed cldr.txt
var cldrList string

// wordList has what resumes say beyond CLDR's words, in the same form.
//
//go:embed words.txt
var wordList string

//go:embed titles.txt
var titleList string // of titles.py

// LoadVocabulary loads the lists of words and the regular expressions, which takes 30 ms of
// processor time. A function calls it in the background while it waits for its first message;
// without it the first resume takes longer.
func LoadVocabulary() {
	vocabulary()
	skillsByName()
	personname.Load()
	compileExpressions()
}

// wordIndex holds the words of words.txt, cldr.txt, places.txt and cities.txt.
type wordIndex struct {
	monthNames      phrases // 1 to 12
	timeUnits       phrases
	todayWords      phrases
	tongues         phrases // indices of tongueNames
	tongueNames     []string
	untilWords      phrases
	sinceWords      phrases // before the date: "since 2019"
	sinceEndings    phrases // behind it: "2019以来"
	fromWords       phrases
	openWords       phrases
	seasons         phrases
	ofWords         phrases
	monthWords      phrases            // before a month's number
	eras            phrases            // the meaning is the year before an era's first
	headings        map[string]section // by headingKey
	compactHeadings map[string]section // of headings without spaces, for letter-spaced ones
	headingClues    map[string]section // words that headings of a section are made of
	plainWords      map[string]bool    // words of headings that say nothing
	vitaeTitles     map[string]bool    // names of resumes themselves, by headingKey
	nameLabels      map[string]bool    // words before a person's name, folded
	levels          map[string]bool    // words of how well something is known, by headingKey
	countries       map[string]string  // ISO codes by placeKey
	cities          map[string]string  // ISO codes of the countries of large cities and regions
	titleWords      *lexicon
	englishTitles   *lexicon // those of titleWords whose titles end with them
	legalForms      *lexicon
	organisations   *lexicon
	units           *lexicon
	employment      map[string]bool // types of it, folded
	schoolWords     *lexicon
	degreeWords     *lexicon
}

// wordLists returns the lists of words and places as they are written, one entry a line.
func wordLists() []string { return []string{cldrList, wordList, cityList, placeList} }

var vocabulary = sync.OnceValue(func() *wordIndex {
	v := &wordIndex{
		monthNames: make(phrases), timeUnits: make(phrases), todayWords: make(phrases), tongues: make(phrases), untilWords: make(phrases),
		sinceWords: make(phrases), sinceEndings: make(phrases), fromWords: make(phrases), openWords: make(phrases), seasons: make(phrases),
		ofWords: make(phrases), monthWords: make(phrases), eras: make(phrases),
		headings: make(map[string]section), compactHeadings: make(map[string]section), headingClues: make(map[string]section), plainWords: make(map[string]bool), employment: make(map[string]bool), vitaeTitles: make(map[string]bool), nameLabels: make(map[string]bool), levels: make(map[string]bool),
		countries: make(map[string]string), cities: make(map[string]string),
		titleWords: newLexicon(), englishTitles: newLexicon(), legalForms: newLexicon(), organisations: newLexicon(), units: newLexicon(), schoolWords: newLexicon(), degreeWords: newLexicon(),
	}
	v.addWords(wordList + cldrList + titleList)
	v.addPlaces(cityList + placeList)
	return v
})

func (v *wordIndex) addWords(list string) {
	lexicons := map[string]*lexicon{"title": v.titleWords, "legal": v.legalForms, "organisation": v.organisations, "unit": v.units, "school": v.schoolWords, "degree": v.degreeWords}
	dateWords := map[string]phrases{
		"month": v.monthNames, "era": v.eras, "years": v.timeUnits, "months": v.timeUnits, "today": v.todayWords, "until": v.untilWords, "since": v.sinceWords,
		"since-ending": v.sinceEndings, "from": v.fromWords, "open": v.openWords, "season": v.seasons, "of": v.ofWords, "month-word": v.monthWords,
	}
	for line := range strings.Lines(list) {
		if strings.HasPrefix(line, "//") {
			continue
		}
		key, list, _ := strings.Cut(strings.TrimSpace(line), ": ")
		kind, value, _ := strings.Cut(key, " ")
		words := strings.Split(list, "|")
		switch kind {
		case "month", "era":
			n, _ := strconv.Atoi(value)
			dateWords[kind].add(n, words...)
		case "country":
			for _, name := range words {
				v.countries[placeKey(name)] = value
			}
		case "heading":
			for _, heading := range words {
				key := headingKey(heading)
				v.headings[key], v.compactHeadings[strings.ReplaceAll(key, " ", "")] = section(value), section(value)
			}
		case "clue":
			for _, word := range words {
				v.headingClues[word] = section(value)
			}
		case "employment":
			for _, word := range words {
				v.employment[foldWord(word)] = true
			}
		case "plain":
			for _, word := range words {
				v.plainWords[word] = true
			}
		case "name":
			for _, word := range words {
				v.nameLabels[foldWord(word)] = true
			}
		case "level":
			for _, word := range words {
				v.levels[headingKey(word)] = true
			}
		case "vitae":
			for _, title := range words {
				v.vitaeTitles[headingKey(title)] = true
			}
		case "title", "legal", "organisation", "unit", "school", "degree":
			lexicons[kind].add(words)
			if key == "title en" {
				v.englishTitles.add(words)
			}
		case "language":
			v.tongueNames = append(v.tongueNames, value)
			v.tongues.add(len(v.tongueNames)-1, words...)
		default:
			dateWords[kind].add(1, words...)
		}
	}
}

func (v *wordIndex) addPlaces(list string) {
	for line := range strings.Lines(list) {
		code, names, _ := strings.Cut(strings.TrimSpace(line), ": ")
		index := v.cities
		if country, ok := strings.CutPrefix(code, "country "); ok {
			code, index = country, v.countries
		}
		for name := range strings.SplitSeq(names, ", ") {
			if len(code) == 2 {
				index[placeKey(name)] = code
			}
		}
	}
}
