package words

import (
	"strings"
	"testing"
)

func TestSkillListIsSound(t *testing.T) {
	t.Parallel()
	names := make(map[string]bool)
	for key, s := range SkillsByName() {
		names[s.Name] = true
		if words := len(strings.Fields(key)); key == "" || words > MaxSkillWords {
			t.Errorf("%q has %d words, of which at most %d are looked at", s.Name, words, MaxSkillWords)
		}
	}
	if len(names) < 1000 {
		t.Errorf("%d skills, want at least 1,000", len(names))
	}
	for _, line := range strings.Split(strings.TrimSpace(skillList), "\n") {
		first, _, _ := strings.Cut(strings.TrimPrefix(line, "!"), "|")
		if s := SkillsByName()[SkillKey(first)]; !strings.HasPrefix(line, "//") && s.Name != first {
			t.Errorf("%q is listed twice: it counts as %q", first, s.Name)
		}
	}
}
