package roleindex

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// model answers queries by looking at every document: the rules' words,
// written down as plainly as can be, for the index to be compared with.
type model []Doc

func (m model) searchModel(q Query) Page {
	rows := m.matchingRows(q)
	if q.Sort == UpdateOrder {
		slices.SortFunc(rows, func(a, b Row) int { return cmp.Or(cmp.Compare(b.UpdatedAt, a.UpdatedAt), cmp.Compare(a.ID, b.ID)) })
		rows = slices.DeleteFunc(rows, func(r Row) bool {
			p := q.AfterUpdated
			return p != nil && (r.UpdatedAt > p.UpdatedAt || r.UpdatedAt == p.UpdatedAt && r.ID <= p.ID)
		})
		return Page{Rows: rows[:min(len(rows), q.Limit)], More: len(rows) > q.Limit}
	}
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Key, b.Key), cmp.Compare(a.ID, b.ID))
	})
	position := func(r Row) uint64 {
		if q.Sort == RelevanceOrder {
			return uint64(127-r.Score)<<46 | r.Key>>7
		}
		return r.Key
	}
	rows = slices.DeleteFunc(rows, func(r Row) bool { return position(r) <= q.After })
	end := pageEnd(rows, q.Limit, position)
	return Page{Rows: rows[:end], More: len(rows) > end}
}

// pageEnd is the last place within the limit between two positions, else the first beyond it.
func pageEnd(rows []Row, limit int, position func(Row) uint64) int {
	if len(rows) <= limit {
		return len(rows)
	}
	between := func(i int) bool { return i == len(rows) || position(rows[i-1]) != position(rows[i]) }
	for i := limit; i > 0; i-- {
		if between(i) {
			return i
		}
	}
	i := limit
	for !between(i) {
		i++
	}
	return i
}

func (m model) matchingRows(q Query) []Row {
	var words []Word
	for i, w := range text.Words(q.Text) {
		if i < 10 {
			words = append(words, Word{Text: truncate(w, 40)})
		}
	}
	if len(words) > 0 {
		words[len(words)-1].Last = true
	} else if q.Text != "" {
		return nil
	}
	for number, stage := range []func([]Word, int) map[string]bool{m.matchPlain, m.matchJoined, m.matchDescribed} {
		hit := map[string]int{}
		for i := range words {
			for id := range stage(words, i) {
				hit[id]++
			}
		}
		var rows []Row
		for _, d := range m {
			if hit[d.ID] == len(words) && d.passes(q) {
				row := Row{ID: d.ID, Key: d.OrderKey(), UpdatedAt: max(0, d.UpdatedAt.UnixMilli())}
				if q.Sort == RelevanceOrder && len(words) > 0 {
					row.Score = relevanceModel{m, words, Stage(number)}.score(&d)
				}
				rows = append(rows, row)
			}
		}
		if len(rows) > 0 {
			return rows
		}
	}
	return nil
}

func (m model) matchPlain(words []Word, i int) map[string]bool {
	return m.docsHaving(words[i].Text, words[i].Last, (*Doc).fieldWords)
}

func (m model) matchDescribed(words []Word, i int) map[string]bool {
	return m.docsHaving(words[i].Text, words[i].Last, func(d *Doc) []string {
		return append(d.fieldWords(), cutWords(text.Words(truncate(d.Description, 1000)))...)
	})
}

func (m model) matchJoined(words []Word, i int) map[string]bool {
	found := m.matchPlain(words, i)
	join := func(a, b Word) {
		for id := range m.docsHaving(truncate(a.Text+b.Text, 40), b.Last, (*Doc).fieldWords) {
			found[id] = true
		}
	}
	if i > 0 {
		join(words[i-1], words[i])
	}
	if i+1 < len(words) {
		join(words[i], words[i+1])
	}
	letters := []rune(words[i].Text)
	for n := 2; n <= len(letters)-2; n++ {
		for _, d := range m {
			terms := d.fieldWords()
			tail := func(t string) bool { return countTypos(string(letters[n:]), t, words[i].Last) == 0 }
			if slices.Contains(terms, string(letters[:n])) && slices.ContainsFunc(terms, tail) {
				found[d.ID] = true
			}
		}
	}
	return found
}

