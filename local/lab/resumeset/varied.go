package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// varied is the family of pages and documents that nobody's template made: structure, words
// and order are drawn from a wide grammar (variedhead.go, variedhtml.go).
var varied = family{
	Name: "varied", Formats: []string{"html", "docx", "html", "txt", "html", "pdf", "html", "md", "html", "docx", "html", "txt"}, Source: "html",
	Layouts: []string{"single"},
	Forms: []string{"{MMM} {yyyy}", "{MMMM} {yyyy}", "{MM}/{yyyy}", "{yyyy}", "{yyyy}-{MM}", "{yyyy}-{MM}-{DD}", "{MMM} '{yy}", "{MM}.{yyyy}", "{yyyy}/{MM}",
		"{MMM}. {yyyy}", "{MMMM}, {yyyy}", "{DD} {MMM} {yyyy}", "{yyyy}.{MM}", "{MMM}-{yy}", "{yyyy}"},
	Parts:   []string{" – ", " - ", "–", " to ", " — ", " -- ", " → ", "-"},
	Opens:   []string{"now", "now", "now", "dash", "since"},
	Heads:   []string{"{T}"},
	Beside:  []string{"{T}"},
	Studies: []string{"{G}"},
	Bullets: []string{"• ", "- ", "* ", "– "},
	Orders:  [][]string{{"experience"}},
	Join:    []string{" | ", "lines", "labels", " · ", ", "},
	Skills:  []string{"comma", "bars", "bullets", "groups", "lines"},
	Upper:   0.2, Lasting: 0.15,
}

// planVaried plans the varied files: 240 in English and 3 in each other language, with one
// half of the words. What is tuned to the words of one half is not right on the other.
func planVaried(languages map[string]language, half int) ([]plan, error) {
	content, err := data.ReadFile("varied/en.txt")
	if err != nil {
		return nil, err
	}
	words, err := parseLanguage(string(content))
	if err != nil {
		return nil, err
	}
	var plans []plan
	for _, code := range slices.Sorted(maps.Keys(languages)) {
		l := languages[code].halve(half)
		count := 3
		if code == "en" {
			l = l.withWords(words.halve(half))
			count = 240
		}
		next := planFamilies([]family{varied}, code, l, count, "")
		for i := range next {
			if code != "en" {
				next[i].format = []string{"html", "docx", "txt"}[i%3]
			}
		}
		plans = append(plans, next...)
	}
	return plans, nil
}

// halvedKeys are the words of which each half of the draws has its own.
var halvedKeys = []string{"titles", "title", "companies", "names", "surnames", "lower", "schools", "fields", "degrees"}

// halve returns a language with one half of these words. Titles are split by their nouns. A
// list whose half is too short stays whole.
func (l language) halve(half int) language {
	out := make(language, len(l))
	for key, groups := range l {
		out[key] = groups
	}
	for _, key := range halvedKeys {
		var kept [][]string
		count := 0
		for _, group := range l[key] {
			group = slices.DeleteFunc(slices.Clone(group), func(value string) bool { return int(hashText(titleNoun(value, key))/7%2) != half })
			if len(group) > 0 {
				kept = append(kept, group)
				count = count + len(group)
			}
		}
		if count >= 4 {
			out[key] = kept
		}
	}
	return out
}

// titleNoun returns the noun of a title, by which its half is chosen, or another value whole.
func titleNoun(value, key string) string {
	if key != "title" {
		return value
	}
	head, _, _ := strings.Cut(value, ",")
	for _, word := range []string{" of ", " to ", " in ", " & "} {
		head, _, _ = strings.Cut(head, word)
	}
	fields := strings.Fields(head)
	return fields[len(fields)-1]
}

// withWords returns the language with the words of the varied family, each title a track of
// its own.
func (l language) withWords(words language) language {
	for key, groups := range words {
		l[key] = groups
	}
	l["titles"] = nil
	for _, group := range words["title"] {
		for _, title := range group {
			l["titles"] = append(l["titles"], []string{title})
		}
	}
	l["bullets"] = l["deeds"]
	return l
}

