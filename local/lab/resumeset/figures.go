package main

import (
	"slices"
)

// tally counts values: those in the truth, those found, and those found rightly by the
// strict and the lenient equality.
type tally struct{ want, got, right, alike int }

func (t *tally) add(o tally) {
	t.want = t.want + o.want
	t.got = t.got + o.got
	t.right = t.right + o.right
	t.alike = t.alike + o.alike
}

// fieldNames are the fields in the order of the table.
var fieldNames = []string{"name", "e-mail", "LinkedIn", "current title", "current company", "jobs", "dates", "schools", "degrees", "skills", "languages"}

// result is one file's tallies by field.
type result struct {
	truth   truth
	found   found
	tallies map[string]tally
	rated   []rating
	foreign int // values that are not in the file's text
	values  int // values whose text was looked for
}

// rating is one value that was told with a confidence.
type rating struct {
	field      string
	confidence float64
	right      bool
}

// compareFile compares what was found with the truth.
func compareFile(t truth, f found) result {
	r := result{truth: t, found: f, tallies: make(map[string]tally)}
	r.addValue("name", "name", t.Name, f.Name)
	r.addList("e-mail", "emails", listNonEmpty(t.Email), f.Emails)
	r.addValue("LinkedIn", "linkedinUrl", t.LinkedIn, f.LinkedIn)
	r.addList("skills", "skills", t.Skills, f.Skills)
	r.addList("languages", "languages", t.Languages, f.Languages)
	r.addJobs()
	r.addStudies()
	r.countForeign()
	return r
}

func (r *result) rate(field string, right bool) {
	if c, ok := r.found.Confidence[field]; ok {
		r.rated = append(r.rated, rating{field, c, right})
	}
}

// addValue compares a field of one value. Those that the truth lacks count as found
// wrongly, if found.
func (r *result) addValue(field, confidence, want, got string) {
	t := tally{}
	if want != "" {
		t.want = 1
	}
	if got != "" {
		t.got = 1
		r.rate(confidence, isEqual(want, got))
	}
	if want != "" && got != "" {
		t.right = count(isEqual(want, got))
		t.alike = count(isAlike(want, got))
	}
	r.tallies[field] = t
}

// listNonEmpty returns the value, or nothing if the file does not show it.
func listNonEmpty(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}

func count(holds bool) int {
	if holds {
		return 1
	}
	return 0
}

func (r *result) addList(field, confidence string, want, got []string) {
	t := tally{want: len(want), got: len(got)}
	for _, value := range want {
		t.right += count(slices.ContainsFunc(got, func(g string) bool { return isEqual(value, g) }))
		t.alike += count(slices.ContainsFunc(got, func(g string) bool { return isAlike(value, g) }))
	}
	for _, value := range got {
		r.rate(confidence, slices.ContainsFunc(want, func(w string) bool { return isEqual(w, value) }))
	}
	r.tallies[field] = t
}

// addJobs pairs jobs with those found: strictly if title and company are equal. The dates
// of strict pairs are compared, and the current job by itself.
func (r *result) addJobs() {
	jobs := tally{want: len(r.truth.Jobs), got: len(r.found.Jobs)}
	dates := tally{}
	strict := make([]bool, len(r.found.Jobs))
	for _, want := range r.truth.Jobs {
		i := r.findJob(want, strict)
		if i < 0 {
			continue
		}
		strict[i] = true
		jobs.right++
		got := r.found.Jobs[i]
		dates.want = dates.want + 1
		dates.got = dates.got + 1
		same := count(isSameMonth(want.Start, got.Start) && isSameMonth(want.End, got.End))
		dates.right = dates.right + same
		dates.alike = dates.alike + count(sameYears(want, got))
	}
	for _, right := range strict {
		r.rate("experiences", right)
	}
	jobs.alike = countPairs(len(r.truth.Jobs), len(r.found.Jobs), func(i, j int) bool {
		return isAlike(r.truth.Jobs[i].Title, r.found.Jobs[j].Title) && isAlike(r.truth.Jobs[i].Company, r.found.Jobs[j].Company)
	})
	r.tallies["jobs"] = jobs
	r.tallies["dates"] = dates
	title, company := r.truth.currentJob()
	r.addValue("current title", "", title, r.found.title)
	r.addValue("current company", "", company, r.found.company)
}

// findJob returns the unused found job of the same title and company, one of the same
// start if there are several, or -1.
func (r *result) findJob(want truthJob, used []bool) int {
	best := -1
	for i, got := range r.found.Jobs {
		if used[i] || !isEqual(want.Title, got.Title) || !isEqual(want.Company, got.Company) {
			continue
		}
		if best < 0 || isSameMonth(want.Start, got.Start) {
			best = i
		}
	}
	return best
}

func sameYears(want truthJob, got foundJob) bool {
	return want.Start[:4] == firstFour(got.Start) && firstFour(want.End) == firstFour(got.End)
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

// currentJob returns the title and company of the job without an end, if there is one.
func (t truth) currentJob() (title, company string) {
	for _, j := range t.Jobs {
		if j.End == "" {
			return j.Title, j.Company
		}
	}
	return "", ""
}

func (r *result) addStudies() {
	schools := tally{}
	degrees := tally{}
	for _, got := range r.found.Studies {
		schools.got = schools.got + count(got.School != "")
		degrees.got = degrees.got + count(got.Degree != "")
		r.rate("education", slices.ContainsFunc(r.truth.Studies, func(want truthStudy) bool {
			return isEqual(want.School, got.School) && isEqual(want.Degree, got.Degree)
		}))
	}
	add := func(t *tally, value func(truthStudy) string) {
		var want, got []string
		for _, e := range r.truth.Studies {
			want = append(want, value(e))
		}
		for _, e := range r.found.Studies {
			got = append(got, value(e))
		}
		want = slices.DeleteFunc(want, func(s string) bool { return s == "" }) // a theme leaves degrees out
		t.want = len(want)
		pairs := func(match func(want, got string) bool) int {
			return countPairs(len(want), len(got), func(i, j int) bool { return match(want[i], got[j]) })
		}
		t.right = pairs(isEqual)
		t.alike = pairs(isAlike)
	}
	add(&schools, func(e truthStudy) string { return e.School })
	add(&degrees, func(e truthStudy) string { return e.Degree })
	r.tallies["schools"] = schools
	r.tallies["degrees"] = degrees
}

// countForeign counts the values that the file's text does not say.
func (r *result) countForeign() {
	if r.found.text == "" {
		return
	}
	values := []string{r.found.Name}
	for _, j := range r.found.Jobs {
		values = append(values, j.Title, j.Company)
	}
	for _, e := range r.found.Studies {
		values = append(values, e.School, e.Degree)
	}
	for _, value := range values {
		if value != "" {
			r.values++
			r.foreign += count(!isWithin(value, r.found.text))
		}
	}
}
