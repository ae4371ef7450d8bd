package main

import (
	"embed"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

const lastYear = 2026 // in which the people write their resumes

type person struct {
	Name, Email, LinkedIn, Location, Summary, Hobbies string
	Phone                                             string // as written in the country or abroad
	Jobs                                              []job  // latest first
	Studies                                           []study
	Skills                                            []string
	Tongues                                           []tongue
}

// job is one job; its end is zero if it is the current one.
type job struct {
	Title, Company, Location string
	Start, End               month
	Bullets                  []string
}

// study is a course of study; of its dates a truth says nothing.
type study struct {
	School     string `json:"school"`
	Degree     string `json:"degree"`
	Start, End month  `json:"-"`
}

type tongue struct{ Code, Name, Level string }

type month struct{ Year, Month int }

func (m month) back(n int) month {
	i := m.Year*12 + m.Month - 1 - n
	return month{i / 12, i%12 + 1}
}

// ISO returns a month as 2019-03, and no month as "".
func (m month) ISO() string { return style{Form: "{MM}"}.shownMonth(m) }

// drawPerson invents a person who writes in a language. Each of the language's names has
// a Latin form if it needs one ("山田太郎=Taro Yamada"), which the addresses are made of.
func drawPerson(l language, random *rand.Rand) person {
	name, latin, ok := strings.Cut(l.draw("people", random), "=")
	if !ok {
		latin = name
	}
	spell := strings.NewReplacer("ß", "ss", "ł", "l", "Ł", "L", "ø", "o", "Ø", "O", "æ", "ae", "đ", "d", "Đ", "D", "ı", "i")
	ascii, _, _ := transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn))), spell.Replace(latin))
	words := strings.Fields(strings.ToLower(ascii))
	if len(words) > 2 && strings.HasSuffix(words[0], ".") {
		words = words[1:]
	}
	first := otherThanLetters.ReplaceAllString(words[0], "")
	last := otherThanLetters.ReplaceAllString(words[len(words)-1], "")
	addresses := []string{"%s.%s%d@example.com", "%s%s%d@example.org", "%s_%s.%d@mail.example.net"}
	p := person{Name: name, Email: fmt.Sprintf(drawOne(addresses, random), first, last, 10+random.IntN(90))}
	p.LinkedIn = fmt.Sprintf("https://www.linkedin.com/in/%s-%s-%x", first, last, 4096+random.IntN(60000))
	// The region of a place's telephone numbers ("Wien, Österreich=AT"): "" for the language's first, "-" for none.
	place, region, _ := strings.Cut(l.draw("places", random), "=")
	p.Location = place
	isAbroad := drawOne([]bool{true, true, false}, random) || region == "-"
	if region == "-" || region == "" { // only a place in a region has numbers that are written as there
		region = l.values("region")[0]
	}
	digits := 10000 + random.IntN(90000)
	p.Phone = fmt.Sprintf("0770 %02d %03d", digits/1000, digits%1000)
	if isAbroad {
		p.Phone = "+" + callingCodes[region] + " " + strings.TrimPrefix(p.Phone, "0")
	}
	p.Summary = l.draw("profile", random)
	p.Hobbies = l.draw("hobbies", random)
	p.Jobs = drawJobs(l, random)
	schools := drawSome(l.values("schools"), 2, random)
	degrees := drawSome(l.values("degrees"), 2, random)
	end := month{p.Jobs[len(p.Jobs)-1].Start.Year, 7}.back(12)
	for i := range 1 + random.IntN(2) {
		start := end.back(12*(2+random.IntN(3)) - 2)
		p.Studies = append(p.Studies, study{School: schools[i], Degree: degrees[i], Start: start, End: end})
		end = month{start.Year, 6}
	}
	skills := developmentLanguages()["en"] // which people keep in a language without skills of its own
	if l.values("skills1") != nil {
		skills = l
	}
	own := skills.values("skills1")
	other := skills.values("skills2")
	if chance(0.5, random) {
		own, other = other, own
	}
	p.Skills = append(drawSome(own, 5+random.IntN(4), random), drawSome(other, random.IntN(3), random)...)
	levels := l.values("levels")
	for i, s := range l.values("speaks")[:2+random.IntN(2)] { // the writer's own language first
		code, name, _ := strings.Cut(s, "=")
		p.Tongues = append(p.Tongues, tongue{Code: code, Name: name, Level: levels[min(i, len(levels)-1)]})
	}
	return p
}

