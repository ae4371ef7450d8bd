package network_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

const listPath = "/talent-network/candidates"

// listCandidates reads a page; query begins with "?" or is empty.
func (b *testService) listCandidates(query string) contract.CandidateList {
	b.t.Helper()
	return apitest.DecodeOK[contract.CandidateList](b.t, b.sendRequest(http.MethodGet, listPath+query, ""))
}

func rowIDs(rows []contract.CandidateRow) []string {
	all := []string{}
	for _, r := range rows {
		all = append(all, r.CandidateUserID)
	}
	return all
}

// listAllPages pages through a list; query has no "?".
func (b *testService) listAllPages(query string) (all []string, pages int) {
	b.t.Helper()
	all = []string{}
	for cursor := ""; ; pages++ {
		page := b.listCandidates("?" + query + cursor)
		all = append(all, rowIDs(page.Candidates)...)
		if page.NextCursor == nil {
			return all, pages + 1
		}
		cursor = "&cursor=" + url.QueryEscape(*page.NextCursor)
	}
}

func TestListRow(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	if got := b.sendRequest(http.MethodGet, listPath, ""); got.Body != `{"candidates":[],"nextCursor":null}` {
		t.Errorf("an empty network answers %s", got.Body)
	}
	b.mustIngest(newCandidate(ben, 1))
	want := `{"candidates":[{"candidateUserId":"cu_00000000000000000000000001","name":"Person 1","email":"person1@example.com",` +
		`"linkedinUrl":"https://www.linkedin.com/in/person-1","status":"on_market","marketExpiresAt":"2026-08-04T07:08:09.000Z","fastTrack":false,` +
		`"recruiter":{"name":"Ben","email":"ben@example.com"},"currentTitle":"Engineer","currentCompany":"Acme","location":"Oslo",` +
		`"hasPreferences":true,"hasResume":true,"source":"EXTERNAL_API","lastSubmissionSource":"EXTERNAL_API","addedAt":"2026-05-06T07:08:09.000Z","updatedAt":"2026-05-06T07:08:09.000Z"}],"nextCursor":null}`
	if got := b.sendRequest(http.MethodGet, listPath, ""); got.Body != want {
		t.Errorf("got  %s\nwant %s", got.Body, want)
	}
	bare := newCandidate(ben, 2)
	bare.Title = ""
	bare.Company = ""
	bare.Location = ""
	bare.ResumeKey = ""
	b.mustIngest(bare)
	for _, r := range b.listCandidates("").Candidates {
		if r.Email == bare.Email && (r.CurrentTitle != nil || r.CurrentCompany != nil || r.Location != nil || r.HasResume) {
			t.Errorf("got %+v", r)
		}
	}
}

func TestListOrder(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	var want []string
	for n := range 7 {
		want = append(want, b.mustIngest(newCandidate(olga, n)))
		if n%2 == 1 {
			b.Move(time.Millisecond)
		}
	}
	// Added in pairs: newest pair first, in a pair by id.
	want = []string{want[6], want[4], want[5], want[2], want[3], want[0], want[1]}
	b.Move(time.Second)
	b.mustIngest(newCandidate(olga, 3)) // again: the place stays
	for limit := 1; limit <= 8; limit++ {
		got, pages := b.listAllPages(fmt.Sprintf("limit=%d", limit))
		if diff := cmp.Diff(want, got); diff != "" || pages != (7+limit-1)/limit {
			t.Errorf("limit %d: %d pages (-want +got):\n%s", limit, pages, diff)
		}
	}
}

// itemKinds has a candidate on the market, one off, one locked and one expired, of
// olga, ben, olga and ben.
func (b *testService) itemKinds() (all []string) {
	b.t.Helper()
	expired := b.mustIngest(newCandidate(ben, 4))
	b.Move(network.DefaultEligibility)
	on := b.mustIngest(newCandidate(olga, 1))
	off := b.mustIngest(newCandidate(ben, 2))
	locked := b.mustIngest(newCandidate(olga, 3))
	b.postMarket("off-market", `{"candidateUserId":"`+off+`"}`)
	m, _, err := b.store.Membership(b.t.Context(), locked)
	b.must(err)
	_, err = b.store.SetLocked(b.t.Context(), m, true, network.Write{Now: b.Now(), ID: "app"})
	b.must(err)
	return []string{on, off, locked, expired}
}

