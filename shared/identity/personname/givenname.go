package personname

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// givenNameList holds the forms of one given name per line, in folded letters, by language. A
// short form of several names is in several lines. These are never merged, so that Samuel and
// Samantha stay different although both are Sam.
//
//go:embed givennames.txt
var givenNameList string

//go:embed surnames.txt
var surnameList string // frequent ones that look like another frequent one

// nameIndex holds the numbers of the lines that a given name is in.
type nameIndex struct {
	lines  map[string][]int // by the name
	sounds map[string][]int // by its sound, for spellings that the list lacks
	arabic map[string]bool  // sounds of names of Arabic, Persian and Urdu
	tongue []string         // the language of each line
}

func (n nameIndex) find(name string) []int {
	if lines := n.lines[name]; lines != nil {
		return lines
	}
	return n.sounds[formKey(name)]
}

var givenNames = sync.OnceValue(func() nameIndex {
	index := nameIndex{make(map[string][]int), make(map[string][]int), make(map[string]bool), nil}
	tongue := ""
	arabic := false
	for line := range strings.Lines(givenNameList) {
		if language, ok := strings.CutPrefix(strings.TrimSpace(line), "// "); ok {
			tongue = language
			arabic = slices.Contains([]string{"ar", "fa", "ur"}, language)
			continue
		}
		number := len(index.tongue)
		index.tongue = append(index.tongue, tongue)
		for _, name := range strings.Fields(line) {
			key := formKey(name)
			index.lines[name] = append(index.lines[name], number)
			index.sounds[key] = append(index.sounds[key], number)
			if arabic {
				index.arabic[key] = true
			}
		}
	}
	return index
})

var surnames = sync.OnceValue(func() map[string]bool { return nameWordSet(surnameList) })

// formKey returns what spellings of a given name have in common.
func formKey(name string) string {
	if len(name) < minSound || !isASCII(name) {
		return foldUmlauts(name)
	}
	return soundKey(name)
}

// areForms reports whether a line of the list holds both names.
func areForms(a, b string) bool {
	x := givenNames().find(a)
	y := givenNames().find(b)
	return slices.ContainsFunc(x, func(line int) bool { return slices.Contains(y, line) })
}

// areOtherGivenNames reports whether both words are given names of one language that sound apart,
// of which a slip hardly makes one another: Anna and Anne.
func areOtherGivenNames(a, b string) bool {
	index := givenNames()
	x := index.find(a)
	y := index.find(b)
	common := slices.ContainsFunc(x, func(line int) bool {
		return slices.ContainsFunc(y, func(other int) bool { return index.tongue[line] == index.tongue[other] })
	})
	a = formKey(a)
	b = formKey(b)
	return common && a != b && slavicKey(a) != slavicKey(b)
}
