package main

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
)

// seed is the seed of every set.
const seed = 20261122

// setFlags say which set is meant: without any, the development set.
type setFlags struct {
	Dir     string `default:"${folder}" help:"Where the sets are."`
	HeldOut bool   `name:"heldout" help:"The held-out set: figures only."`
}

func (f setFlags) folder() string {
	if f.HeldOut {
		return filepath.Join(f.Dir, "heldout")
	}
	return filepath.Join(f.Dir, "development")
}

// plan plans a set's files. The development set has 240 in English and 12 in each other language, each family in turn.
func (f setFlags) plan() (plans []plan) {
	families := readFamilies("families.json")
	languages := developmentLanguages()
	if f.HeldOut {
		return planHeldOut(families, languages)
	}
	for _, code := range slices.Sorted(maps.Keys(languages)) {
		count := 12
		if code == "en" {
			count = 240
		}
		plans = append(plans, planFamilies(families, code, languages[code], count, "")...)
	}
	return plans
}

// plan is a file to be written.
type plan struct {
	name, format, code, heldOut string
	family                      family
	language                    language
	random                      *rand.Rand
}

var developmentLanguages = sync.OnceValue(func() map[string]language { return readLanguages("languages") })

// Numbers of the held-out set's files.
const (
	perHeldOutLanguage = 24  // written by the development families
	perHeldOutEnglish  = 200 // by the held-out families
	perOtherLanguage   = 8   // by the held-out families, in a language of the development set
)

// noTeX lists the languages that the LaTeX templates have no fonts for.
var noTeX = []string{"ar", "hi", "ja", "zh"}

// planHeldOut plans the held-out set: development families in languages that are held
// out, and held-out families in other languages, of which English has words of its own.
func planHeldOut(families []family, known map[string]language) []plan {
	languages := readLanguages("heldout/languages")
	own := readFamilies("heldout/families.json")
	plans := planFamilies(own, "en", languages["en"], perHeldOutEnglish, "family")
	for _, code := range slices.Sorted(maps.Keys(known)) {
		usable := own
		if slices.Contains(noTeX, code) {
			usable = slices.DeleteFunc(slices.Clone(own), func(f family) bool { return f.Source == "tex" })
		}
		if code != "en" {
			plans = append(plans, planFamilies(usable, code, known[code], perOtherLanguage, "family")...)
		}
	}
	for _, code := range slices.Sorted(maps.Keys(languages)) {
		if code != "en" {
			plans = append(plans, planFamilies(families, code, languages[code], perHeldOutLanguage, "language")...)
		}
	}
	return plans
}

// planFamilies plans a number of files in one language, each family in turn.
func planFamilies(list []family, code string, l language, count int, heldOut string) []plan {
	var plans []plan
	for i := range count {
		f := list[i%len(list)]
		plans = append(plans, plan{
			name: fmt.Sprintf("%s-%s-%03d", code, f.Name, i), format: f.Formats[i/len(list)%len(f.Formats)],
			code: code, heldOut: heldOut, family: f, language: l,
			random: rand.New(rand.NewPCG(seed, hashText(fmt.Sprint(heldOut, code, f.Name, i)))),
		})
	}
	return plans
}

// hashText is FNV-1a: a seed that does not change when a set grows.
func hashText(s string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s))
	return h.Sum64()
}