// writeVaried writes a file and its truth.
func (p plan) writeVaried(dir string) ([]conversion, error) {
	who, v := p.drawVaried()
	parts := v.arrangeParts(who)
	file := filepath.Join(dir, p.name+"."+p.format)
	t := newTruth(who, v.style)
	t.Family = p.family.Name
	t.Format = p.format
	t.Layout = "single"
	t.Language = p.code
	if err := t.write(file); err != nil {
		return nil, err
	}
	switch p.format {
	case "html":
		return nil, os.WriteFile(file, writeVariedHTML(who, parts, v.style, v.page), 0o644)
	case "pdf":
		source := filepath.Join(dir, "sources", p.name+".html")
		return []conversion{{source: source, target: file}}, os.WriteFile(source, writeVariedHTML(who, parts, v.style, v.page), 0o644)
	}
	return nil, os.WriteFile(file, formatBlocks(v.joinParts(who, parts), v.style, p.format, false), 0o644)
}

// joinParts returns the blocks of a document, whose lines are read as they stand.
func (v *variedStyle) joinParts(p person, parts []part) []block {
	out := append([]block{{kind: nameLine, text: p.Name}}, v.arrangeContact(p)...)
	for _, one := range parts {
		out = append(out, block{kind: heading, text: one.heading})
		for _, entry := range one.entries {
			out = append(out, entry...)
		}
	}
	return out
}

// drawVaried invents a person, and how the resume is written.
func (p plan) drawVaried() (person, *variedStyle) {
	l := p.language
	random := p.random
	if l["names"] != nil {
		l["companies"] = [][]string{drawCompanies(l, 12, random)}
		l["degrees"] = [][]string{drawDegrees(l, 6, random)}
	}
	who := drawPerson(l, random)
	s := drawStyle(p.family, l, random)
	if chance(0.12, random) { // a career within one company
		for i := 1; i < len(who.Jobs) && i < 3; i++ {
			who.Jobs[i].Company = who.Jobs[0].Company
			who.Jobs[i].Location = who.Jobs[0].Location
		}
		s.Nested = true
	}
	s.Order = drawOrder(random)
	v := &variedStyle{style: s, random: random, head: drawHead([]string{"T", "C", "D"}, random), study: drawHead([]string{"G", "S", "D"}, random)}
	v.drawHabits()
	return who, v
}

// drawOrder returns the sections that truths know, in an order.
func drawOrder(random *rand.Rand) []string {
	order := []string{"experience", "education"}
	if chance(0.15, random) {
		slices.Reverse(order)
	}
	for _, more := range []string{"skills", "tongues", "interests"} {
		if chance(0.7, random) {
			order = slices.Insert(order, random.IntN(len(order)+1), more)
		}
	}
	if chance(0.6, random) {
		order = slices.Insert(order, 0, "summary")
	}
	return order
}

// drawCompanies returns names of companies: of one word and of several, of persons, in lower
// case, with ampersands, digits, articles and legal forms, and without all these.
func drawCompanies(l language, n int, random *rand.Rand) []string {
	shapes := []string{"{N}", "{N}", "{N} {K}", "{N} {K}", "{P} {K}", "{P} & {Q}", "{P}, {Q} & {R}", "The {N} {K}", "{N} {F}", "{N} {K} {F}", "{N}, {F}", "{P}'s {K}",
		"{x}", "{N} & Sons", "{9} {N}", "{N}{9}", "{G} {P}", "{N} + {M}", "{P} Brothers {F}", "{N} of {M}", "{P} {N}"}
	var out []string
	for range n {
		out = append(out, strings.NewReplacer("{N}", l.draw("names", random), "{M}", l.draw("names", random), "{K}", l.draw("kinds", random), "{P}", l.draw("surnames", random),
			"{Q}", l.draw("surnames", random), "{R}", l.draw("surnames", random), "{F}", l.draw("legal", random), "{x}", l.draw("lower", random),
			"{9}", fmt.Sprint(2+random.IntN(97)), "{G}", drawOne([]string{"Rosa", "Henry", "Anna", "J. P."}, random)).Replace(drawOne(shapes, random)))
	}
	return out
}

// drawDegrees returns degrees, long and short, with their fields and without.
func drawDegrees(l language, n int, random *rand.Rand) []string {
	shapes := []string{"{G} in {F}", "{G} in {F}", "{G}, {F}", "{G} {F}", "{G} ({F})", "{G} (Hons) {F}", "{G}", "{G} of {F}"}
	var out []string
	for range n {
		degree := l.draw(drawOne([]string{"long", "short"}, random)+"Degrees", random)
		shape := drawOne(shapes, random)
		if (shape == "{G} of {F}") != (degree == "Bachelor" || degree == "Master") {
			shape = drawOne([]string{"{G} in {F}", "{G}, {F}"}, random)
		}
		out = append(out, strings.NewReplacer("{G}", degree, "{F}", l.draw("fields", random)).Replace(shape))
	}
	return out
}
