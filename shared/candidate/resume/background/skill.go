package background

import (
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

const (
	maxSkills = 100

	fewListed = 3 // with fewer skills under their own heading, the whole text is searched
)

// skillSet is the skills of a resume, each once, in order of appearance.
type skillSet struct {
	found []string
	seen  map[string]bool // by words.SkillKey
}

// addAll adds skills that the set lacks until it is full, and reports whether there are any.
func (s *skillSet) addAll(names []string) bool {
	for _, name := range names {
		if key := words.SkillKey(name); !s.seen[key] && len(s.found) < maxSkills {
			s.seen[key] = true
			s.found = append(s.found, name)
		}
	}
	return len(names) > 0
}

// matchSkills returns the skills of the list that words name, the longest names first, and the other words.
// Guarded names count if allowed.
func matchSkills(terms []string, guarded bool) (names, rest []string) {
	for i := 0; i < len(terms); {
		n := min(words.MaxSkillWords, len(terms)-i)
		for ; n > 0; n-- {
			if known, ok := words.SkillsByName()[strings.Join(terms[i:i+n], " ")]; ok && (guarded || !known.Guarded) {
				names = append(names, known.Name)
				break
			}
		}
		if n == 0 {
			rest = append(rest, terms[i])
		}
		i += max(n, 1)
	}
	return names, rest
}

// FindSkills reads the skills sections, and reports whether they list enough. If not, skills of the list
// that are mentioned anywhere count too, except for guarded names. The person's name is none.
func FindSkills(blocks []heading.Block, name string) (found []string, listed bool) {
	set := skillSet{seen: map[string]bool{words.SkillKey(name): true}}
	for _, b := range blocks {
		if b.Section == words.SkillsSection {
			set.addSection(b.Lines)
		}
	}
	if len(set.found) >= fewListed {
		return set.found, true
	}
	for _, b := range blocks {
		if b.Section != words.RefereesSection && b.Section != words.EducationSection && b.Section != words.LanguagesSection {
			for _, line := range b.Lines {
				names, _ := matchSkills(words.SkillTokens(line), false)
				set.addAll(names)
			}
		}
	}
	return set.found, false
}
