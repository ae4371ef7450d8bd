package main

import (
	"embed"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
)

//go:embed languages families.json heldout
var data embed.FS

// language is one data file: groups of values by key. A key that is repeated in the file
// has several groups.
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
		all[strings.TrimSuffix(path.Base(file), ".txt")] = parseLanguage(string(must(fs.ReadFile(data, file))))
	}
	for code, l := range all {
		l["long"] = all["months"][code+".long"]
		l["short"] = all["months"][code+".short"]
	}
	delete(all, "months")
	return all
}

// parseLanguage reads lines "key: value | value"; a line that begins with # is a comment.
func parseLanguage(content string) language {
	l := make(language)
	for line := range strings.Lines(content) {
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
	return l
}

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
