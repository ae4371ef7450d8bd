// Package facts judges what the pieces of a line look like: titles, employers, legal forms, places, schools and degrees.
package facts

import (
	"slices"
	"strings"
	"unicode"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

var (
	// Separator matches what parts the facts of a line: gaps, bars, dots and dashes.
	Separator = words.Expression(`\t|\s*[|·•—●○◦■▪◆◇]\s*|\s+(?:–|--?)\s+|\s+@\s+|\s+[–-]$|[:：]$`)
	// CommaGap matches a comma, in any script, before a space or another letter.
	CommaGap = words.Expression(`\s*(?:,\s+|[،、，]\s*)`)
	softGap  = words.Expression(`\s*(?:,\s+|[،、，]\s*)|\s+/\s+|[:：]\s+|／`)
	// AtWord matches the words for "at" in languages that have a title before its employer.
	AtWord     = words.Pattern(`(?i)\s+<at>\s+`)
	BulletMark = words.Expression(`^(?:[-*–—•·▪▫◦○●■□‣⁃➢➤✓✔☑✅❖►]|[o{]\s)\s*`) // LaTeX's own fonts have a bullet where others have "{"
	LoneMark   = words.Expression(`^\s*[●○◦■▪◆◇•·|]\s*\t`)                    // of a timeline
	AtCapital  = words.Pattern(` <at-only> \p{Lu}`)                           // "at" alone, between a title and an employer
	JoinsNext  = words.Pattern(`(?i)(?:[&/]|\b<joins-next>)$`)                // "Bank of"
	WebAddress = words.Expression(`[ \t](?:https?://|www\.)\S+`)              // within a line
	// InBrackets matches brackets at the end of a text.
	InBrackets = words.Expression(`\s*[(（]([^()（）]+)[)）]$`)
)

// Fact is a piece of a line, and what it looks like.
type Fact struct {
	Text                  string
	Title, Legal, Company bool          // has a title's noun, a legal form, an organisation's word
	IsUnit, IsPhrase      bool          // names a part of an organisation, says something instead of naming it
	lean                  float64       // to a title, or below zero to an employer, of one of unknown words
	Paired                bool          // is on one line with the other of title and employer
	Role                  document.Role // what mark-up says
}

// Line are the facts of a line in two readings.
type Line struct {
	Whole []Fact // split at gaps, bars, dots and dashes, and parts of several that hold title and company at what parts these
	Plain []Fact // whole without the split parts; nil if none is split
	Pair  []Fact // title and company of a line without these, in any order, split at a comma, a slash or " at "
	Place string // at the end
	apart bool   // the place is set apart from the part before
	Parts int    // between gaps, bars, dots and dashes, without the place
}

// Split reads a line without its dates.
func Split(line string) Line {
	var parts []string
	for _, part := range Separator().Split(joinAreas(line), 12) {
		part = Trim(trailingAt().ReplaceAllString(cutBrackets(part), ""))
		isNote := words.IsAny(part, dates.IsDuration, dateLabel().MatchString, isFiller) // on how long, or on nothing of a job
		if part != "" && !isNote {
			parts = append(parts, part)
		}
	}
	var out Line
	for _, part := range parts {
		part, place := cutPlace(part, len(parts) > 1)
		part = Trim(part)
		if out.Place == "" {
			out.Place = place
			out.apart = part == ""
		}
		if part != "" && !dates.IsDuration(part) {
			out.Plain = append(out.Plain, New(part))
		}
	}
	out.Parts = len(out.Plain)
	out.judgeOwnAccount()
	for _, f := range out.Plain {
		pair := bestPair(f.Text, false)
		mayPart := out.Parts > 1 && pair != nil
		if mayPart && pair[0].Title != pair[1].Title && (pair[0].Company || pair[1].Company) {
			out.Whole = append(out.Whole, pair...)
		} else {
			out.Whole = append(out.Whole, f)
		}
	}
	if len(out.Whole) == len(out.Plain) {
		out.Plain = nil
	}
	out.Pair = out.Whole
	if len(out.Whole) == 1 {
		if pair := bestPair(out.Whole[0].Text, false); pair != nil {
			out.Pair = pair
		}
	}
	return out
}

// judgeOwnAccount takes words like "Freelance" in a part of their own for an employer, or drops them if
// the other parts have title and employer: "Acme, Cooper – Freelance".
func (l *Line) judgeOwnAccount() {
	at := slices.IndexFunc(l.Plain, func(f Fact) bool { return ownAccount()[strings.ToLower(f.Text)] })
	switch {
	case at < 0 || l.Parts < 2 && l.Place == "":
	case l.Parts > 2, at == 1 && CommaGap().MatchString(l.Plain[0].Text):
		l.Plain = slices.Delete(l.Plain, at, at+1)
		l.Parts--
	default:
		l.Plain[at].Title = false
		l.Plain[at].Company = true
	}
}

// ApplyRoles adds the roles that mark-up gives the facts. One that it names is not split.
func (l Line) ApplyRoles(roles map[string]document.Role) Line {
	marked := false
	for i, f := range l.Whole {
		l.Whole[i].Role = roles[f.Text]
		marked = marked || l.Whole[i].Role > 0
	}
	if marked {
		l.Pair = l.Whole
	}
	for i, f := range l.Pair {
		l.Pair[i].Role = roles[f.Text]
	}
	return l
}

// cutBrackets returns a part of a line without brackets at its ends that hold how long a job lasted, or its type.
func cutBrackets(part string) string {
	part = strings.TrimSpace(part)
	if rest := part[len(leadingDuration().FindString(part)):]; rest != "" {
		part = rest
	}
	if end := strings.IndexByte(part, ')'); strings.HasPrefix(part, "(") && end > 0 && dates.IsDuration(part[1:end]) {
		part = part[end+1:]
	}
	if m := InBrackets().FindStringSubmatchIndex(part); m != nil && m[0] > 0 && isAside(part[m[2]:m[3]]) {
		part = part[:m[0]]
	}
	if m := AtWord().FindStringIndex(part); m != nil && isAside(part[:m[0]]) { // "Full-time at Acme"
		part = part[m[1]:]
	}
	return part
}

var (
	trailingAt      = words.Pattern(`(?i)\s+<at-end>$`)               // "Engineer at", "Acme"
	leadingDuration = words.Pattern(`^(?:\d{1,2} <job-time>[.,]? )+`) // "1 year 6 months Acme"
	ownTrade        = words.Pattern(`(?i)^<own-trade>$`)
	// ownAccount are words for work on one's own account, which name an employer if they are alone.
	ownAccount = words.Listed("own-account")
)

// isAside reports whether a text beside a title says how long, or how one was employed.
func isAside(text string) bool {
	return dates.IsDuration(text) || isFiller(text) || ownAccount()[strings.ToLower(text)]
}

// isFiller reports whether a part of a line is a web address, a type of employment, or a word like "at" alone.
func isFiller(part string) bool {
	isAddress := strings.HasPrefix(part, "http://") || strings.HasPrefix(part, "https://") || strings.HasPrefix(part, "www.")
	isWord := len(part) < 8 && !strings.Contains(part, " ")
	return isAddress || words.Vocabulary().Employment[words.Fold(part)] || isWord && AtWord().MatchString(" "+part+" ")
}

// Trim returns a part without marks around it, and without brackets that do not match.
func Trim(part string) string {
	part = strings.Trim(part, " \t,;:|·•●○◆■–—-،、")
	if strings.HasPrefix(part, "(") && strings.IndexByte(part, ')') == len(part)-1 {
		part = part[1 : len(part)-1]
	}
	if strings.Count(part, "(") != strings.Count(part, ")") {
		part = strings.Trim(part, "()")
	}
	return strings.TrimSpace(part)
}

// New returns a piece of a line with the properties its words suggest.
func New(text string) Fact {
	text = areaDash.Replace(text)
	if m := titleLabel().FindString(text); m != "" {
		return Fact{Text: text[len(m):], Title: true}
	}
	if m := companyLabel().FindString(text); m != "" {
		return Fact{Text: text[len(m):], Company: true, Legal: true}
	}
	f := Fact{Text: text, IsPhrase: IsPhrase(text)}
	for _, v := range verdicts {
		if v.holds(&f) {
			v.apply(&f)
		}
	}
	return f
}

// judgeByHead judges a fact with words of titles and of employers by the word that the others describe: "Hotel Manager"
// is a title, "Growers Cooperative" an employer. In Germanic languages it is the last one.
func (f *Fact) judgeByHead() {
	f.IsUnit = false
	isBeyondWestern := strings.ContainsFunc(f.Text, func(r rune) bool { return r >= 0x180 })
	if isBeyondWestern || isComposite().MatchString(f.Text) || AtWord().MatchString(f.Text) {
		return
	}
	head := words.Last(strings.TrimSpace(behindTheNoun().ReplaceAllString(f.Text, "")))
	tokens := append(words.Scan(head+" "), words.Scan(strings.ReplaceAll(head, "-", ""))...) // "co-operative"
	isEmployer := words.Vocabulary().Organisations.IsIn(tokens)
	isJob := IsTitle(head) && !(isEmployer && strings.Contains(head, "-"))
	if isJob == isEmployer || isEmployer && IsTitle(words.First(f.Text)) {
		return
	}
	f.Title = isJob
	f.Company = isEmployer
}

var (
	// isComposite matches texts of several facts, and the words by which Romance languages describe the word before.
	isComposite = words.Pattern(`(?i)[,/:]|\b<describes-before>\b|\b<describes-before-vowel>['’]`)
	// salesArea matches what a title says it is responsible for: "Northern Region", "South & West", "EMEA".
	salesArea = words.Pattern(`(?i)^(?:(?:<sales-area>|&)<sales-area-ending>?[ ,/&-]*)+$`)
	// publicBody matches a department of a government: "Department of Public Works", "Wren County Fire Department".
	publicBody = words.Pattern(`(?i)^<department> <department-of> <department-matter>\b|^<ministry> <ministry-for> \p{Lu}|^\p{Lu}.* <department-service> <department>$`)
	// partnersName matches names of firms: "Tallis, Moore and Partners", "Fitch, Barlow & Co".
	partnersName = words.Pattern(`^\p{Lu}[\p{L}'’-]+(?:, \p{Lu}[\p{L}'’-]+){1,3},? (?:<partner-and>|&) \p{Lu}[\p{L}'’-]+(?: \p{Lu}\p{L}+)?\.?$`)
)

func isNamedAfterPartners(text string) bool {
	if !partnersName().MatchString(text) {
		return false
	}
	first, _, _ := strings.Cut(text, ",")
	return !words.IsAny(first, IsTitle, isWorkArea, words.Vocabulary().Units.Has)
}

var (
	titleLabel   = words.Pattern(`(?i)^(?:<title-label-before> )?<title-label>\s*[:：]\s*`)
	companyLabel = words.Pattern(`(?i)^<company-label>(?: \d)?\s*[:：]\s*`)
	dateLabel    = words.Pattern(`(?i)^<date-label>\s*[:：]?$`)
)

func isWorkArea(text string) bool {
	isGap := func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("&/,", r) }
	words := strings.FieldsFunc(strings.ToLower(text), isGap)
	for i, word := range words {
		isBeforeArea := i < len(words)-1 && areaModifiers()[word]
		if !workAreas()[word] && !isBeforeArea {
			return false
		}
	}
	return len(words) > 0
}

var (
	workAreas      = words.Listed("work-area")        // what titles say they are about: "Specialist, Payroll"
	areaModifiers  = words.Listed("work-area-before") // "Enterprise Sales"
	partOfEmployer = words.Pattern(`^(?:\p{Lu}[\p{L}&]*\s+){1,3}<part-of-employer>\.?$`)
	dashedPart     = words.Expression(`( [-–] )([^\t|·•,–-]+)`) // up to the next mark between parts
	areaDash       = strings.NewReplacer(hyphenWithin, " - ", dashWithin, " – ")
)

// The marks of a dash within a title.
const hyphenWithin, dashWithin = "\ue000", "\ue001"

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
