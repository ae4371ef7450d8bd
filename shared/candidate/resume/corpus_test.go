package resume

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/testkit/resumetest"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/jobs"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
	"github.com/recruiting-marketplace/external-api/shared/identity"
	"github.com/recruiting-marketplace/external-api/shared/identity/personname"
)

// asOf is the day on which the corpus is read: it ends the jobs that run.
var asOf = time.Date(2026, time.June, 15, 0, 0, 0, 0, time.UTC)

// truth is what a seed file of the corpus says about a person.
type truth struct {
	ID, Name, Email, LinkedIn string
	Jobs                      []struct{ Title, Company, Start, End string }
	Education                 []struct{ School, Degree string }
	Skills, Languages         []string
}

// tally counts what was there, what was found, and what was found rightly.
type tally struct{ want, got, right int }

func (a tally) recall() float64 { return float64(a.right) / float64(max(1, a.want)) }

func (a tally) precision() float64 { return float64(a.right) / float64(max(1, a.got)) }

func (a tally) f1() float64 {
	return 2 * a.recall() * a.precision() / max(1e-9, a.recall()+a.precision())
}

// figures are the tallies by field.
type figures map[string]tally

var figureFields = []string{"name", "email", "linkedin", "title", "company", "start", "end", "school", "degree", "skills", "languages", "years"}

func (f figures) add(field string, want, got []string) {
	t := f[field]
	t.want += len(want)
	t.got += len(got)
	rest := slices.Clone(got)
	for _, w := range want {
		if i := slices.Index(rest, w); i >= 0 {
			t.right++
			rest = slices.Delete(rest, i, i+1)
		}
	}
	f[field] = t
}

func (f figures) String() string {
	var b strings.Builder
	for _, field := range figureFields {
		fmt.Fprintf(&b, "%-10s recall %5.1f %%  precision %5.1f %%  F1 %.3f\n", field, 100*f[field].recall(), 100*f[field].precision(), f[field].f1())
	}
	return b.String()
}

