package crm_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// vocabulary are words by what they fold to, with spellings that do. The model
// compares only the folded ones, so it folds nothing itself.
var vocabulary = []struct {
	folded    string
	spellings []string
}{
	{"jose", []string{"José", "JOSE", "jose\u0301", "Ｊｏｓｅ"}},
	{"josefine", []string{"Joséfine", "josefine"}},
	{"muller", []string{"Müller", "MULLER", "mu\u0308ller"}},
	{"strasse", []string{"Straße", "STRASSE"}},
	{"lukasz", []string{"Łukasz", "lukasz"}},
	{"иван", []string{"Иван", "ИВАН"}},
	{"ивановa", []string{"Ивановa"}},
	{"σοφια", []string{"Σοφία", "ΣΟΦΙΑ"}},
	{"νικοσ", []string{"Νίκος", "νικοσ"}},
	{"東京", []string{"東京"}},
	{"東京都", []string{"東京都"}},
	{"ليلى", []string{"ليلى", "لَيلى"}},
	{"c++", []string{"C++"}},
	{"42", []string{"42", "４２"}},
}

// person is a candidate as the model knows it: folded words by the field that holds them.
type person struct {
	id           string
	added        time.Time
	name, beside []string
	tags         []string
	status       string
}

// drawWords draws words and how they are spelled in a text.
func drawWords(t *rapid.T, label string, most int) (folded []string, text string) {
	var parts []string
	for range rapid.IntRange(0, most).Draw(t, label) {
		word := rapid.SampledFrom(vocabulary).Draw(t, "word")
		folded = append(folded, word.folded)
		parts = append(parts, rapid.SampledFrom(word.spellings).Draw(t, "spelling"))
	}
	return folded, strings.Join(parts, rapid.SampledFrom([]string{" ", ", ", " - "}).Draw(t, "between"))
}

// drawSome draws a few of the values.
func drawSome(t *rapid.T, label string, values ...string) []string {
	return rapid.SliceOfNDistinct(rapid.SampledFrom(values), 0, 2, rapid.ID).Draw(t, label)
}

// modelFilter is what the model filters by.
type modelFilter struct {
	words, tags, statuses []string
}

// group is 0 for one that is found by name, 1 for one found elsewhere, -1 for
// one that is not wanted.
func (w modelFilter) group(p person) int {
	if len(w.tags) > 0 && !slices.ContainsFunc(p.tags, func(s string) bool { return slices.Contains(w.tags, s) }) ||
		len(w.statuses) > 0 && !slices.Contains(w.statuses, p.status) {
		return -1
	}
	if containsPrefixes(w.words, p.name) {
		return 0
	}
	if containsPrefixes(w.words, append(slices.Clone(p.name), p.beside...)) {
		return 1
	}
	return -1
}

func containsPrefixes(words, in []string) bool {
	for _, word := range words {
		if !slices.ContainsFunc(in, func(s string) bool { return strings.HasPrefix(s, word) }) {
			return false
		}
	}
	return true
}

// position is where a person is in the list: by group, newest first, and then by a hash.
func (w modelFilter) position(p person) int64 {
	return int64(w.group(p))*(int64(entity.MaxRank)+1) + int64(entity.RankOf(p.added, p.id))
}

func (w modelFilter) comparePeople(a, b person) int {
	return cmp.Or(cmp.Compare(w.position(a), w.position(b)), strings.Compare(a.id, b.id))
}

// lister lists pages of a recruiter's candidates.
type lister func(ctx context.Context, recruiterID string, f crm.Filter, after int64, limit int) (crm.Page, error)

// TestListUnpublished pages through random CRMs that have no base, those that are small and those that are not
// published yet, while candidates are added, edited and hidden between pages, and compares each page with a plain sort
// of what is there at that moment.
func TestListUnpublished(t *testing.T) {
	t.Parallel()
	b, bucket := newTestStoreWithBucket(t)
	recruiters := 0
	rapid.Check(t, func(t *rapid.T) {
		recruiters++
		m := &model{T: t, testStore: b, recruiter: fmt.Sprint("rec", recruiters, "x")}
		list := crm.NewIndex(b.Store, bucket, crm.Limits{Large: rapid.IntRange(1, 30).Draw(t, "large")}).List
		m.pageThrough(list, m.addPerson, m.addPerson, m.hidePerson)
	})
}

