package main

import "slices"

// tally counts values: those in the truth, those found, and those found rightly by the
// strict and the lenient equality.
type tally struct{ want, got, right, alike int }

func (t *tally) add(o tally) {
	t.want += o.want
	t.got += o.got
	t.right += o.right
	t.alike += o.alike
}

// result is one file's tallies by field.
type result struct {
	truth   truth
	found   found
	tallies map[string]tally
	rated   map[string][3]tally // by the name of a confidence, and how high it is
	foreign tally               // values found, and those that are in the file's text
}

func compareFile(t truth, f found) result {
	r := result{truth: t, found: f, tallies: make(map[string]tally), rated: make(map[string][3]tally)}
	for _, column := range fields {
		want := slices.DeleteFunc(slices.Clone(column.want(t)), isEmpty)
		got := slices.DeleteFunc(slices.Clone(column.got(f)), isEmpty)
		pairs := func(match func(want, got string) bool) int {
			return countPairs(len(want), len(got), func(i, j int) bool { return match(want[i], got[j]) })
		}
		r.tallies[column.name] = tally{len(want), len(got), pairs(isEqual), pairs(isAlike)}
		for _, value := range got {
			r.rate(column.confidence, slices.ContainsFunc(want, func(w string) bool { return isEqual(w, value) }))
		}
	}
	r.addJobs()
	r.countForeign()
	return r
}

// rate counts a value that was found with a confidence: of at least 0.9, at least 0.7, or less.
func (r *result) rate(confidence string, right bool) {
	c, ok := r.found.Confidence[confidence]
	if !ok {
		return
	}
	bands := r.rated[confidence]
	bands[2-count(c >= 0.9)-count(c >= 0.7)].add(tally{got: 1, right: count(right)})
	r.rated[confidence] = bands
}

func count(holds bool) int {
	if holds {
		return 1
	}
	return 0
}

// addJobs pairs jobs with those found: strictly if title and company are equal. The dates
// of strict pairs are compared.
func (r *result) addJobs() {
	found := r.found.jobs
	all := tally{want: len(r.truth.Jobs), got: len(found)}
	dates := tally{}
	strict := make([]bool, len(found))
	for _, want := range r.truth.Jobs {
		i := findJob(want, found, strict)
		if i < 0 {
			continue
		}
		strict[i] = true
		all.right++
		start := found[i].Start
		end := found[i].End
		areSame := isSameMonth(want.Start, start) && isSameMonth(want.End, end)
		areAlike := firstFour(want.Start) == firstFour(start) && firstFour(want.End) == firstFour(end)
		dates.add(tally{want: 1, got: 1, right: count(areSame), alike: count(areAlike)})
	}
	for _, right := range strict {
		r.rate("experiences", right)
	}
	all.alike = countPairs(all.want, all.got, func(i, j int) bool {
		return isAlike(r.truth.Jobs[i].Title, found[j].Title) && isAlike(r.truth.Jobs[i].Company, found[j].Company)
	})
	r.tallies["jobs"] = all
	r.tallies["dates"] = dates
}

// findJob returns the unused found job of the same title and company, one of the same
// start if there are several, or -1.
func findJob(want truthJob, found []truthJob, used []bool) int {
	best := -1
	for i, got := range found {
		isMatch := !used[i] && isEqual(want.Title, got.Title) && isEqual(want.Company, got.Company)
		if isMatch && (best < 0 || isSameMonth(want.Start, got.Start)) {
			best = i
		}
	}
	return best
}

func firstFour(s string) string { return s[:min(4, len(s))] }

// countPairs pairs each of n things with an unused one of m that matches it.
func countPairs(n, m int, match func(i, j int) bool) int {
	used := make([]bool, m)
	pairs := 0
	for i := range n {
		for j := range m {
			if !used[j] && match(i, j) {
				used[j] = true
				pairs++
				break
			}
		}
	}
	return pairs
}

// countForeign counts the values found that the file's text does not say.
func (r *result) countForeign() {
	if r.found.text == "" {
		return
	}
	for _, value := range listStated(r.found.Name, r.found.jobs, r.found.studies) {
		r.foreign.add(tally{got: 1, right: count(isWithin(value, r.found.text))})
	}
}

// listStated returns the values of a resume that a file shows as they are.
func listStated(name string, jobs []truthJob, studies []truthStudy) []string {
	values := []string{name}
	for _, j := range jobs {
		values = append(values, j.Title, j.Company)
	}
	for _, e := range studies {
		values = append(values, e.School, e.Degree)
	}
	return slices.DeleteFunc(values, isEmpty)
}
