package resume

import (
	_ "embed"
	"strconv"
	"strings"
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

var (
	monthNames = make(phrases) // 1 to 12
	timeUnits  = make(phrases)
	todayWords = make(phrases)
	countries  = make(map[string]string) // ISO codes by placeKey
	tongues    = make(phrases)           // indices of tongueNames
)

// dateWords are the words of dates by the kind of their lines.
var dateWords = map[string]phrases{
	"month": monthNames, "era": eras, "years": timeUnits, "months": timeUnits, "today": todayWords, "until": untilWords, "since": sinceWords,
	"since-ending": sinceEndings, "from": fromWords, "open": openWords, "season": seasons, "of": ofWords, "month-word": monthWords,
}

// vitaeTitles are the names of resumes themselves, by headingKey.
var vitaeTitles = make(map[string]bool)

// tongueNames are the English names of the spoken languages.
var tongueNames []string

func init() {
	for line := range strings.Lines(wordList + cldrList) {
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
				countries[placeKey(name)] = value
			}
		case "heading":
			for _, heading := range words {
				key := headingKey(heading)
				headings[key], compactHeadings[strings.ReplaceAll(key, " ", "")] = section(value), section(value)
			}
		case "vitae":
			for _, title := range words {
				vitaeTitles[headingKey(title)] = true
			}
		case "title", "legal", "organisation", "school", "degree":
			lexicons[kind].add(words)
		case "language":
			tongueNames = append(tongueNames, value)
			tongues.add(len(tongueNames)-1, words...)
		default:
			dateWords[kind].add(1, words...)
		}
	}
}
