package resume

import (
	"slices"
	"strings"
)

const maxWords = 10 // of a title or a company

var (
	separator  = expression(`\t|\s*[|·•—●○◦■▪◆◇]\s*|\s+(?:–|--?)\s+|\s+@\s+|\s+[–-]$|[:：]$`)
	commaGap   = expression(`\s*(?:,\s+|[،、，]\s*)`)
	softGap    = expression(`\s*(?:,\s+|[،、，]\s*)|\s+/\s+|[:：]\s+|／`)
	atWord     = expression(`(?i)\s+(?:at|bei|beim|chez|en|hos|bij|presso|w|på|la|v|u|em|na|no|в|у)\s+`)
	bulletMark = expression(`^(?:[-*–—•·▪▫◦○●■□‣⁃➢➤✓✔☑✅❖►]|[o{]\s)\s*`) // LaTeX's own fonts have a bullet where others have "{"
	loneMark   = expression(`^\s*[●○◦■▪◆◇•·|]\s*\t`)                    // of a timeline
	inBrackets = expression(`\s*[(（]([^()（）]+)[)）]$`)
)

// fact is a piece of a line, and what it looks like.
type fact struct {
	text                  string
	title, legal, company bool    // has a title's noun, a legal form, an organisation's word
	doubtful              bool    // has a title's noun where names have it too: "Butler Foods"
	isUnit, isPhrase      bool    // names a part of an organisation, says something instead of naming it
	lean                  float64 // to a title, or below zero to an employer, of one of unknown words
	paired                bool    // stands on one line with the other of title and employer
	role                  Role    // what mark-up says
}

// lineFacts are the facts of a line in two readings.
type lineFacts struct {
	whole []fact // split at gaps, bars, dots and dashes, and parts of several that hold title and company at what parts these
	plain []fact // whole without the split parts; nil if none is split
	pair  []fact // title and company of a line without these, in any order, split at a comma, a slash or " at "
	place string // at the end
	apart bool   // the place stands apart from the part before
	parts int    // between gaps, bars, dots and dashes, without the place
}

// splitFacts reads a line without its dates.
func splitFacts(line string) lineFacts {
	var parts []string
	for _, part := range separator().Split(joinAreas(line), 12) {
		if part = trimFact(trailingAt().ReplaceAllString(cutBrackets(part), "")); part != "" && !isDuration(part) && !dateLabel().MatchString(part) && !isFiller(part) {
			parts = append(parts, part)
		}
	}
	var out lineFacts
	for _, part := range parts {
		part, place := cutPlace(part, len(parts) > 1)
		part = trimFact(part)
		if out.place == "" {
			out.place, out.apart = place, part == ""
		}
		if part != "" && !isDuration(part) {
			out.plain = append(out.plain, newFact(part))
		}
	}
	out.parts = len(out.plain)
	out.judgeOwnAccount()
	takeForEmployers(out.plain)
	out.splitParts()
	if out.pair = out.whole; len(out.whole) == 1 {
		if pair := bestPair(out.whole[0].text); pair != nil {
			out.pair = pair
		}
	}
	return out
}

// judgeOwnAccount takes words like "Freelance" in a part of their own for an employer, or drops them if
// the other parts have title and employer: "Acme, Cooper – Freelance".
func (l *lineFacts) judgeOwnAccount() {
	at := slices.IndexFunc(l.plain, func(f fact) bool { return ownAccount[strings.ToLower(f.text)] })
	switch {
	case at < 0 || l.parts < 2 && l.place == "":
	case at < 2 && l.parts == 3 && l.plain[1-at].title && !l.plain[2].title && !l.plain[2].company && isTownShaped(l.plain[2].text): // "Freelance | Cooper | Wickling"
		l.plain[at].title, l.plain[at].company = false, true
	case l.parts > 2, at == 1 && commaGap().MatchString(l.plain[0].text):
		l.plain, l.parts = slices.Delete(l.plain, at, at+1), l.parts-1
	default:
		l.plain[at].title, l.plain[at].company = false, true
	}
}

// splitParts sets whole from plain.
func (l *lineFacts) splitParts() {
	for _, f := range l.plain {
		if pair := bestPair(f.text); l.parts > 1 && pair != nil && isTitleAndCompany(pair) {
			l.whole = append(l.whole, pair...)
			continue
		}
		l.whole = append(l.whole, f)
	}
	if len(l.whole) == len(l.plain) {
		l.plain = nil
	}
}

