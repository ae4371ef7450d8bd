// Package jobs finds the jobs of a resume, and counts the years of experience that they are. Each job has a range of dates, and
// where its title and company are around them is learned from the resume itself.
package jobs

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// Experience is one job. Title, Company or both are empty if the lines around its dates were not understood.
type Experience struct {
	Title       string      `json:"title"`
	Company     string      `json:"company"`
	Start       dates.Month `json:"start"`
	End         dates.Month `json:"end"` // zero for the current job
	Current     bool        `json:"isCurrent"`
	Location    string      `json:"location"`
	Description string      `json:"description"` // the lines under the job's heading, one a line
}

const (
	maxJobs        = 60
	maxDescription = 2000 // bytes
	ownPatternLead = 3    // by how much a job's own pattern must exceed the usual one's score
)

// Find reads the experience sections. If they hold no jobs, it reads the header,
// the summary and sections of unknown headings, where a job must show title and company.
func Find(blocks []heading.Block, marks document.Markup) []Experience {
	var jobs []Experience
	for _, b := range heading.JoinRuns(blocks, words.ExperienceSection) {
		jobs = append(jobs, Parse(b.Lines, marks)...)
	}
	if len(jobs) == 0 {
		for _, b := range blocks {
			if b.Section == words.SummarySection || b.Section == words.HeaderSection || b.Section == words.UnknownSection {
				jobs = append(jobs, Parse(b.Lines, marks)...)
			}
		}
		jobs = slices.DeleteFunc(jobs, func(e Experience) bool { return e.Title == "" || e.Company == "" })
	}
	return jobs[:min(len(jobs), maxJobs)]
}

// anchor is a line with a range of dates, which every job has.
type anchor struct {
	at int
	dates.Period
}

// Parse makes a job of each anchor. Title and company are around it, in one
// pattern for most jobs of a section, which is found by trying all patterns.
func Parse(lines []string, marks document.Markup) []Experience {
	for _, tidy := range headSteps {
		lines = tidy(lines)
	}
	s := newJobSection(lines, marks)
	if len(s.anchors) == 0 {
		return nil
	}
	usual := maxPattern(func(p pattern) float64 {
		sum := 0.0
		for job := range s.anchors {
			sum += s.scorePattern(p, job)
		}
		return sum
	})
	s.checkTitles(usual)
	var jobs []Experience
	below := 0 // the line below the heading of the job before
	for i := range s.anchors {
		job, from, to := s.readJob(s.choosePattern(usual, i), i)
		if i > 0 {
			jobs[i-1].Description = joinDescription(lines, below, from)
		}
		jobs = append(jobs, job)
		below = to + 1
	}
	jobs[len(jobs)-1].Description = joinDescription(lines, below, len(lines))
	if usual.company < usual.title || usual.company == 0 && usual.title == 0 {
		inheritCompanies(jobs)
	}
	return slices.CompactFunc(jobs, func(e, above Experience) bool { // pages that place dates by the width of the screen show them twice
		return e == Experience{Start: above.Start, End: above.End, Current: above.Current}
	})
}

// inheritCompanies gives a job without a company that of the job above if that began within two years of its
// end: a promotion. It is used where companies are above titles.
func inheritCompanies(jobs []Experience) {
	for i := 1; i < len(jobs); i++ {
		above := jobs[i-1]
		before := &jobs[i]
		gap := 12 * (before.End.Year - above.Start.Year) // months; of dates without them only the years count
		if before.End.Month > 0 && above.Start.Month > 0 {
			gap += before.End.Month - above.Start.Month
		}
		isDirect := !before.Current && max(gap, -gap) <= 24
		if isDirect && before.Title != "" && before.Company == "" {
			before.Company = above.Company
		}
	}
}