// folded returns spellings that differ only in case and spaces as equal ones.
func folded(list ...string) []string {
	var out []string
	for _, s := range list {
		s = strings.ToLower(strings.Join(strings.Fields(s), " "))
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// addPerson adds one file's result. Jobs are matched one to one, the most alike first in the order of the seed.
func (f figures) addPerson(want truth, doc document.Document, got Fields) {
	f.add("name", folded(personname.Fold(want.Name)), folded(personname.Fold(got.Name)))
	f.add("email", []string{want.Email}, got.Emails)
	if profile, _ := identity.LinkedIn(want.LinkedIn); showsSlug(doc, identity.Slug(profile)) {
		f.add("linkedin", []string{profile}, got.LinkedIn)
	}
	f.add("languages", want.Languages, got.Languages)
	f.add("skills", knownSkills(want.Skills), got.Skills)
	rest := slices.Clone(got.Experiences)
	for _, job := range want.Jobs {
		best := -1
		most := 0
		for i, e := range rest {
			if n := isSameJob(job, e); n > most {
				best = i
				most = n
			}
		}
		var e jobs.Experience
		if best >= 0 {
			e = rest[best]
			rest = slices.Delete(rest, best, best+1)
		}
		f.add("title", folded(job.Title), folded(e.Title))
		f.add("company", folded(job.Company), folded(e.Company))
		f.add("start", []string{job.Start}, []string{e.Start.String()})
		f.add("end", []string{job.End}, []string{e.End.String()})
	}
	for _, e := range rest { // invented jobs
		f.add("title", nil, folded(e.Title))
		f.add("company", nil, folded(e.Company))
	}
	var schools, degrees []string
	for _, e := range got.Education {
		schools = append(schools, e.School)
		degrees = append(degrees, e.Degree)
	}
	for _, e := range want.Education {
		f.add("school", folded(e.School), folded(schools...))
		f.add("degree", folded(e.Degree), folded(degrees...))
	}
	years := f["years"]
	years.want++
	years.got++
	if math.Abs(got.Years-want.years()) <= 0.5 {
		years.right++
	}
	f["years"] = years
}

// showsSlug reports whether a document holds a profile at all: LibreOffice drops links from some PDF files.
func showsSlug(doc document.Document, slug string) bool {
	text := strings.Join(append(slices.Concat(doc.Blocks...), doc.Links...), "")
	return strings.Contains(strings.Join(strings.Fields(text), ""), slug)
}

func isSameJob(job struct{ Title, Company, Start, End string }, e jobs.Experience) int {
	n := 0
	for _, same := range []bool{strings.EqualFold(job.Title, e.Title), strings.EqualFold(job.Company, e.Company), job.Start == e.Start.String(), job.End == e.End.String()} {
		if same {
			n++
		}
	}
	return n
}

// years counts months by hand: the jobs of the seed files do not overlap by more than their borders.
func (w truth) years() float64 {
	covered := make(map[int]bool)
	for _, job := range w.Jobs {
		end := monthNumber(job.End, 12*asOf.Year()+int(asOf.Month()))
		if len(job.End) == 4 {
			end--
		}
		for m := monthNumber(job.Start, 0); m <= end; m++ {
			covered[m] = true
		}
	}
	return float64(len(covered)) / 12
}

func monthNumber(date string, otherwise int) int {
	if date == "" {
		return otherwise
	}
	year := 0
	month := 1
	_, _ = fmt.Sscanf(date, "%d-%d", &year, &month)
	return 12*year + month
}

func knownSkills(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = s
		if known, ok := words.SkillsByName()[words.SkillKey(s)]; ok {
			out[i] = known.Name
		}
	}
	return out
}

// corpus is a set's files by name, with what they should say.
type corpus struct {
	files  []string
	people map[string]truth
}

func readCorpus(tb testing.TB, set string) corpus {
	tb.Helper()
	seed, err := os.ReadFile("testdata/corpus/" + set + ".json")
	if err != nil {
		tb.Fatal(err)
	}
	var people []truth
	if err := json.Unmarshal(seed, &people); err != nil {
		tb.Fatal(err)
	}
	c := corpus{people: make(map[string]truth)}
	for _, p := range people {
		c.people[p.ID] = p
	}
	c.files, err = filepath.Glob("testdata/corpus/" + set + "/*")
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// documents are read once for all tests of a set.
var documents = sync.OnceValues(func() (map[string]document.Document, error) {
	read := make(map[string]document.Document)
	for _, set := range []string{"tuning", "heldout"} {
		files, err := filepath.Glob("testdata/corpus/" + set + "/*")
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			read[file], err = Read(context.Background(), content)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
		}
	}
	return read, nil
})

func (c corpus) person(file string) truth {
	id, _, _ := strings.Cut(filepath.Base(file), ".")
	return c.people[id]
}

// measureSet reads every file of a set whose name contains part.
func measureSet(tb testing.TB, set, part string, understand func(document.Document) Fields) figures {
	tb.Helper()
	read, err := documents()
	if err != nil {
		tb.Fatal(err)
	}
	c := readCorpus(tb, set)
	f := make(figures)
	for _, file := range c.files {
		if strings.Contains(filepath.Base(file), part) {
			f.addPerson(c.person(file), read[file], understand(read[file]))
		}
	}
	return f
}

func extractNow(doc document.Document) Fields { return Extract(doc, asOf) }

// The floors are those promised for the parser; both sets stand clearly above.
func TestCorpusIsUnderstood(t *testing.T) {
	t.Parallel()
	if resumetest.RanPlain(t, "shared/candidate/resume") {
		return
	}
	recall := map[string]float64{"email": 0.98, "name": 0.95, "linkedin": 0.95, "company": 0.88, "title": 0.88, "start": 0.88, "end": 0.88, "years": 0.90}
	precision := map[string]float64{"email": 0.98, "name": 0.95, "linkedin": 0.95, "company": 0.88, "title": 0.88}
	for _, set := range []string{"tuning", "heldout"} {
		f := measureSet(t, set, "", extractNow)
		t.Logf("%s\n%s", set, f)
		for field, floor := range recall {
			if got := f[field].recall(); got < floor {
				t.Errorf("%s: recall of %s is %.3f, want at least %.2f", set, field, got, floor)
			}
		}
		for field, floor := range precision {
			if got := f[field].precision(); got < floor {
				t.Errorf("%s: precision of %s is %.3f, want at least %.2f", set, field, got, floor)
			}
		}
		if got := f["skills"].f1(); got < 0.85 {
			t.Errorf("%s: F1 of skills is %.3f, want at least 0.85", set, got)
		}
	}
}

// The parser must do as well on people it was not tuned on.
func TestHeldOutIsNoWorse(t *testing.T) {
	t.Parallel()
	if resumetest.RanPlain(t, "shared/candidate/resume") {
		return
	}
	tuned := measureSet(t, "tuning", "", extractNow)
	held := measureSet(t, "heldout", "", extractNow)
	for field := range tuned {
		if tuned[field].recall()-held[field].recall() > 0.03 {
			t.Errorf("%s: recall %.3f on the tuning set, %.3f on the held-out one", field, tuned[field].recall(), held[field].recall())
		}
	}
}

// The corpus is what the seed files say it is.
func TestCorpusIsComplete(t *testing.T) {
	t.Parallel()
	for set, producers := range map[string]int{"tuning": 4, "heldout": 3} {
		c := readCorpus(t, set)
		if want := 8 * 4 * producers; len(c.files) != want || len(c.people) != 8 {
			t.Errorf("%s: %d files of %d people, want %d of 8", set, len(c.files), len(c.people), want)
		}
	}
}