func TestListFilters(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	p := b.itemKinds()
	on := p[0]
	off := p[1]
	locked := p[2]
	expired := p[3]
	for _, tt := range []struct {
		query string
		want  []string
	}{
		{"", []string{on, off, locked, expired}},
		{"status=on_market", []string{on}},
		{"status=off_market", []string{off, locked}},
		{"status=expired", []string{expired}},
		{"recruiterEmail=BEN@example.com", []string{off, expired}},
		{"recruiterEmail=ben@example.com&status=expired", []string{expired}},
		{"recruiterEmail=cleo@example.com", []string{}},
	} {
		for _, limit := range []string{"limit=1&", "limit=2&", ""} {
			if got, _ := b.listAllPages(limit + tt.query); !cmp.Equal(tt.want, got) {
				t.Errorf("%s%s: got %v, want %v", limit, tt.query, got, tt.want)
			}
		}
	}
}

func TestListParameters(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	for query, code := range map[string]contract.Code{
		"status=ON_MARKET": contract.UnknownFilterValue, "status=": contract.UnknownFilterValue,
		"status=expired&status=expired": contract.ValidationFailed,
		"limit=101":                     contract.LimitTooLarge, "limit=0": contract.ValidationFailed, "limit=": contract.ValidationFailed,
		"recruiterEmail=ben":                contract.ValidationFailed,
		"recruiterEmail=nobody@example.com": contract.ValidationFailed, "recruiterEmail=zoe@example.org&status=on_market": contract.ValidationFailed,
		"cursor=abc": contract.InvalidCursor, "cursor=0": contract.InvalidCursor,
	} {
		b.sendRequest(http.MethodGet, listPath+"?"+query, "").CheckError(t, 400, code)
	}
	for range 51 {
		b.mustIngest(newCandidate(olga, b.made))
	}
	if got := len(b.listCandidates("").Candidates); got != 50 {
		t.Errorf("a page has %d rows by default, want 50", got)
	}
	if got := len(b.listCandidates("?limit=100").Candidates); got != 51 {
		t.Errorf("got %d rows, want 51", got)
	}
}

func TestCursorOfOtherFilters(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	for n := range 4 {
		b.mustIngest(newCandidate(olga, n))
		b.Move(time.Second)
	}
	next := *b.listCandidates("?limit=2&status=on_market").NextCursor
	for query, warning := range map[string]string{"status=on_market": "", "": "filters-changed", "status=expired": "filters-changed"} {
		a := b.sendRequest(http.MethodGet, listPath+"?limit=2&cursor="+next+"&"+query, "")
		want := 2
		if query == "status=expired" {
			want = 0
		}
		got := len(apitest.DecodeOK[contract.CandidateList](t, a).Candidates)
		if a.Header.Get("X-Cursor-Warning") != warning || got != want {
			t.Errorf("%q: got %d rows and warning %q", query, got, a.Header.Get("X-Cursor-Warning"))
		}
	}
}

// However few owners are active, a page reads at most ten pages of rows, in four calls besides the
// key check, and the next page continues from there.
func TestListReadsTenPages(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	rare := b.mustIngest(newCandidate(ben, 0))
	for n := range 45 {
		b.Move(time.Millisecond)
		b.mustIngest(newCandidate(cleo, n+1))
	}
	b.changeMember(cleo, func(m *account.Member) { m.Deactivated = true })
	first := b.listCandidates("?limit=4")
	if len(first.Candidates) != 0 || first.NextCursor == nil {
		t.Fatalf("got %+v, want an empty page that is not the last", first)
	}
	if calls := b.calls.reset(); len(calls) != 5 {
		t.Errorf("got %d calls, want 5", len(calls))
	}
	second := b.listCandidates("?limit=4&cursor=" + *first.NextCursor)
	if !slices.Equal(rowIDs(second.Candidates), []string{rare}) || second.NextCursor != nil {
		t.Errorf("got %+v, want the last page with %s", second, rare)
	}
	b.changeMember(cleo, func(m *account.Member) { m.Deactivated = false })
	if page := b.listCandidates("?limit=4"); len(page.Candidates) != 4 || len(b.calls.reset()) != 3 {
		t.Errorf("a page that is filled at once takes other than 3 calls, or has %d rows", len(page.Candidates))
	}
}

func TestListNamesOwnersAsTheyAreNow(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	b.mustIngest(newCandidate(ben, 1))
	b.changeMember(ben, func(m *account.Member) {
		m.Name = "Benjamin"
		m.Email = "benjamin@example.com"
	})
	got := b.listCandidates("?recruiterEmail=benjamin@example.com").Candidates[0].Recruiter
	if (got != contract.OwningRecruiter{Name: "Benjamin", Email: "benjamin@example.com"}) {
		t.Errorf("got %+v", got)
	}
}