// docsHaving finds the documents with the fewest typos, if few enough.
func (m model) docsHaving(w string, prefix bool, terms func(*Doc) []string) map[string]bool {
	for allowed := 0; allowed <= allowedTypos(w); allowed++ {
		found := map[string]bool{}
		for _, d := range m {
			if slices.ContainsFunc(terms(&d), func(t string) bool { return countTypos(w, t, prefix) <= allowed }) {
				found[d.ID] = true
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return map[string]bool{}
}

func (d *Doc) fieldWords() []string {
	var out []string
	add := func(s string) { out = append(out, cutWords(text.Words(s))...) }
	d.forEachOwnText(add)
	d.forEachFacet(func(f Field, v string) { f.forEachSearchedText(v, add) })
	return out
}

func cutWords(words []string) []string {
	for i := range words {
		words[i] = truncate(words[i], 40)
	}
	return words
}

// countTypos counts from the definition: the least distance from the term, or from any of its beginnings.
func countTypos(w, term string, prefix bool) int {
	a := []rune(w)
	b := []rune(term)
	least := countMisspelt(a, b)
	for n := range b {
		if prefix {
			least = min(least, countMisspelt(a, b[:n]))
		}
	}
	return least
}

func countMisspelt(a, b []rune) int {
	n := alignmentDistance(a, b)
	if len(a) == 0 || len(b) == 0 || a[0] == b[0] || len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] {
		return n
	}
	return n + 1
}

// alignmentDistance is the recursive definition of the optimal string alignment distance.
func alignmentDistance(a, b []rune) int {
	seen := map[[2]int]int{}
	var d func(i, j int) int
	d = func(i, j int) int {
		if i == 0 || j == 0 {
			return i + j
		}
		if n, ok := seen[[2]int{i, j}]; ok {
			return n
		}
		n := d(i-1, j-1)
		if a[i-1] != b[j-1] {
			n = 1 + min(n, d(i-1, j), d(i, j-1))
		}
		if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
			n = min(n, 1+d(i-2, j-2))
		}
		seen[[2]int{i, j}] = n
		return n
	}
	return d(len(a), len(b))
}

func (d *Doc) passes(q Query) bool {
	for f, accepted := range q.AnyOf {
		ok := false
		d.forEachFacet(func(g Field, v string) {
			ok = ok || f == g && v != "" && slices.ContainsFunc(accepted, func(a string) bool { return f.fold(a) == f.fold(v) })
		})
		if !ok {
			return false
		}
	}
	for f, wanted := range q.Flags {
		if (slices.Contains(d.Flags, f) && !slices.Contains(q.Waived[f], d.ID)) != wanted {
			return false
		}
	}
	investor := func(name string) bool {
		return slices.ContainsFunc(q.Investors, func(part string) bool {
			return text.Fold(part) != "" && strings.Contains(text.Fold(name), text.Fold(part))
		})
	}
	if q.Investors != nil && !slices.ContainsFunc(d.Investors, investor) ||
		q.Only != nil && !slices.Contains(q.Only, d.ID) || slices.Contains(q.Exclude, d.ID) {
		return false
	}
	return d.passesNumbers(q)
}

func (d *Doc) passesNumbers(q Query) bool {
	thousand := func(v float64) float64 { return math.Round(v / 1000) }
	if q.MinSalary != nil || q.MaxSalary != nil {
		low := d.SalaryLower
		high := d.SalaryUpper
		if high == 0 {
			high = low
		}
		if high < low { // the ends of a band may come in either order
			low, high = high, low
		}
		if high == 0 ||
			q.MinSalary != nil && thousand(high) < min(999, thousand(float64(*q.MinSalary))) ||
			q.MaxSalary != nil && thousand(low) > min(999, thousand(float64(*q.MaxSalary))) {
			return false
		}
	}
	if q.MinYears != nil && d.YearsMax != 0 && d.YearsMax < *q.MinYears || q.MaxYears != nil && d.YearsMin > *q.MaxYears {
		return false
	}
	fee := d.FeePercent
	if own, ok := q.OfferedFees[d.ID]; ok {
		fee = own
	}
	if q.MinFeePercent != nil && (fee == 0 || fee < *q.MinFeePercent) {
		return false
	}
	if (q.MinCompanySize != nil || q.MaxCompanySize != nil) && d.CompanySize == 0 ||
		q.MinCompanySize != nil && int64(d.CompanySize) < *q.MinCompanySize || q.MaxCompanySize != nil && int64(d.CompanySize) > *q.MaxCompanySize {
		return false
	}
	return q.PostedSince.IsZero() || postedHour(d.PostedAt) >= postedHour(q.PostedSince)
}
