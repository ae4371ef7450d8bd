package resume

import (
	_ "embed"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"
)

const (
	maxSkills     = 100
	maxSkillWords = 5
	fewListed     = 3 // with fewer skills under their own heading, the whole text is searched
)

// skillList holds a skill and its other names per line, separated by bars. A ! before
// a name means that it is also a common word or too short, and counts only where
// skills are listed.
//
//go:embed skills.txt
var skillList string

// skill is the meaning of a name in the list.
type skill struct {
	name    string // the first one of its line
	guarded bool
}

var skillsByName = sync.OnceValue(func() map[string]skill {
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
			if key := skillKey(plain); index[key].name == "" {
				index[key] = skill{canonical, guarded}
			}
		}
	}
	return index
})

// skillWord matches words of names like C++, C#, .NET, Node.js and CI/CD.
var skillWord = expression(`[.]?[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}.'’]*[\p{L}\p{M}\p{N}])?[+#]{0,2}|&`)

// skillKey folds spellings: case, hyphens, slashes and spaces do not matter, "&" is "and".
func skillKey(s string) string { return strings.Join(skillTokens(s), " ") }

func skillTokens(s string) []string {
	tokens := skillWord().FindAllString(strings.ToLower(norm.NFKC.String(s)), 400)
	for i, t := range tokens {
		if t == "&" {
			tokens[i] = "and"
		}
	}
	return tokens
}

// skillSet is the skills of a resume, each once, in order of appearance.
type skillSet struct {
	found []string
	seen  map[string]bool // by skillKey
}

// add adds a skill, unless the set has it or is full.
func (s *skillSet) add(name string) {
	if key := skillKey(name); !s.seen[key] && len(s.found) < maxSkills {
		s.seen[key] = true
		s.found = append(s.found, name)
	}
}

// addAll adds skills, and reports whether there are any.
func (s *skillSet) addAll(names []string) bool {
	for _, name := range names {
		s.add(name)
	}
	return len(names) > 0
}

// matchSkills returns the skills of the list that words name, the longest names first, and the other words.
// Guarded names count if allowed.
func matchSkills(words []string, guarded bool) (names, rest []string) {
	for i := 0; i < len(words); {
		n := min(maxSkillWords, len(words)-i)
		for ; n > 0; n-- {
			if known, ok := skillsByName()[strings.Join(words[i:i+n], " ")]; ok && (guarded || !known.guarded) {
				names = append(names, known.name)
				break
			}
		}
		if n == 0 {
			rest = append(rest, words[i])
		}
		i += max(n, 1)
	}
	return names, rest
}

// findSkills reads the skills sections, and reports whether they list enough. If not, skills of the list
// that are mentioned anywhere count too, except for guarded names. The person's name is none.
func findSkills(blocks []block, name string) (found []string, listed bool) {
	set := skillSet{seen: map[string]bool{skillKey(name): true}}
	for _, b := range blocks {
		if b.section == skills {
			set.addSection(b.lines)
		}
	}
	if len(set.found) >= fewListed {
		return set.found, true
	}
	for _, b := range blocks {
		if b.section != referees && b.section != education && b.section != languages {
			for _, line := range b.lines {
				names, _ := matchSkills(skillTokens(line), false)
				set.addAll(names)
			}
		}
	}
	return set.found, false
}
