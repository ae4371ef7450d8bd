package resume

import (
	"fmt"
	"strconv"
	"strings"
)

// Month is a month of a year. Month 0 means that only the year is known; the zero
// value means no date.
type Month struct{ Year, Month int }

// String returns "2021-03", "2021", or "" for no date.
func (m Month) String() string {
	switch {
	case m.Year == 0:
		return ""
	case m.Month == 0:
		return strconv.Itoa(m.Year)
	}
	return fmt.Sprintf("%d-%02d", m.Year, m.Month)
}

// MarshalText returns the date as String does.
func (m Month) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// Before reports whether m is before n; a year alone is before its months.
func (m Month) Before(n Month) bool {
	return m.Year < n.Year || m.Year == n.Year && m.Month < n.Month
}

// date is a date in a line, and how it is written.
type date struct {
	start, last Month // of a quarter the first and the last month; otherwise the same
	swapped     Month // if day and month may be the other way round
	isShort     bool  // the year has two digits, which only a range makes a date
}

func (d date) first() Month  { return d.inOrder(d.start) }
func (d date) latest() Month { return d.inOrder(d.last) }

// inOrder returns the date with the month first if its month is none: 05/28/2019.
func (d date) inOrder(m Month) Month {
	if m.Month > 12 {
		return d.swapped
	}
	return m
}

// Words around dates. CLDR has none of these.
var (
	untilWords = newPhrases("to", "until", "till", "thru", "through", "bis", "à", "au", "a", "al", "até", "ao", "do", "až", "až do", "aż do", "по", "до", "至", "到", "から", "より", "부터",
		"إلى", "الى", "حتى", "עד", "से", "तक", "đến", "tới", "έως", "ως", "μέχρι", "til", "till", "tot", "t/m", "tot en met", "până", "până la", "până în", "la", "fino a", "hasta", "jusqu'à", "ile", "kuni", "līdz", "iki",
		"sampai", "hingga", "s/d", "hadi", "ถึง", "تا", "asti", "saakka", "edasi")
	sinceWords   = newPhrases("since", "seit", "depuis", "desde", "dal", "dall'", "sinds", "vanaf", "siden", "sedan", "från och med", "fra og med", "od", "з", "с", "от", "από", "din", "de la", "منذ", "מאז", "से", "từ", "óta", "alkaen", "ab", "自", "kuo", "nuo", "kopš", "alates", "sejak", "از")
	sinceEndings = newPhrases("起", "以来", "以降", "より", "부터", "से", "óta")
	fromWords    = newPhrases("from", "von", "vom", "de", "du", "del", "da", "od", "van", "fra", "från", "dal", "с", "со", "з", "із", "від", "от", "από", "din", "من", "от", "từ", "自", "dari", "mula")
	openWords    = newPhrases("present", "current", "currently", "ongoing", "till date", "to date", "date", "until now", "till now", "until today", "until present", "the present", "presently", "aktuell", "gegenwart", "laufend", "andauernd", "présent", "actuel", "actuellement", "ce jour", "à ce jour", "en cours",
		"actualidad", "la actualidad", "actualmente", "presente", "el presente", "hasta la fecha", "la fecha", "atual", "atualmente", "até o momento", "o momento", "até ao momento", "em curso", "attuale", "attualmente", "in corso", "heden", "tot heden", "op heden", "tot op heden", "huidig", "nuvarande", "pågående", "idag", "tills vidare", "nuværende", "dags dato",
		"nåværende", "dags dato", "nykyinen", "nyt", "edelleen", "jatkuu", "obecnie", "nadal", "do chwili obecnej", "chwili obecnej", "do dziś", "do teraz", "dosud", "současnost", "doposud", "súčasnosť", "doteraz", "trvá", "jelenleg", "jelen", "napjainkig", "folyamatban", "prezent", "în prezent", "actual", "настояще", "досега", "момента",
		"παρόν", "το παρόν", "έως σήμερα", "halen", "günümüz", "devam ediyor", "devam", "şu an", "hâlâ", "halen devam", "теперішній час", "по теперішній час", "дотепер", "донині", "даний час", "настоящее время", "по настоящее время", "н.в.", "н. в.", "н/в", "наст. время", "sada", "trenutno", "danas", "praegu", "käesolev", "pašlaik", "šobrīd",
		"至今", "今", "目前", "现今", "在职", "現在に至る", "現職", "在職中", "在籍中", "現在", "현재", "재직중", "재직 중", "nay", "hiện tại", "hiện nay", "đến nay", "ปัจจุบัน", "saat ini", "kini", "kasalukuyan", "حتى الآن", "الوقت الحالي", "حاليا", "حتى تاريخه", "כיום", "היום", "הווה", "עד היום", "עכשיו", "वर्तमान", "वर्तमान में", "अब तक", "अभी तक", "جاری", "تاکنون", "ادامه دارد")
	seasons   = newPhrases("spring", "summer", "autumn", "fall", "winter", "frühling", "frühjahr", "sommer", "herbst", "printemps", "été", "automne", "hiver", "primavera", "verano", "otoño", "invierno", "estate", "autunno", "inverno", "ws", "ss", "sose", "wise", "wintersemester", "sommersemester", "term")
	ofWords   = newPhrases("de", "del", "of", "di", "г", "год", "року", "р", "year", "năm", "m", "gada")
	dayMonths = newPhrases("tháng", "เดือน")
	eras      = func() phrases { // the year before an era's first
		p := make(phrases)
		for era, before := range map[string]int{"昭和": 1925, "平成": 1988, "令和": 2018, "民國": 1911, "民国": 1911} {
			p.add(before, era)
		}
		return p
	}()
)

