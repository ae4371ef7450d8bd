package resume

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxJobs  = 60
	maxWords = 10 // of a title or a company
)

// findJobs reads the experience sections, or the header where no heading was recognised.
func findJobs(blocks []block) []Experience {
	var jobs []Experience
	for _, b := range blocks {
		if b.section == experience || len(blocks) == 1 {
			jobs = append(jobs, jobsIn(b.lines)...)
		}
	}
	return jobs[:min(len(jobs), maxJobs)]
}

// jobsIn makes a job of each line with a range of dates. What the job is stands on
// that line, above it or below it, in one line or two.
func jobsIn(lines []string) []Experience {
	periods := make(map[int]period)
	for i, line := range lines {
		if p, ok := findPeriod(line); ok && !isBullet(line) {
			periods[i] = p
		}
	}
	var jobs []Experience
	taken := 0 // lines before belong to jobs already read
	for i := range lines {
		p, ok := periods[i]
		if !ok {
			continue
		}
		n := neighbours{lines: lines, periods: periods, first: taken}
		title, company, last := n.describe(i, lines[i][:p.first]+"\t"+lines[i][p.last:])
		jobs = append(jobs, Experience{Title: title, Company: company, Start: p.start, End: p.end, Current: p.current})
		taken = max(i, last) + 1
	}
	return jobs
}

// neighbours is the part of a section that one job may use: up to the lines of other jobs.
type neighbours struct {
	lines   []string
	periods map[int]period
	first   int
}

// head returns what the line at i says, and nothing for lines of other jobs, sentences and list items.
func (n neighbours) head(i int) (title, company string) {
	if _, dated := n.periods[i]; dated || i < n.first || i >= len(n.lines) || isProse(n.lines[i]) {
		return "", ""
	}
	return parseHead(n.lines[i])
}

// describe weighs the places where title and company may stand: a line that says
// both wins, its own line first; then two lines that say one each. last is the
// last line used.
func (n neighbours) describe(i int, own string) (title, company string, last int) {
	title, company = parseHead(own)
	if title != "" && company != "" {
		return title, company, i
	}
	for _, at := range []int{i - 1, i + 1} {
		if t, c := n.head(at); t != "" && c != "" && (title == "" || company != "" || at < i) {
			return t, c, max(i, at)
		}
	}
	type pair struct{ near, far int }
	pairs := []pair{{i - 1, i - 2}, {i + 1, i + 2}, {i - 1, i + 1}}
	if title != "" || company != "" {
		pairs = []pair{{i, i + 1}, {i, i - 1}}
	}
	for _, p := range pairs {
		t, c := title, company
		if p.near != i {
			t, c = n.head(p.near)
		}
		t2, c2 := n.head(p.far)
		switch {
		case t != "" && t2 == "" && c2 != "":
			return t, c2, max(p.near, p.far, i)
		case c != "" && t == "" && t2 != "":
			return t2, c, max(p.near, p.far, i)
		}
	}
	return n.lone(i, title)
}

// lone keeps a title without a company. A company without any title is no better than a place or a heading: it is dropped.
func (n neighbours) lone(i int, title string) (string, string, int) {
	if title != "" {
		return title, "", i
	}
	for _, at := range []int{i - 1, i + 1} {
		if t, _ := n.head(at); t != "" {
			return t, "", max(i, at)
		}
	}
	return "", "", i
}

var (
	separator = regexp.MustCompile(`\t|\s*[|·•—]\s*|\s+[–-]\s+|\s+(?:at|@|bei|chez|hos)\s+`)
	commas    = regexp.MustCompile(`\s*,\s+`)
	legalForm = regexp.MustCompile(`(?i)(?:^|[\s,])(?:inc|llc|llp|ltd|limited|plc|corp|corporation|gmbh|ag|se|kg|ab|oy|as|asa|aps|bv|nv|sa|sas|sarl|srl|spa|pty|pvt|co|company|group|kft|sp\. z o\.o)\.?$`)
	bullet    = regexp.MustCompile(`^(?:[-*–—•·▪▫◦○●■□‣⁃➢➤✓►]|o\s)\s*`)
)

// pieces parts a line where its writer did: at gaps, bars, dots, dashes, " at " and commas.
func pieces(line string) []string {
	var parts []string
	for _, strong := range separator.Split(line, 12) {
		for _, part := range commas.Split(strong, 12) {
			part = strings.Trim(part, " \t,;:|·•–—-")
			if len(parts) > 0 && len(part) <= 12 && legalForm.FindString(part) == part && part != "" {
				parts[len(parts)-1] += ", " + part // "Acme, Inc." is one name
			} else if part != "" {
				parts = append(parts, part)
			}
		}
	}
	return parts
}

// parseHead finds a title and a company in one line.
func parseHead(line string) (title, company string) {
	for _, piece := range pieces(line) {
		switch {
		case isPlace(piece):
		case title == "" && isTitle(piece):
			title = piece
		case company == "" && isCompany(piece):
			company = piece
		}
	}
	return title, company
}

func isTitle(piece string) bool {
	if legalForm.MatchString(piece) || len(strings.Fields(piece)) > maxWords {
		return false
	}
	for _, word := range strings.FieldsFunc(strings.ToLower(piece), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if titleWords[word] {
			return true
		}
	}
	return false
}

// isCompany asks for little, since any name can be a company's: it must be short and begin like a name.
func isCompany(piece string) bool {
	first, _ := utf8.DecodeRuneInString(piece)
	isName := unicode.IsUpper(first) || unicode.IsDigit(first) || unicode.IsLetter(first) && !unicode.IsLower(first)
	return isName && len(strings.Fields(piece)) <= maxWords && utf8.RuneCountInString(piece) > 1 && (legalForm.MatchString(piece) || !isTitle(piece))
}

func isBullet(line string) bool { return bullet.MatchString(line) }

// isProse tells sentences and list items from lines that name things.
func isProse(line string) bool {
	words := len(strings.Fields(line))
	return isBullet(line) || words > 16 || strings.HasSuffix(line, ".") && words > 5 && !legalForm.MatchString(line)
}
