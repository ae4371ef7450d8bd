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
	var all []Education
	var e Education
	flush := func() {
		if e.School != "" || e.Degree != "" {
			all = append(all, e)
		}
		e = Education{}
	}
	for _, line := range lines {
		if isBullet(line) {
			line = bulletMark().ReplaceAllString(line, "")
		}
		start, end, rest := cutStudyDates(line)
		if start != (Month{}) || end != (Month{}) {
			if e.End != (Month{}) && (e.School != "" || e.Degree != "") {
				flush()
			}
			e.Start, e.End = start, end
		}
		for _, piece := range studyPieces(rest) {
			switch {
			case isSchool(piece) && isNameLike(piece):
				if e.School != "" {
					flush()
					e.Start, e.End = start, end
				}
				e.School = piece
			case isDegree(piece) && isShort(piece) && !isProse(piece):
				if e.Degree != "" {
					if e.School == "" && len(e.Degree) < maxLine {
						e.Degree += ", " + piece
						continue
					}
					flush()
					e.Start, e.End = start, end
				}
				e.Degree = piece
			case e.School == "" && e.Degree != "" && isNameLike(piece) && !isPlace(piece):
				e.School = piece // its shape says what its words do not
			}
		}
	}
	flush()
	return all
}

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
		part = strings.Trim(part, " \t,;:|·•–—-()")
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
