// Package background finds what a person has learned under the headings of a resume: skills, studies and languages, and
// the sections of jobs and studies under lines that are no known heading. It does not read the jobs themselves.
package background

import (
	"cmp"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// Education is one course of study. What the text does not show is empty.
type Education struct {
	School string      `json:"school"`
	Degree string      `json:"degree"`
	Start  dates.Month `json:"start"`
	End    dates.Month `json:"end"`
}

// hasDates reports whether dates are known: the end, or of a study that goes on the start alone.
func (e Education) hasDates() bool { return e.Start != dates.Month{} || e.End != dates.Month{} }

const maxStudies = 20

// FindEducation reads the education sections. A second school or degree begins the next entry.
func FindEducation(blocks []heading.Block) []Education {
	var all []Education
	for _, b := range heading.JoinRuns(blocks, words.EducationSection) {
		all = append(all, parseStudies(b.Lines)...)
	}
	return all[:min(len(all), maxStudies)]
}

func parseStudies(lines []string) []Education {
	r := studyReader{}
	begins := findStudyBegins(lines)
	for i, line := range lines {
		if begins[i] {
			r.endEntry()
		}
		r.addLine(line)
	}
	r.endEntry()
	return r.all
}

// findStudyBegins returns the first lines of entries with dates below them: as many lines
// above the dates as the first entry has. Without such dates it returns none.
func findStudyBegins(lines []string) map[int]bool {
	begins := make(map[int]bool)
	lead := 0
	last := -1
	for i, line := range lines {
		if dated, _ := cutStudyDates(line); !dated.hasDates() || facts.IsBullet(line) {
			continue
		}
		if last < 0 {
			lead = i
		} else {
			begins[i-lead] = true
			if i-lead <= last {
				return nil
			}
		}
		last = i
	}
	return begins
}

type studyReader struct {
	all     []Education
	entry   Education
	dated   Education // the dates of the line
	unnamed string    // a name that is neither a school's nor a degree's by its words
}

func (r *studyReader) addLine(line string) {
	listed := facts.IsBullet(line)
	if listed {
		line = facts.BulletMark().ReplaceAllString(line, "")
	}
	if studyNote().MatchString(line) {
		return
	}
	if lower, upper := facts.CountCases(line, 1); lower < upper {
		line = finalPoint().ReplaceAllString(line, "$1")
	}
	var rest string
	r.dated, rest = cutStudyDates(line)
	if r.dated.hasDates() {
		if r.entry.hasDates() && (r.entry.School != "" || r.entry.Degree != "") {
			r.endEntry()
		}
		r.entry.Start = r.dated.Start
		r.entry.End = r.dated.End
	}
	for _, piece := range studyPieces(rest) {
		r.addPiece(piece, listed)
	}
}

func (r *studyReader) addPiece(piece string, listed bool) {
	isDegreeOfSchool := r.entry.School != "" && r.entry.Degree == "" && facts.IsDegree(piece)
	switch {
	case endsOpen(r.entry.School):
		r.entry.School += " " + piece
	case endsOpen(r.entry.Degree) && !facts.IsSchool(piece):
		r.entry.Degree += " " + piece
	case !isDegreeOfSchool && facts.IsSchool(piece) && facts.IsNameLike(piece):
		r.addSchool(piece)
	case facts.IsDegree(piece) && words.IsShort(piece) && !facts.IsProse(piece):
		if r.entry.Degree != "" {
			if r.entry.School == "" && len(r.entry.Degree) < words.MaxLine {
				r.entry.Degree += ", " + piece
				return
			}
			r.beginEntry()
		}
		r.entry.Degree = piece
	case listed || !facts.IsNameLike(piece): // names nothing
	case !words.IsAny(piece, facts.IsPhrase, facts.IsPlace, studyNote().MatchString):
		if r.unnamed != "" && r.entry.Degree != "" && r.entry.School == "" {
			r.beginEntry() // with the second name under a degree
		}
		r.unnamed = cmp.Or(r.unnamed, piece)
	}
}

// addSchool adds a school. A second one begins the next entry, unless the line above broke its
// name, or the text taken for the school is a degree: "High School Diploma".
func (r *studyReader) addSchool(name string) {
	e := &r.entry
	degree, torn := cutLastPiece(e.Degree)
	isDegreeAlone := e.School != "" && e.Degree == "" && facts.IsDegree(e.School)
	switch {
	case isDegreeAlone && !facts.IsDegree(name):
		e.Degree = e.School
		e.School = name
	case e.School != "":
		r.beginEntry()
		e.School = name
	case isKindOfSchool(name) && torn != "":
		e.Degree = degree
		e.School = torn + " " + name
	case isKindOfSchool(name) && r.unnamed != "":
		e.School = r.unnamed + " " + name
		r.unnamed = ""
	default:
		e.School = name
	}
}

func (r *studyReader) beginEntry() {
	r.endEntry()
	r.entry = r.dated
}

// endEntry ends an entry. Beside a degree a name of unknown words is the school, beside a school the field of study.
func (r *studyReader) endEntry() {
	switch {
	case r.entry.School == "" && r.entry.Degree != "":
		r.entry.School = r.unnamed
		degree, school := cutLastPiece(r.entry.Degree) // with its field, and a name: "MSc in Physics, Tern Hall"
		areTwo := len(strings.Fields(degree)) > 2 && len(strings.Fields(school)) > 1
		if r.unnamed == "" && areTwo && facts.IsNameLike(school) {
			r.entry.Degree = degree
			r.entry.School = school
		}
	case r.entry.School != "" && r.entry.Degree == "" && r.entry.hasDates():
		r.entry.Degree = r.unnamed
	}
	if r.entry.School != "" || r.entry.Degree != "" {
		r.all = append(r.all, r.entry)
	}
	r.entry = Education{}
	r.unnamed = ""
}

func cutLastPiece(text string) (rest, last string) {
	at := strings.LastIndex(text, ", ")
	if at < 0 {
		return text, ""
	}
	return text[:at], text[at+2:]
}

var (
	finalPoint = words.Expression(`([\p{L})]{4})\.$`) // of a line, but not of an abbreviation
	// studyNote begins a note on a course of study, apart from school and degree.
	studyNote = words.Pattern(`(?i)^<study-note>\b`)
	// kindsOfSchools are words before "School" that name its kind.
	kindsOfSchools = words.Listed("school-kind")
	// openWords are the prepositions and articles that never end a school's or a degree's name.
	openWords = words.Listed("open-end")
)

// cutStudyDates returns the dates in a line, and the line without them. A single date is the end.
func cutStudyDates(line string) (dated Education, rest string) {
	if p, ok := dates.FindPeriod(line); ok {
		return Education{Start: p.Start, End: p.End}, line[:p.First] + "\t" + line[p.Last:]
	}
	if m, first, last, ok := dates.FindDate(line); ok {
		return Education{End: m}, line[:first] + "\t" + line[last:]
	}
	return Education{}, line
}

// studyPieces splits a line as facts.Split does, but keeps "BSc, Mathematics" together.
func studyPieces(line string) []string {
	var pieces []string
	for _, part := range facts.Separator().Split(line, 12) {
		part = facts.Trim(part)
		if m := facts.InBrackets().FindStringSubmatchIndex(part); m != nil && facts.IsPlace(part[m[2]:m[3]]) {
			part = part[:m[0]]
		}
		if left, right, ok := strings.Cut(part, ": "); ok && areSchoolAndDegree(left, right) {
			pieces = append(pieces, left)
			part = right
		}
		list := facts.CommaGap().Split(part, 8)
		if n := facts.CountPlace(list, len(list) > 2); n > 0 && n < len(list) && !isCityOfSchool(list) {
			list = list[:len(list)-n]
		}
		pieces = append(pieces, splitStudies(list)...)
	}
	return pieces
}

// splitStudies splits the pieces between commas that hold both a school and a degree, and joins those that belong together.
// Empty ones are left out.
func splitStudies(list []string) []string {
	var pieces []string
	for _, text := range list {
		for _, piece := range cutStudy(text) {
			n := len(pieces) - 1
			switch {
			case piece == "":
			case n >= 0 && continuesPiece(pieces[n], piece):
				pieces[n] += ", " + piece
			default:
				pieces = append(pieces, piece)
			}
		}
	}
	return pieces
}

// continuesPiece reports whether a piece belongs to the one before: a degree and its field, or a school and its part.
func continuesPiece(before, piece string) bool {
	switch {
	case isOnlySchool(before) && isOnlySchool(piece): // "School of Law, Ashdown University"
		return true
	case facts.IsSchool(piece):
		return false
	case facts.IsDegree(before):
		return true
	}
	return facts.IsSchool(before) && !facts.IsDegree(piece)
}

func areSchoolAndDegree(a, b string) bool {
	return facts.IsSchool(a) != facts.IsSchool(b) && facts.IsDegree(a) != facts.IsDegree(b)
}

func isOnlySchool(text string) bool { return facts.IsSchool(text) && !facts.IsDegree(text) }

// cutStudy splits a piece that holds both a school and a degree: "BSc Physics at Ashdown University", "Ashdown College BSc Physics".
func cutStudy(piece string) []string {
	if !facts.IsSchool(piece) || !facts.IsDegree(piece) {
		return []string{piece}
	}
	if a, b, ok := strings.Cut(piece, " / "); ok && areSchoolAndDegree(a, b) {
		return []string{a, b}
	}
	for _, gap := range facts.AtWord().FindAllStringIndex(piece, 4) {
		a := piece[:gap[0]]
		b := piece[gap[1]:]
		if facts.IsDegree(a) && !facts.IsSchool(a) && isOnlySchool(b) {
			return []string{a, b}
		}
	}
	tokens := words.Scan(piece)
	for i, t := range tokens {
		_, next := words.Vocabulary().DegreeWords.Find(tokens, i+1)
		if t.Kind != words.Space || next == i+1 {
			continue
		}
		a := strings.TrimRight(piece[:t.First], " /")
		b := piece[t.Last:]
		terms := strings.Fields(a)
		isWhole := len(terms) > 1 && words.IsCapital(terms[len(terms)-1]) && isOnlySchool(a) // not "College", "Faculdade de"
		if isWhole && words.IsCapital(b) && !facts.IsSchool(b) {
			return []string{a, b}
		}
	}
	return []string{piece}
}

// isKindOfSchool reports whether a piece is the end of a school's name that must begin on the line above: "School", "Community College".
func isKindOfSchool(piece string) bool {
	words := strings.Fields(strings.ToLower(piece))
	last := len(words) - 1
	isOther := slices.ContainsFunc(words[:last], func(word string) bool { return !kindsOfSchools()[word] })
	return last < 2 && !isOther && facts.IsSchool(words[last])
}

// endsOpen reports whether the line below continues a name: "Institute of".
func endsOpen(name string) bool {
	return len(name) < words.MaxLine && openWords()[name[strings.LastIndexByte(name, ' ')+1:]]
}

// isCityOfSchool reports whether a city alone follows a school and may belong to its name: "Institute of Applied Arts, Delhi".
func isCityOfSchool(list []string) bool {
	n := len(list) - 1
	if n < 1 || facts.IsCountry(list[n]) {
		return false
	}
	return facts.IsSchool(list[n-1]) && (n == 1 || facts.IsDegree(list[0]))
}