// A page by tags of a large CRM whose base is not published, or of another version, reads 1,000 rows and may be empty.
func TestRowsReadForAPageByTags(t *testing.T) {
	t.Parallel()
	var calls cloudtest.Calls
	b, bucket := newTestStoreWithBucket(t, calls.Hook)
	const size = 1100
	b.putPeople(t, "rec1", 0, size)
	b.putPerson(t, "rec1", 20, 2, func(c *crm.Candidate) { c.Tags = []string{"rust"} })
	check := func(name string) {
		t.Helper()
		index := crm.NewIndex(b.Store, bucket, crm.Limits{Large: 30})
		calls.Reset()
		page, err := index.List(ctx, "rec1", crm.Filter{Tags: []string{"nobody"}}, 0, 20)
		must(t, err)
		made := slices.DeleteFunc(calls.Reset(), func(call string) bool { return call == "S3.GetObject" })
		if len(page.Rows) != 0 || page.Next == 0 || len(made) > 3 {
			t.Errorf("%s: %d rows, next after %d, by %q", name, len(page.Rows), page.Next, made)
		}
		page, err = index.List(ctx, "rec1", crm.Filter{Tags: []string{"rust"}}, page.Next, 20)
		if err != nil || len(page.Rows) != 1 || page.Next != 0 {
			t.Errorf("%s: then %d rows, next after %d, %v", name, len(page.Rows), page.Next, err)
		}
	}
	check("unpublished")
	mustPublish(t, crm.NewIndex(b.Store, bucket, crm.Limits{Large: 30}), crm.ChangeNotice{RecruiterID: "rec1"})
	must(t, bucket.Put(ctx, crm.IndexPrefix+"rec1", "application/octet-stream", []byte("RMBOOK0\n of another version")))
	check("of another version")
}

// TestListByBase is TestListUnpublished for CRMs with a base. Other processes publish it again between
// pages; the readers are old and new processes, each of which keeps one index in memory.
func TestListByBase(t *testing.T) {
	t.Parallel()
	b, bucket := newTestStoreWithBucket(t)
	limits := crm.Limits{Large: 1, Memory: 1}
	fresh := func() *crm.Index { return crm.NewIndex(b.Store, bucket, limits) }
	old := fresh()
	publisher := fresh()
	recruiters := 0
	rapid.Check(t, func(t *rapid.T) {
		recruiters++
		m := &model{T: t, testStore: b, recruiter: fmt.Sprint("rec", recruiters, "x")}
		publish := func() {
			if p, err := publisher.Publish(ctx, crm.ChangeNotice{RecruiterID: m.recruiter}); err != nil || p.Done && p.Candidates < len(m.people) {
				t.Fatalf("%+v, %v; there are %d candidates", p, err, len(m.people))
			}
		}
		wait := func() { b.clock.Move(time.Duration(rapid.IntRange(1, 200_000).Draw(t, "wait")) * time.Millisecond) }
		m.began = publish
		load := func() { // it is not seen before it is published
			m.store = b.loading()
			defer func() { m.store = nil }()
			for range rapid.IntRange(1, 3).Draw(t, "loaded") {
				rapid.SampledFrom([]func(){m.addPerson, m.editPerson, m.hidePerson}).Draw(t, "load")()
			}
			b.clock.Move(time.Duration(rapid.IntRange(1, 100_000).Draw(t, "load time")) * time.Millisecond)
			if _, err := publisher.Publish(ctx, crm.ChangeNotice{RecruiterID: m.recruiter, Bulk: true}); err != nil {
				t.Fatal(err)
			}
		}
		m.pageThrough(func(ctx context.Context, recruiterID string, f crm.Filter, after int64, limit int) (crm.Page, error) {
			wait()
			from := old
			if rapid.Bool().Draw(t, "a new process") {
				from = fresh()
			}
			return from.List(ctx, recruiterID, f, after, limit)
		}, m.addPerson, m.editPerson, m.hidePerson, m.removePerson, publish, load, wait)
	})
}

// pageThrough lists a CRM page by page, with changes between the pages.
func (m *model) pageThrough(list lister, changes ...func()) {
	for range rapid.IntRange(0, 25).Draw(m.T, "candidates") {
		m.addPerson()
	}
	if m.began != nil {
		m.began()
	}
	f, w := m.drawFilter()
	limit := rapid.IntRange(1, 7).Draw(m.T, "limit")
	for after := int64(0); ; {
		page, err := list(ctx, m.recruiter, f, after, limit)
		if err != nil {
			m.Fatal(err)
		}
		m.checkPage(page, w, after, limit)
		if page.Next == 0 {
			return
		}
		if page.Next <= after {
			m.Fatalf("the position went from %d to %d", after, page.Next)
		}
		after = page.Next
		for range rapid.IntRange(0, 3).Draw(m.T, "changes") {
			rapid.SampledFrom(changes).Draw(m.T, "change")()
		}
	}
}

// model is a CRM beside its plain list.
type model struct {
	*rapid.T
	testStore
	recruiter string
	people    []person
	made      int
	// store writes in place of the test store's own, if it is there.
	store *crm.Store
	// began is called when the CRM has its first candidates.
	began func()
}

