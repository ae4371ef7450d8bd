package facts

import (
	"slices"
	"strings"
)

// FindLast returns how many pieces or parts are before the last of a line, which may be its place,
// and whether it is set apart from them.
func (l Line) FindLast() (before int, apart, ok bool) {
	pieces := 0
	most := 2 // before the place
	if n := len(l.Whole); n > 0 {
		pieces = len(JoinLegalForms(CommaGap().Split(l.Whole[n-1].Text, 6)))
	}
	if len(l.Whole) > 1 {
		most = 1 // an employer, perhaps with commas of its own
	}
	switch n := len(l.Whole); {
	case l.Place != "" && l.apart:
		return l.Parts, true, true
	case l.Place != "":
		return min(pieces, most), false, true
	case n == 0:
		return 0, false, false
	case CommaGap().MatchString(l.Whole[n-1].Text):
		return min(pieces-1, most), false, true
	}
	return l.Parts - 1, true, true
}

// HasEmployerBefore reports whether a line names an employer before the last part, or before the last
// piece of that, and a title if it has other parts.
func (l Line) HasEmployerBefore(apart bool) bool {
	n := len(l.Whole) - 1
	if apart {
		return IsTitleAndEmployer(l.Whole[:n])
	}
	if slices.ContainsFunc(l.Whole[:n], func(f Fact) bool { return f.Title }) {
		return true // "Cooper", "Acme, Wickling"
	}
	pieces := JoinLegalForms(CommaGap().Split(l.Whole[n].Text, 6))
	for from := len(pieces) - 2; from >= 0; from-- { // "Mendoza, Black and Robinson" is one employer
		if f := New(strings.Join(pieces[from:len(pieces)-1], ", ")); f.Company && !f.Title || f.lean < 0 {
			return true
		}
	}
	return false
}

// HasPairBefore reports whether the halves of the only part before the last are a title and what may be
// an employer: "Cooper, Tern Rail – Wickling".
func (l Line) HasPairBefore() bool {
	if len(l.Whole) != 2 {
		return false
	}
	pair := bestPair(l.Whole[0].Text)
	return len(pair) == 2 && pair[0].Title != pair[1].Title && IsTitleAndEmployer(pair)
}
