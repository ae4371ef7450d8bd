package phone

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// territory has the numbers of one region, or of a calling code that belongs to none. Patterns are
// regular expressions.
type territory struct {
	code string
	// exit is what is dialled before an international number, trunk what is dialled before a
	// national one. A trunk that captures digits is replaced by replacement.
	exit, trunk, replacement string
	// leading is how all numbers begin, where that tells the territories of one calling code
	// apart; else "".
	leading string
	// local are the lengths of numbers that are dialled inside of one place only.
	local []int
	// general describes all numbers, kinds those that are assigned, by their use.
	general numbers
	kinds   []numbers
}

// numbers describes numbers by their lengths, in rising order, and a pattern. Without lengths,
// they are those of the general description.
type numbers struct {
	lengths []int
	pattern string
}

func (n numbers) match(national string) bool {
	return (len(n.lengths) == 0 || slices.Contains(n.lengths, len(national))) && whole(n.pattern).MatchString(national)
}

func (t *territory) isAssigned(national string) bool {
	return t.general.match(national) && slices.ContainsFunc(t.kinds, func(n numbers) bool { return n.match(national) })
}

// fits reports whether a national number has a length that exists, or is too long for any.
func (t *territory) fits(national string) bool {
	n := len(national)
	return !slices.Contains(t.local, n) && (slices.Contains(t.general.lengths, n) || t.isTooLong(national))
}

func (t *territory) isTooLong(national string) bool {
	return len(national) > slices.Max(t.general.lengths) && !slices.Contains(t.local, len(national))
}

// cutExit returns the number behind what is dialled before an international one, and whether the
// number begins with that. No calling code begins with 0.
func (t *territory) cutExit(digits string) (rest string, found bool) {
	at := prefixOf(t.exit).FindStringIndex(digits)
	if at == nil || strings.HasPrefix(digits[at[1]:], "0") {
		return digits, false
	}
	return digits[at[1]:], true
}

// cutOwnCode returns the number behind the territory's own calling code if it begins with that and
// is a number only without it.
func (t *territory) cutOwnCode(digits string) (national string, found bool) {
	rest, found := strings.CutPrefix(digits, t.code)
	if !found {
		return digits, false
	}
	rest, general := t.cutTrunk(rest), whole(t.general.pattern)
	return rest, !general.MatchString(digits) && general.MatchString(rest) || t.isTooLong(digits)
}

// cutTrunk returns a national number without what is dialled before it, unless only the number
// with it is one.
func (t *territory) cutTrunk(national string) string {
	if t.trunk == "" {
		return national
	}
	trunk := prefixOf(t.trunk)
	groups := trunk.FindStringSubmatchIndex(national)
	if groups == nil {
		return national
	}
	rest := national[groups[1]:]
	if t.replacement != "" && groups[len(groups)-2] >= 0 {
		rest = trunk.ReplaceAllString(national, t.replacement)
	}
	if general := whole(t.general.pattern); general.MatchString(national) && !general.MatchString(rest) {
		return national
	}
	return rest
}

// whole and prefixOf compile a pattern when it is first used: most are never.
func whole(pattern string) *regexp.Regexp    { return compile("^(?:" + pattern + ")$") }
func prefixOf(pattern string) *regexp.Regexp { return compile("^(?:" + pattern + ")") }

var compiled sync.Map // of *regexp.Regexp, by their text

func compile(expr string) *regexp.Regexp {
	if found, ok := compiled.Load(expr); ok {
		return found.(*regexp.Regexp)
	}
	found, _ := compiled.LoadOrStore(expr, regexp.MustCompile(expr))
	return found.(*regexp.Regexp)
}
