package words

import (
	_ "embed"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"
)

// MaxSkillWords is the number of words of the longest names in the list.
const MaxSkillWords = 5

// skillList holds a skill and its other names per line, separated by bars. A ! before
// a name means that it is also a common word or too short, and counts only where
// skills are listed.
//
//go:embed skills.txt
var skillList string

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