// period is a range of dates in a line.
type period struct {
	start, end  Month
	current     bool
	first, last int // the bytes [first, last) of the line
}

// findPeriod returns the first range of dates in a line. A single date is no range: it
// may mean anything.
func findPeriod(line string) (period, bool) {
	if !hasDigit(line) {
		return period{}, false
	}
	tokens := scanTokens(line)
	for at := range tokens {
		if tokens[at].kind == spaceToken || isInsideNumber(tokens, at) {
			continue
		}
		if p, ok := parsePeriod(tokens, at); ok {
			p.first, p.last = widenBrackets(line, p.first, p.last)
			return p.orderBy(line)
		}
	}
	return period{}, false
}

func hasDigit(line string) bool { return strings.ContainsAny(line, "0123456789") }

// orderBy returns the period with its earlier date first. Lines from right to left may have
// it last; elsewhere a range that runs backwards is none.
func (p period) orderBy(line string) (period, bool) {
	if p.current || !p.end.Before(p.start) || p.end.Year == p.start.Year {
		return p, true
	}
	if isRightToLeft(line) {
		p.start, p.end = p.end, p.start
		return p, true
	}
	return p, false
}

// widenBrackets adds the brackets around a period to it.
func widenBrackets(line string, first, last int) (int, int) {
	if first > 0 && strings.ContainsRune("([", rune(line[first-1])) {
		first--
		if last < len(line) && strings.ContainsRune(")]", rune(line[last])) {
			last++
		}
	}
	return first, last
}

// parsePeriod parses a range that begins at a token: "from 2015 to 2019", "2019 –",
// "since 2019", "2019–22".
func parsePeriod(tokens []token, at int) (period, bool) {
	from := at
	_, since := sinceWords.find(tokens, at)
	isSince := since > at
	if isSince {
		from = skipSpaces(tokens, since)
	} else if _, next := fromWords.find(tokens, at); next > at {
		from = skipSpaces(tokens, next)
	}
	start, next, ok := parseDate(tokens, from)
	if !ok {
		return period{}, false
	}
	p := period{start: start.first(), first: tokens[at].first}
	if end, next, ok := parseEnd(tokens, next, start); ok {
		p.end, p.current, p.last = end.latest(), end.last == Month{}, tokens[next-1].last
		if end.swapped != (Month{}) && (start.start.Month > 12 || end.start.Month > 12) {
			p.start, p.end = start.swapped, end.swapped
		}
		return p, p.current || start.isShort == end.isShort || start.start.Month > 0
	}
	if isSince || isOpen(tokens, next) {
		p.current, p.last = true, openEnd(tokens, next, isSince)
		return p, true
	}
	return period{}, false
}