func joinDescription(lines []string, from, to int) string {
	var b strings.Builder
	for _, line := range lines[min(from, len(lines)):max(min(from, len(lines)), to)] {
		line = strings.ReplaceAll(strings.TrimSpace(facts.BulletMark().ReplaceAllString(line, "")), "\t", " ")
		if b.Len()+len(line) > maxDescription {
			break
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(line)
	}
	return b.String()
}

// CountYears returns the time covered by jobs, in years with one decimal: the union
// of their intervals, so that two jobs at once count once. A year without a month
// means January, both as a start and as an end, as most people mean "2015 – 2018".
func CountYears(jobs []Experience, now dates.Month) float64 {
	var spans [][2]int // months, the end excluded
	for _, j := range jobs {
		end := j.End
		if j.Current || end == (dates.Month{}) {
			end = now
		}
		from := j.Start.Year*12 + max(j.Start.Month, 1)
		to := end.Year*12 + max(end.Month, 1)
		if end.Month > 0 {
			to++
		}
		if j.Start.Year > 0 && from < to {
			spans = append(spans, [2]int{from, min(to, now.Year*12+now.Month+1)})
		}
	}
	slices.SortFunc(spans, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
	months := 0
	covered := 0
	for _, s := range spans {
		months += max(0, s[1]-max(s[0], covered))
		covered = max(covered, s[1])
	}
	return math.Round(float64(months)/12*10) / 10
}

// jobSection is the lines of a section, each split into facts once.
type jobSection struct {
	lines   []string
	anchors []anchor
	facts   []facts.Line // none of a line that is not usable
	usable  []bool       // neither a sentence nor a list item
	undated []bool       // without an anchor
	trusted bool         // most jobs look like jobs, so that unknown titles may be titles too
}

// checkTitles sets trusted if the usual pattern finds titles for half of the jobs, or both a name-like title and a company for two thirds.
func (s *jobSection) checkTitles(usual pattern) {
	titles := 0
	complete := 0
	for i := range s.anchors {
		title, company, left := s.pickFacts(usual, i)
		if title.Title {
			titles++
		}
		if usual.title != 0 && usual.company != 0 && len(s.factsAt(0, i).Whole) > 0 {
			left-- // a note beside the dates
		}
		isNamed := title.Text != "" && facts.IsNameLike(title.Text)
		if isNamed && left <= 0 && (company.IsEmployerLike() || s.isPromotion(usual, i)) {
			complete++
		}
	}
	s.trusted = 2*titles >= len(s.anchors) || 3*complete >= 2*len(s.anchors)
}

func newJobSection(lines []string, marks document.Markup) *jobSection {
	n := len(lines)
	s := &jobSection{lines: lines, facts: make([]facts.Line, n), usable: make([]bool, n), undated: make([]bool, n)}
	heads := make([]string, n) // without dates
	for i, line := range lines {
		p, dated := dates.FindPeriod(line)
		before := facts.BulletMark().ReplaceAllString(line[:p.First], "")
		isHead := !facts.IsBullet(line) || before == "" // a list item that names a job has its dates first
		isAnchor := dated && isHead && len(s.anchors) < maxJobs
		s.undated[i] = !isAnchor
		if isAnchor {
			s.anchors = append(s.anchors, anchor{i, p})
			line = before + "\t" + facts.LoneMark().ReplaceAllString(line[p.Last:], "")
			line = strings.Trim(line, " \t·•●○◆■|–—-,:;") // no bullet: "2019 – 2021 · Engineer"
		}
		endsSentence := unicode.IsLower(words.FirstRune(line)) && facts.IsSentence(line) // which wraps
		isText := facts.IsProse(line) || isSkillLine(line) || endsSentence
		s.usable[i] = !isText
		if s.usable[i] {
			withoutYears := loneYear().ReplaceAllString(line, "\t")
			heads[i] = strings.TrimRight(facts.WebAddress().ReplaceAllString(withoutYears, "\t"), "\t ")
			s.facts[i] = facts.Split(heads[i]).ApplyRoles(marks.Roles)
		}
	}
	s.dropSpans()
	s.keepTitlesWhole()
	// "Cooper at Acme", with a title of unknown words, is split where another line has a known one.
	if slices.ContainsFunc(s.facts, isSplitAtWord) {
		for i := range s.facts {
			s.facts[i].SplitAtWord()
		}
	}
	s.cutTowns(heads, marks.Roles)
	return s
}

// keepTitlesWhole undoes the split of parts where another line has as many and both title and
// employer among them: "Engineer | Acme" above "Manager, Rail | Tern Bank".
func (s *jobSection) keepTitlesWhole() {
	full := make(map[int]bool) // by the number of parts
	for _, f := range s.facts {
		if f.Plain == nil && len(f.Whole) > 1 && facts.IsTitleAndEmployer(f.Whole) {
			full[f.Parts] = true
		}
	}
	for i, f := range s.facts {
		if f.Plain != nil && full[f.Parts] && facts.IsTitleAndEmployer(f.Plain) {
			s.facts[i].Whole = f.Plain
			s.facts[i].Pair = f.Plain
		}
	}
}

// isSplitAtWord reports whether a line is a title and another fact with a word like "at" between them.
func isSplitAtWord(l facts.Line) bool {
	if len(l.Whole) != 1 || len(l.Pair) != 2 || !l.Pair[0].Title {
		return false
	}
	behindTitle := strings.TrimPrefix(l.Whole[0].Text, l.Pair[0].Text)
	return facts.AtWord().MatchString(strings.TrimSuffix(behindTitle, l.Pair[1].Text))
}

// isSkillLine reports whether a line lists what a job needed: "Technologies: Go, SQL".
func isSkillLine(line string) bool {
	label, _, ok := strings.Cut(line, ": ")
	if !ok || len(label) > heading.MaxLength || facts.HasLegalForm(label) {
		return false
	}
	found, ok := heading.Guess(label)
	return ok && found == words.SkillsSection
}

// dropSpans removes the anchors that are not jobs but the time in a company, above its roles.
func (s *jobSection) dropSpans() {
	kept := s.anchors[:0]
	for i, a := range s.anchors {
		s.undated[a.at] = i+1 < len(s.anchors) && s.isSpan(a, s.anchors[i+1])
		if !s.undated[a.at] {
			kept = append(kept, a)
		}
	}
	s.anchors = kept
}

// isSpan reports whether an anchor without a title covers the next one, which follows it at once.
func (s *jobSection) isSpan(a, next anchor) bool {
	endsEarlier := !a.Current && (next.Current || a.End.Before(next.End))
	if next.Start.Before(a.Start) || endsEarlier || next.at-a.at > 3 {
		return false
	}
	if len(s.facts[a.at].Whole) != 1 || len(s.facts[next.at].Whole) == 0 {
		return false
	}
	for i := a.at; i < next.at; i++ {
		if !s.usable[i] || slices.ContainsFunc(s.facts[i].Whole, func(f facts.Fact) bool { return f.Title }) {
			return false
		}
	}
	return s.facts[next.at].Whole[0].ScoreTitle() >= 0
}
