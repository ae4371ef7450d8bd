package facts

import (
	"strings"
	"unicode"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// workAreas are what titles say they are about: "Specialist, Payroll", "Engineer – Payments".
var workAreas = words.Set(`
	accounts admissions advocacy analytics audit benefits brand commerce communications community compliance content credit data
	design development ecommerce e-commerce education engineering estates ethics events facilities features finance fundraising
	governance growth hospitality infrastructure innovation insights inventory it leasing legal lending litigation logistics
	maintenance marketing merchandising mortgages news onboarding operations payments payroll pensions photography planning platform
	policy pricing privacy procurement product production projects property purchasing quality records recruitment reliability
	research retail retention risk safety sales scheduling science security sports strategy supply support sustainability talent tax
	technology tools training transport treasury underwriting wealth`)

// areaModifiers precede them: "Enterprise Sales".
var areaModifiers = words.Set(`
	business global digital enterprise consumer corporate internal external core mobile web cloud machine learning human public
	private strategic technical commercial residential small business smb fixed income market field trade international domestic
	regional national online social media customer user client people front back end full stack`)

// isWorkArea reports whether a text names nothing but areas of work.
func isWorkArea(text string) bool {
	isGap := func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("&/,", r) }
	words := strings.FieldsFunc(strings.ToLower(text), isGap)
	for i, word := range words {
		isBeforeArea := i < len(words)-1 && (areaModifiers[word] || word == "and")
		if !workAreas[word] && !isBeforeArea {
			return false
		}
	}
	return len(words) > 0
}

// partOfEmployer matches what an employer's name may end with behind a dash: "Robotics Division".
var partOfEmployer = words.Expression(`^(?:\p{Lu}[\p{L}&]*\s+){1,3}(?:Division|Department|Dept\.?|Unit|Branch|Campus)\.?$`)

// dashedPart matches the text after a dash, up to the next mark between parts.
var dashedPart = words.Expression(`( [-–] )([^\t|·•,–-]+)`)

// The marks of a dash within a title.
const hyphenWithin, dashWithin = "\ue000", "\ue001"

var areaDash = strings.NewReplacer(hyphenWithin, " - ", dashWithin, " – ")

// joinAreas marks the dashes of a line between a title and its area, and between an employer and its part,
// so that they part nothing: "Analyst - Credit Risk, Acme", "Tern Group – Robotics Division".
func joinAreas(line string) string {
	gap := dashedPart().FindStringSubmatchIndex(line)
	if gap == nil {
		return line
	}
	parts := Separator().Split(line[:gap[0]], 12)
	before := parts[len(parts)-1]
	area := strings.TrimSpace(line[gap[4]:gap[5]])
	isTitleArea := IsTitle(before) && (isWorkArea(area) || salesArea().MatchString(area))
	isEmployerPart := before != "" && partOfEmployer().MatchString(area)
	if !isTitleArea && !isEmployerPart {
		return line
	}
	mark := dashWithin
	if strings.Contains(line[gap[2]:gap[3]], "-") {
		mark = hyphenWithin
	}
	return line[:gap[0]] + mark + line[gap[4]:]
}