// parseEnd parses the mark between the dates of a range and its second date, or a word
// for today, which gives the zero date.
func parseEnd(tokens []token, at int, start date) (end date, next int, ok bool) {
	if year, next, ok := parseShortYear(tokens, at, start); ok {
		return date{start: Month{Year: year}, last: Month{Year: year}}, next, true
	}
	after, ok := parseRangeMark(tokens, at)
	if !ok {
		i := skipSpaces(tokens, at)
		_, next := openWords.find(tokens, i)
		return date{}, next, next > i && isUnspacedWord(tokens[i]) // 2019年3月至今
	}
	if next, ok := parseToday(tokens, after); ok {
		return date{}, next, true
	}
	if _, next := untilWords.find(tokens, after); next > after {
		after = skipSpaces(tokens, next) // "– до 2020"
	}
	return parseDate(tokens, after)
}

// parseToday skips a word for today. Some of them mean other things elsewhere, and count
// only where no other word follows.
func parseToday(tokens []token, at int) (next int, ok bool) {
	if _, next := openWords.find(tokens, at); next > at {
		return skipAfterToday(tokens, next), true
	}
	_, next = todayWords.find(tokens, at)
	after := skipSpaces(tokens, next)
	return next, next > at && (after >= len(tokens) || tokens[after].kind == markToken)
}

func isUnspacedWord(t token) bool {
	return t.kind == wordToken && isUnspaced([]rune(t.text)[0])
}

// skipAfterToday skips what belongs to a word for today: "до н.в.", "2019 से अब तक", "現在まで".
func skipAfterToday(tokens []token, at int) int {
	next := skipSpaces(tokens, at)
	if next < len(tokens) && (tokens[next].text == "तक" || tokens[next].text == "ま" && next+1 < len(tokens)) {
		return next + 1
	}
	return at
}

// parseRangeMark skips the dash, arrow or word between two dates.
func parseRangeMark(tokens []token, at int) (next int, ok bool) {
	i := skipSpaces(tokens, at)
	from := i
	for i < len(tokens) && tokens[i].kind == markToken && strings.Contains("-–—−~〜～→⟶‒―‐>－ー", tokens[i].text) {
		i++
	}
	if i == from {
		_, i = untilWords.find(tokens, from)
	}
	if i == from || i > from+3 {
		return at, false
	}
	return skipSpaces(tokens, i), true
}

// isOpen reports whether a dash ends what is said of the dates: "2019 –", "(2019 – )".
func isOpen(tokens []token, at int) bool {
	i := skipSpaces(tokens, at)
	if i >= len(tokens) || tokens[i].kind != markToken || tokens[i].text == "ー" {
		return false
	}
	next, ok := parseRangeMark(tokens, at)
	return ok && (next >= len(tokens) || strings.ContainsAny(tokens[next].text, ")]\t|·•(,"))
}

// openEnd returns the end of an open range in bytes.
func openEnd(tokens []token, at int, isSince bool) int {
	if next, ok := parseRangeMark(tokens, at); ok && !isSince {
		for next > at && tokens[next-1].kind == spaceToken {
			next--
		}
		return tokens[next-1].last
	}
	_, next := sinceEndings.find(tokens, at)
	return tokens[next-1].last
}

// parseShortYear parses the second year of "2019–22" and "2019/20". "2019-05" is a month.
func parseShortYear(tokens []token, at int, start date) (year, next int, ok bool) {
	i := skipSpaces(tokens, at)
	if start.start.Month != 0 || start.start.Year == 0 || i >= len(tokens) || !strings.Contains("-–—/", tokens[i].text) {
		return 0, at, false
	}
	spaced := i > at
	k := skipSpaces(tokens, i+1)
	if k >= len(tokens) || tokens[k].kind != numberToken || len(tokens[k].text) != 2 || k+1 < len(tokens) && strings.Contains("./-", tokens[k+1].text) {
		return 0, at, false
	}
	n, _ := strconv.Atoi(tokens[k].text)
	if tokens[i].text == "-" && !spaced && n <= 12 || n <= start.start.Year%100 || n > start.start.Year%100+30 {
		return 0, at, false
	}
	return start.start.Year/100*100 + n, k + 1, true
}
