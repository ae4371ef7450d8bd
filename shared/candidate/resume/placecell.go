package resume

import "strings"

// placedLine is a line that ends with a place behind a gap, as a cell at the right has it above dates.
type placedLine struct {
	left, place string
	lineFacts
}

func readPlaced(line string) (p placedLine, ok bool) {
	at := strings.LastIndexByte(line, '\t')
	if at < 0 || len(line) > maxLine || isBullet(line) || isProse(line) {
		return placedLine{}, false
	}
	p = placedLine{line[:at], line[at+1:], splitFacts(line[:at])}
	return p, isPlace(p.place) || isTitleAndEmployer(p.whole) && (isTownShaped(p.place) || isTownWithRegion(p.place))
}

// joinHeadsBesidePlaces joins the heads of jobs that wrap beside a cell with a place above the dates:
// "Cooper, Bluestem<tab>Leeds" over "Maritime<tab>2019 – 2021". The first line names title and employer;
// or it does in other heads, whose dates are alone below.
func joinHeadsBesidePlaces(lines []string) []string {
	alone, placed := false, false
	datesFirst := false // above the first place
	for i, line := range lines {
		_, hasPlace := readPlaced(line)
		placed = placed || hasPlace
		datesFirst = datesFirst || !placed && isPeriod(line)
		if p, ok := readPlaced(line); ok && i+1 < len(lines) && isPeriod(lines[i+1]) && isTitleAndEmployer(p.whole) {
			alone = true
		}
		if h, ok := readHead(line); ok && h.apart && isTitleAndEmployer(h.whole) {
			alone = true
		}
	}
	out := make([]string, 0, len(lines))
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if p, ok := readPlaced(line); ok && i+1 < len(lines) {
			h, isHead := readHead(lines[i+1])
			switch {
			case isPeriod(lines[i+1]) && !datesFirst:
				line += "\t" + lines[i+1]
				i++
			case isHead && !h.datesFirst && p.isContinued(h, alone):
				line = joinWrapped(p.left, h.text) + "\t" + p.place + "\t" + h.dates
				i++
			}
		}
		out = append(out, line)
	}
	return out
}

// isContinued reports whether the text of the head below is the end of this line's last fact. alone
// tells that other heads have their dates alone below.
func (p placedLine) isContinued(h head, alone bool) bool {
	if lower, upper := countCases(h.text); lower > upper || len(p.whole) < 2 || (len(h.whole) != 1 || h.place != "") && !isLegalForm(h.text) {
		return false
	}
	if isTitleAndEmployer(p.whole) {
		return alone || !newFact(h.text).title
	}
	last := p.whole[len(p.whole)-1].text
	return alone && newFact(joinWrapped(last, h.text)).title
}