// applyRoles adds what mark-up says of the facts. One that it names is not split.
func (l lineFacts) applyRoles(roles map[string]Role) lineFacts {
	marked := false
	for i, f := range l.whole {
		l.whole[i].role = roles[f.text]
		marked = marked || l.whole[i].role > 0
	}
	if marked {
		l.pair = l.whole
	}
	for i, f := range l.pair {
		l.pair[i].role = roles[f.text]
	}
	return l
}

// cutBrackets returns a part of a line without brackets at its ends that hold how long a job
// lasted, or its type.
func cutBrackets(part string) string {
	part = strings.TrimSpace(part)
	if rest := part[len(leadingDuration().FindString(part)):]; rest != "" {
		part = rest // "1 year 6 months Acme"
	}
	if end := strings.IndexByte(part, ')'); strings.HasPrefix(part, "(") && end > 0 && isDuration(part[1:end]) {
		part = part[end+1:]
	}
	if m := inBrackets().FindStringSubmatchIndex(part); m != nil && m[0] > 0 && isAside(part[m[2]:m[3]]) {
		part = part[:m[0]]
	}
	if m := atWord().FindStringIndex(part); m != nil && isAside(part[:m[0]]) { // "Full-time at Acme"
		part = part[m[1]:]
	}
	return part
}

// trailingAt matches a word that only joins what follows apart: "Engineer at", "Acme".
var trailingAt = expression(`(?i)\s+(?:at|bei|chez|presso|hos)$`)

// leadingDuration matches how long a job lasted before a name.
var leadingDuration = expression(`^(?:\d{1,2} (?:years?|yrs?|months?|mos?)[.,]? )+`)

// ownAccount are words for work on one's own account, which name an employer if they stand
// alone.
var ownAccount = wordSet("freelance freelancer self-employed freiberuflich selbständig indépendant autónomo autônomo zzp")

// ownTrade is what one calls oneself or one's employer.
var ownTrade = expression(`(?i)^(?:independent|freelance|self-employed) (?:consultant|contractor)$`)

// isAside reports whether a text beside a title says how long, or how one was employed.
func isAside(text string) bool {
	return isDuration(text) || isFiller(text) || ownAccount[strings.ToLower(text)]
}

// webAddress matches an address within a line.
var webAddress = expression(`[ \t](?:https?://|www\.)\S+`)

// isFiller reports whether a part of a line is a web address, a type of employment, or a
// word like "at" alone.
func isFiller(part string) bool {
	return strings.HasPrefix(part, "http://") || strings.HasPrefix(part, "https://") || strings.HasPrefix(part, "www.") ||
		vocabulary().employment[foldWord(part)] || len(part) < 8 && !strings.Contains(part, " ") && atWord().MatchString(" "+part+" ")
}

func trimFact(part string) string {
	part = strings.Trim(part, " \t,;:|·•●○◆■–—-،、")
	if strings.HasPrefix(part, "(") && strings.IndexByte(part, ')') == len(part)-1 {
		part = part[1 : len(part)-1]
	}
	if strings.Count(part, "(") != strings.Count(part, ")") {
		part = strings.Trim(part, "()")
	}
	return strings.TrimSpace(part)
}

func newFact(text string) fact {
	text = areaDash.Replace(text)
	if m := titleLabel().FindString(text); m != "" {
		return fact{text: text[len(m):], title: true}
	}
	if m := companyLabel().FindString(text); m != "" {
		return fact{text: text[len(m):], company: true, legal: true}
	}
	f := fact{text: text, legal: hasLegalForm(text), isPhrase: isPhrase(text)}
	f.title = isTitle(text) && !f.legal && !isNamedAfterPeople(text) && !isDoubleSurname(text)
	isArea := salesArea().MatchString(text)
	f.isUnit = isArea || !f.legal && vocabulary().units.isIn(scanTokens(text)) && !publicBody().MatchString(text)
	f.isUnit = f.isUnit || !f.legal && !ownAccount[strings.ToLower(text)] && vocabulary().organisations.isWord(scanTokens(text)) // "Rail"
	f.company = f.legal || ownTrade().MatchString(text) || publicBody().MatchString(text) || !isArea && vocabulary().organisations.isIn(scanTokens(text))
	if f.title && f.company {
		f.isUnit = false
		f.judgeByHead()
	}
	if isNamedAfterPartners(text) && !f.isUnit {
		f.title, f.company = false, true
	}
	f.company = f.company && !isTradeAtPlace(f)
	f.doubtful = f.title && !f.company && isNamedAfterTitle(text)
	if !f.title && !f.company {
		f.lean = findLean(text)
	}
	return f
}