// addPerson stores a person, at one of few times, so that many agree.
func (m *model) addPerson() {
	m.made++
	id := fmt.Sprint("cand-", m.made)
	if m.made < len(crm.TiedIDs) {
		id = crm.TiedIDs[m.made]
	}
	m.writePerson(id)
}

// editPerson makes a person another one at another time.
func (m *model) editPerson() {
	if len(m.people) == 0 {
		return
	}
	m.made++
	i := rapid.IntRange(0, len(m.people)-1).Draw(m.T, "whom")
	id := m.people[i].id
	m.people = slices.Delete(m.people, i, i+1)
	m.writePerson(id)
}

func (m *model) writePerson(id string) {
	p := person{
		id: id, added: now.Add(time.Duration(rapid.IntRange(0, 5).Draw(m.T, "added")) * time.Millisecond),
		tags: drawSome(m.T, "tags", "rust", "go", "staff"), status: rapid.SampledFrom([]string{"SOURCED", "ACTIVE", "REPLIED"}).Draw(m.T, "status"),
	}
	c := crm.Candidate{RecruiterID: m.recruiter, CandidateID: p.id, RelationshipStatus: p.status, Tags: p.tags, AddedAt: contract.At(p.added)}
	p.name, c.Name = drawWords(m.T, "name", 3)
	for _, field := range []**string{&c.OneLiner, &c.Location, &c.CurrentRole.Company} {
		words, text := drawWords(m.T, "beside", 2)
		p.beside = append(p.beside, words...)
		*field = &text
	}
	words, text := drawWords(m.T, "employer", 2)
	p.beside = append(p.beside, words...)
	c.Experiences = []contract.CRMExperience{{Company: &text}}
	m.putCandidate(p.id, &c)
	m.people = append(m.people, p)
}

// removePerson deletes a person.
func (m *model) removePerson() {
	if len(m.people) == 0 {
		return
	}
	m.made++
	i := rapid.IntRange(0, len(m.people)-1).Draw(m.T, "whom")
	m.putCandidate(m.people[i].id, nil)
	m.people = slices.Delete(m.people, i, i+1)
}

func (m *model) putCandidate(id string, c *crm.Candidate) {
	store := m.Store
	if m.store != nil {
		store = m.store
	}
	if err := store.Put(ctx, m.recruiter, id, newStamp(int64(m.made)), c); err != nil {
		m.Fatal(err)
	}
}

// hidePerson takes a person out of the lists.
func (m *model) hidePerson() {
	if len(m.people) == 0 {
		return
	}
	m.made++
	i := rapid.IntRange(0, len(m.people)-1).Draw(m.T, "whom")
	p := m.people[i]
	m.putCandidate(p.id, &crm.Candidate{
		RecruiterID: m.recruiter, CandidateID: p.id, Name: "x", RelationshipStatus: p.status, AddedAt: contract.At(p.added),
		Hidden: m.made%2 == 0, Archived: m.made%2 == 1,
	})
	m.people = slices.Delete(m.people, i, i+1)
}

func (m *model) drawFilter() (f crm.Filter, w modelFilter) {
	w.words, f.Query = drawWords(m.T, "query", 2)
	if n := len(w.words); n > 0 && rapid.Bool().Draw(m.T, "unfinished") {
		word := rapid.SampledFrom([]string{"j", "иван", "Σ", "東", "lu", "4"}).Draw(m.T, "beginning")
		folded := map[string]string{"Σ": "σ"}[word]
		w.words = append(w.words, cmp.Or(folded, word))
		f.Query = f.Query + " " + word
	}
	w.tags = drawSome(m.T, "tags wanted", "rust", "go")
	w.statuses = drawSome(m.T, "statuses wanted", "SOURCED", "ACTIVE")
	f.Tags = w.tags
	f.Statuses = w.statuses
	return f, w
}

// checkPage compares a page with all who are between its two positions.
func (m *model) checkPage(page crm.Page, w modelFilter, after int64, limit int) {
	var people []person
	for _, p := range m.people {
		if at := w.position(p); w.group(p) >= 0 && at > after && (page.Next == 0 || at <= page.Next) {
			people = append(people, p)
		}
	}
	slices.SortFunc(people, w.comparePeople)
	var got, want []string
	for _, r := range page.Rows {
		got = append(got, r.ID)
	}
	for _, p := range people {
		want = append(want, p.id)
	}
	if diff := gocmp.Diff(want, got, emptyIsNil); diff != "" {
		m.Fatalf("of %+v the page is not the next one (-want +got):\n%s", w, diff)
	}
	if len(got) > limit && w.position(people[0]) != w.position(people[len(got)-1]) {
		m.Fatalf("%d candidates; the limit is %d", len(got), limit)
	}
}

var emptyIsNil = gocmp.FilterValues(func(a, b []string) bool { return len(a)+len(b) == 0 }, gocmp.Ignore())