// drawJobs invents two to five jobs without overlaps, titles rising within one track. One
// in six is a promotion within the company of the job before.
func drawJobs(l language, random *rand.Rand) []job {
	track := drawOne(l["titles"], random)
	companies := drawSome(l.values("companies"), 5, random)
	count := min(2+random.IntN(4), len(companies))
	at := month{lastYear, 1 + random.IntN(6)}
	var jobs []job
	for i := range count {
		j := job{Title: track[max(0, len(track)-1-i)], Company: companies[i], End: at}
		j.Location, _, _ = strings.Cut(l.draw("places", random), "=")
		if i > 0 && chance(1./6, random) {
			j.Company = jobs[i-1].Company
			j.Location = jobs[i-1].Location
		}
		if i >= len(track) {
			j.Title = drawOne(drawOne(l["titles"], random), random)
		}
		j.Start = at.back(8 + random.IntN(50))
		j.Bullets = drawSome(l.values("bullets"), 1+random.IntN(4), random)
		if i == 0 && chance(0.85, random) {
			j.End = month{}
		}
		at = j.Start.back(1 + random.IntN(3)*random.IntN(4))
		jobs = append(jobs, j)
	}
	return jobs
}

var callingCodes = map[string]string{
	"AE": "971", "AR": "54", "AT": "43", "AU": "61", "BE": "32", "BG": "359", "BR": "55", "CA": "1", "CH": "41", "CN": "86", "CO": "57",
	"CY": "357", "CZ": "420", "DE": "49", "DK": "45", "EG": "20", "ES": "34", "FI": "358", "FR": "33", "GB": "44", "GR": "30", "HU": "36",
	"IE": "353", "IL": "972", "IN": "91", "IT": "39", "JO": "962", "JP": "81", "KE": "254", "KR": "82", "KZ": "7", "MA": "212",
	"MX": "52", "NG": "234", "NL": "31", "PL": "48", "PT": "351", "RO": "40", "RU": "7", "SA": "966", "SE": "46", "TR": "90", "TW": "886",
	"UA": "380", "US": "1", "VN": "84",
}

var otherThanLetters = regexp.MustCompile(`[^a-z]`)

//go:embed languages families.json heldout/languages heldout/families.json heldout/latex
var data embed.FS

// language is one data file: groups of values by key. A key that is repeated in the file has several groups.
type language map[string][][]string

// must returns the value of a function that fails for no input: at most for wrong embedded data, which the tests read.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// readLanguages returns the languages of a folder of data files, by code. The months of
// all are in its file months.txt, under the keys CODE.long and CODE.short.
func readLanguages(dir string) map[string]language {
	all := make(map[string]language)
	for _, file := range must(fs.Glob(data, dir+"/*.txt")) {
		l := make(language)
		for line := range strings.Lines(string(must(fs.ReadFile(data, file)))) { // "key: value | value", or a comment behind #
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			key, rest, ok := strings.Cut(line, ":")
			if !ok {
				panic(fmt.Errorf("%q has no colon", line))
			}
			values := strings.Split(rest, "|")
			for i := range values {
				values[i] = strings.TrimSpace(values[i])
			}
			l[key] = append(l[key], values)
		}
		all[strings.TrimSuffix(path.Base(file), ".txt")] = l
	}
	for code, l := range all {
		l["long"] = all["months"][code+".long"]
		l["short"] = all["months"][code+".short"]
	}
	delete(all, "months")
	return all
}

var developmentLanguages = sync.OnceValue(func() map[string]language { return readLanguages("languages") })

// values returns the first group of a key, or nil.
func (l language) values(key string) []string {
	if groups := l[key]; len(groups) > 0 {
		return groups[0]
	}
	return nil
}

// draw returns one value of a key, or "" if it has none.
func (l language) draw(key string, random *rand.Rand) string { return drawOne(l.values(key), random) }

// drawOne returns one of the values, or the zero value if there is none.
func drawOne[T any](values []T, random *rand.Rand) T {
	if len(values) == 0 {
		return *new(T)
	}
	return values[random.IntN(len(values))]
}

// drawSome returns n of the values, or all if there are fewer, in random order.
func drawSome[T any](values []T, n int, random *rand.Rand) []T {
	out := slices.Clone(values)
	random.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out[:min(n, len(out))]
}

func chance(p float64, random *rand.Rand) bool { return random.Float64() < p }