// judgeByHead judges a fact with words of titles and of employers by the word that the others
// describe: "Hotel Manager" is a title, "Growers Cooperative" an employer. In Germanic languages it is
// the last one.
func (f *fact) judgeByHead() {
	if isComposite().MatchString(f.text) || atWord().MatchString(f.text) || strings.ContainsFunc(f.text, func(r rune) bool { return r >= 0x180 }) {
		return
	}
	head := lastWord(strings.TrimSpace(behindTheNoun().ReplaceAllString(f.text, "")))
	isEmployer := vocabulary().organisations.isIn(append(scanTokens(head+" "), scanTokens(strings.ReplaceAll(head, "-", ""))...)) // "co-operative"
	isJob := isTitle(head) && !(isEmployer && strings.Contains(head, "-"))
	if isJob && !isEmployer || isEmployer && !isJob && !isTitle(firstWord(f.text)) {
		f.title, f.company = isJob, isEmployer
	}
}

// isComposite matches texts of several facts, and the words by which Romance languages describe the
// word before.
var isComposite = expression(`(?i)[,/:]|\b(?:de|du|des|del|dell[ao']?|di|da|do|dos|das|em|au|aux|le)\b|\bd['’]`)

// salesArea matches what a title says it is responsible for: "Northern Region", "South & West", "EMEA".
var salesArea = expression(`(?i)^(?:(?:north|south|east|west|mid|central|upper|lower|emea|apac|latam|dach|benelux|nordics|asia|pacific|europe|americas?|middle|region|area|territory|territories|district|zone|coast|division|regional|and|&|of)(?:ern|s)?[ ,/&-]*)+$`)

// publicBody matches a department of a government: "Department of Public Works", "Wren County Fire Department".
var publicBody = expression(`(?i)^(?:department|dept\.?) (?:of|for) (?:the )?(?:public|state|health|education|transport|transportation|agriculture|defen[cs]e|energy|justice|labor|labour|commerce|homeland|veterans|motor|children|social|work|business|environment|environmental|natural|corrections|revenue|housing|human|family|fisheries|culture|international|finance|treasury|interior|conservation|parks|community|communities)\b|^(?:department|ministry|office) for (?:the )?\p{Lu}|^\p{Lu}.* (?:fire|police|sheriff['’]?s|health|highway|parks|public works) (?:department|dept\.?)$`)

// partnersName matches names of firms: "Tallis, Moore and Partners", "Fitch, Barlow & Co".
var partnersName = expression(`^\p{Lu}[\p{L}'’-]+(?:, \p{Lu}[\p{L}'’-]+){1,3},? (?:and|und|et|e|y|og|och|en|&) \p{Lu}[\p{L}'’-]+(?: \p{Lu}\p{L}+)?\.?$`)

// isNamedAfterPartners reports whether a text is the name of a firm, one of whose partners follows a comma.
func isNamedAfterPartners(text string) bool {
	first, _, _ := strings.Cut(text, ",")
	return partnersName().MatchString(text) && !isTitle(first) && !isWorkArea(first) && !vocabulary().units.isIn(scanTokens(first))
}

// doubleName matches two names with a hyphen.
var doubleName = expression(`^\p{Lu}\p{Ll}+-(\p{Lu}\p{Ll}+)$`)

// isDoubleSurname reports whether a text is two names of which the second is no title: "Mason-Reid".
func isDoubleSurname(text string) bool {
	m := doubleName().FindStringSubmatch(text)
	return m != nil && !isTitle(m[1]) && vocabulary().titleWords.isWord(scanTokens(text[:len(text)-len(m[1])-1]))
}

// isNamedAfterPeople reports whether a title's noun is only behind an organisation's: "Union of
// Growers".
func isNamedAfterPeople(text string) bool {
	head, _, found := strings.Cut(text, " of ")
	return found && !isTitle(head) && vocabulary().organisations.isIn(scanTokens(head))
}

var (
	titleLabel   = expression(`(?i)^(?:job )?(?:title|position|designation|role|rolle|funktion|poste|puesto|cargo|должность|посада|stanowisko|职位|职务|役職|직위|직책)\s*[:：]\s*`)
	companyLabel = expression(`(?i)^(?:company|employer|organi[sz]ation|company name|client|firma|arbeitgeber|entreprise|empresa|azienda|bedrijf|компания|компанія|公司|单位|会社|회사)(?: \d)?\s*[:：]\s*`)
	dateLabel    = expression(`(?i)^(?:duration|period|dates?|from|time|zeitraum|period of work)\s*[:：]?$`)
)
