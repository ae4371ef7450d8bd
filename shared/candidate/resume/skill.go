package resume

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

const (
	maxSkills     = 100
	maxSkillWords = 5
	maxList       = 8 << 10 // bytes of a list that continues over line breaks
	fewListed     = 3       // with fewer skills under their own heading, the whole text is searched
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

// findSkills reads the skills sections, and reports whether they list enough. If not,
// skills mentioned anywhere count, except for guarded names.
func findSkills(blocks []block) (found []string, listed bool) {
	seen := make(map[string]bool)
	add := func(s skill) {
		if !seen[s.name] && len(found) < maxSkills {
			seen[s.name] = true
			found = append(found, s.name)
		}
	}
	for _, b := range blocks {
		if b.section == skills {
			for _, line := range joinLists(b.lines) {
				parseSkills(line, true, add)
			}
		}
	}
	if len(found) >= fewListed {
		return found, true
	}
	for _, b := range blocks {
		if b.section != referees && b.section != education && b.section != languages {
			for _, line := range b.lines {
				parseSkills(line, false, add)
			}
		}
	}
	return found, false
}

// joinLists joins the lines of a list that continues over line breaks, which may split an item.
func joinLists(lines []string) []string {
	var out []string
	for _, line := range lines {
		n := len(out) - 1
		if n >= 0 && len(out[n]) < maxList && strings.ContainsAny(out[n], ",|;•·") && !isBullet(line) && !isBullet(out[n]) && !strings.Contains(line, ":") {
			out[n] += " " + line
			continue
		}
		out = append(out, line)
	}
	return out
}

// parseSkills calls add for each skill in a line, the longest name first. A guarded
// name must be an item of a list, or most of one.
func parseSkills(line string, listed bool, add func(skill)) {
	if !listed {
		matchSkills(skillTokens(line), false, add)
		return
	}
	if label, rest, found := strings.Cut(line, ":"); found && len(label) < maxHeading {
		line = rest // "Databases: PostgreSQL"
	}
	for item := range strings.FieldsFuncSeq(line, isListMark) {
		tokens := skillTokens(item)
		matchSkills(tokens, len(tokens) <= 3, add)
	}
}

func isListMark(r rune) bool {
	return strings.ContainsRune(",;|•·/()\t▪●○■□‣、，；", r) && r != '/' || unicode.Is(unicode.Co, r)
}

func matchSkills(tokens []string, guarded bool, add func(skill)) {
	for i := 0; i < len(tokens); {
		n := min(maxSkillWords, len(tokens)-i)
		for ; n > 0; n-- {
			if s, ok := skillsByName()[strings.Join(tokens[i:i+n], " ")]; ok && (guarded || !s.guarded) {
				add(s)
				break
			}
		}
		i += max(n, 1)
	}
}
