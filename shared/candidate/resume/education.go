package resume

import (
	"regexp"
	"strings"
)

// Education is one course of study. What the text does not show is empty.
type Education struct {
	School, Degree string
	Start, End     Month
}

const maxStudies = 20

var (
	degreeWords = regexp.MustCompile(`(?i)\b(?:ph\.?\s?d|d\.?phil|m\.?b\.?a|b\.?sc|m\.?sc|b\.?a|m\.?a|b\.?s|m\.?s|b\.?eng|m\.?eng|b\.?tech|m\.?tech|b\.?comm?|m\.?comm?|b\.?ed|m\.?ed|b\.?e|m\.?e|ll\.?[bm]|m\.?d|j\.?d|bcomm|bba|bca|mca|bfa|mfa|mph|bachelor\p{L}*|master\p{L}*|doctor\p{L}*|associate|diplom\p{L}*|licen[cs]\p{L}*|specialist|magister|inżynier|laurea|grado|abitur|a-levels?|gcses?|high school|degree|certificate|foundation degree|postgraduate|undergraduate|honours|minor|major)\b`)
	schoolWords = wordSet(`university college school institute academy polytechnic faculty conservatory seminary lyceum gymnasium universität hochschule
		fachhochschule hogeschool universiteit université école institut lycée universidad escuela instituto universidade escola università politecnico
		scuola universitet universitetet högskola høgskole uniwersytet politechnika akademia университет институт університет politehnica univerzita
		egyetem üniversitesi iit nit mit eth epfl kth agh ucla usc nyu suny insead ecole campus bootcamp`)
	loneYears = regexp.MustCompile(`\b(?:19|20)\d{2}\b`)
)

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
			line = bulletMark.ReplaceAllString(line, "")
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
			case hasWord(piece, schoolWords) && isNameLike(piece):
				if e.School != "" {
					flush()
					e.Start, e.End = start, end
				}
				e.School = piece
			case degreeWords.MatchString(piece) && isNameLike(piece):
				if e.Degree != "" {
					if e.School == "" && len(e.Degree) < maxLine {
						e.Degree += ", " + piece
						continue
					}
					flush()
					e.Start, e.End = start, end
				}
				e.Degree = piece
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
	if at := lastDate.FindStringIndex(line); at != nil {
		return Month{}, parseMonth(line[at[0]:at[1]]), line[:at[0]] + "\t" + line[at[1]:]
	}
	return Month{}, Month{}, line
}

// studyPieces splits a line as splitFacts does, but keeps "BSc, Mathematics" together.
func studyPieces(line string) []string {
	var pieces []string
	for _, part := range separator.Split(line, 12) {
		part = strings.Trim(part, " \t,;:|·•–—-()")
		list := commaGap.Split(part, 8)
		if found := trailingPlace(list, len(list) > 2); found != "" && len(list) > len(commaGap.Split(found, 5)) {
			list = list[:len(list)-len(commaGap.Split(found, 5))]
		}
		kept := list[:0:0]
		for _, piece := range list {
			if n := len(kept) - 1; n >= 0 && !hasWord(piece, schoolWords) && (degreeWords.MatchString(kept[n]) || hasWord(kept[n], schoolWords) && !degreeWords.MatchString(piece)) {
				kept[n] += ", " + piece
			} else if piece != "" {
				kept = append(kept, piece)
			}
		}
		pieces = append(pieces, kept...)
	}
	return pieces
}
