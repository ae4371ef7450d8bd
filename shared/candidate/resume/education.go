package resume

import "strings"

// Education is one course of study. What the text does not show is empty.
type Education struct {
	School, Degree string
	Start, End     Month
}

const maxStudies = 20

var loneYears = expression(`\b(?:19|20)\d{2}\b`)

// findEducation reads the education sections. A second school or degree begins the next entry.
func findEducation(blocks []block) []Education {
	var all []Education
	for _, b := range joinRuns(blocks, education) {
		all = append(all, parseStudies(b.lines)...)
	}
	return all[:min(len(all), maxStudies)]
}

func parseStudies(lines []string) []Education {
	r := studyReader{}
	for _, line := range lines {
		r.addLine(line)
	}
	r.endEntry()
	return r.all
}

// studyReader collects the entries of an education section.
type studyReader struct {
	all        []Education
	entry      Education
	start, end Month  // of the line
	unnamed    string // a name that is neither a school's nor a degree's by its words
}

func (r *studyReader) addLine(line string) {
	listed := isBullet(line)
	if listed {
		line = bulletMark().ReplaceAllString(line, "")
	}
	if studyNote().MatchString(line) {
		return
	}
	var rest string
	r.start, r.end, rest = cutStudyDates(line)
	if r.start != (Month{}) || r.end != (Month{}) {
		if r.entry.End != (Month{}) && (r.entry.School != "" || r.entry.Degree != "") {
			r.endEntry()
		}
		r.entry.Start, r.entry.End = r.start, r.end
	}
	for _, piece := range studyPieces(rest) {
		r.addPiece(piece, listed)
	}
}

func (r *studyReader) addPiece(piece string, listed bool) {
	switch {
	case isSchool(piece) && isNameLike(piece):
		if r.entry.School != "" {
			r.beginEntry()
		}
		r.entry.School = piece
	case isDegree(piece) && isShort(piece) && !isProse(piece):
		if r.entry.Degree != "" {
			if r.entry.School == "" && len(r.entry.Degree) < maxLine {
				r.entry.Degree += ", " + piece
				return
			}
			r.beginEntry()
		}
		r.entry.Degree = piece
	case !listed && isNameLike(piece) && !isPhrase(piece) && !isPlace(piece) && !studyNote().MatchString(piece):
		r.addName(piece)
	}
}

// addName adds a name of unknown words. A second one under a degree begins the next entry.
func (r *studyReader) addName(name string) {
	if r.unnamed != "" && r.entry.Degree != "" && r.entry.School == "" {
		r.beginEntry()
	}
	if r.unnamed == "" {
		r.unnamed = name
	}
}

func (r *studyReader) beginEntry() {
	r.endEntry()
	r.entry.Start, r.entry.End = r.start, r.end
}

// endEntry ends an entry. Beside a degree a name of unknown words is the school, beside a
// school the field of study.
func (r *studyReader) endEntry() {
	switch {
	case r.entry.School == "" && r.entry.Degree != "":
		r.entry.School = r.unnamed
	case r.entry.School != "" && r.entry.Degree == "" && (r.entry.End != Month{}):
		r.entry.Degree = r.unnamed
	}
	if r.entry.School != "" || r.entry.Degree != "" {
		r.all = append(r.all, r.entry)
	}
	r.entry, r.unnamed = Education{}, ""
}

// studyNote begins what is said of a course of study beside school and degree.
var studyNote = expression(`(?i)^(?:gpa|grades?|cgpa|score|marks?|relevant|coursework|courses?|modules?|thesis|dissertation|minor|exchange|dean['’]s list|(?:summa |magna )?cum laude|(?:first|upper|lower|second)[ -](?:class|second)|honou?rs|distinction|activities|note|abschlussnote|mémoire|mention|nota|voto|tesi|thema|specialization in)\b`)

// cutStudyDates returns the dates in a line, and the line without them. A single date is the end.
func cutStudyDates(line string) (start, end Month, rest string) {
	if p, ok := findPeriod(line); ok {
		return p.start, p.end, line[:p.first] + "\t" + line[p.last:]
	}
	if m, first, last, ok := findDate(line); ok {
		return Month{}, m, line[:first] + "\t" + line[last:]
	}
	return Month{}, Month{}, line
}

// studyPieces splits a line as splitFacts does, but keeps "BSc, Mathematics" together.
func studyPieces(line string) []string {
	var pieces []string
	for _, part := range separator().Split(line, 12) {
		part = trimFact(part)
		if m := inBrackets().FindStringSubmatchIndex(part); m != nil && isPlace(part[m[2]:m[3]]) {
			part = part[:m[0]]
		}
		if left, right, ok := strings.Cut(part, ": "); ok && isSchool(left) != isSchool(right) && isDegree(left) != isDegree(right) {
			pieces = append(pieces, left)
			part = right
		}
		list := commaGap().Split(part, 8)
		if found := trailingPlace(list, len(list) > 2); found != "" && !isCityOfSchool(list) && len(list) > len(commaGap().Split(found, 5)) {
			list = list[:len(list)-len(commaGap().Split(found, 5))]
		}
		kept := list[:0:0]
		for _, piece := range list {
			if n := len(kept) - 1; n >= 0 && !isSchool(piece) && (isDegree(kept[n]) || isSchool(kept[n]) && !isDegree(piece)) {
				kept[n] += ", " + piece
			} else if piece != "" {
				kept = append(kept, piece)
			}
		}
		pieces = append(pieces, kept...)
	}
	return pieces
}

// isCityOfSchool reports whether a city alone stands behind a school, to whose name it may
// belong: "Institute of Applied Arts, Delhi".
func isCityOfSchool(list []string) bool {
	return len(list) == 2 && isSchool(list[0]) && !isCountry(list[1])
}

func isSchool(piece string) bool { return vocabulary().schoolWords.isIn(scanTokens(piece)) }
func isDegree(piece string) bool { return vocabulary().degreeWords.isIn(scanTokens(piece)) }
