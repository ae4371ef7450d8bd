package crm_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/match"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

const matchPath = "/recruiter/recommendations"

// A pending match with everything that a row shows, for an approved owner and for
// a stranger to whom the agency hides payment; both spellings of the path.
func TestMatchRow(t *testing.T) {
	t.Parallel()
	b := newTestServiceWithoutBucket(t)
	b.putCompany()
	secret := func(r *role.Role) {
		r.ConfidentialSearch = true
		r.AnonymizedName = new("A robotics company")
	}
	b.putRole("r1", secret, olga)
	sent := b.Now().Add(-36 * time.Hour)
	m := newMatch(olga, "r1", sent)
	m.HiringManagerNote = new("Please")
	m.Candidate.Title = new("Engineer")
	m.ProgressLabel = new("Offer")
	b.putMatch("m1", m)
	m.RecruiterID = ben
	b.putMatch("m2", m)
	want := contract.Match{
		ID: "m1", Status: "pending", ActionBucket: "new", SentAt: contract.At(sent), DaysUntilExpiry: new(int64(5)),
		HiringManagerNote: new("Please"), HiringManagerName: "Mona",
		Candidate: contract.MatchCandidate{CandidateID: "cand_ada", Name: "Ada Example", Title: new("Engineer")},
		Role: contract.MatchRole{
			ID: "r1", Name: "Engineer r1", Locations: []string{"Oslo"},
			URLs:         contract.Links{Browse: "https://app.example.com/browse/r1", Recruit: new("https://app.example.com/desk/r1")},
			Company:      contract.MatchCompany{Name: "Zqorn Labs", ConfidentialSearch: true, AnonymizedName: new("A robotics company")},
			Compensation: contract.MatchCompensation{SalaryLowerBound: new(int64(90_000)), Currency: new("EUR")},
			FeePercent:   new(20.0),
		},
	}
	for _, path := range []string{matchPath, "/recruiter/auto-recommendations"} {
		got := apitest.DecodeOK[contract.MatchList](t, b.get(olga, path))
		if diff := cmp.Diff(contract.MatchList{Recommendations: []contract.Match{want}}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
	want.ID = "m2"
	want.Role.URLs.Recruit = nil
	want.Role.FeePercent = nil
	a := b.get(ben, matchPath)
	if diff := cmp.Diff([]contract.Match{want}, apitest.DecodeOK[contract.MatchList](t, a).Recommendations); diff != "" {
		t.Errorf("a member without access (-want +got):\n%s", diff)
	}
	for _, private := range []string{"ada@example.com", "nextCursor"} {
		if strings.Contains(a.Body, private) {
			t.Errorf("the answer has %s: %s", private, a.Body)
		}
	}
	if got := apitest.DecodeOK[contract.MatchList](t, b.get(zoe, matchPath)); len(got.Recommendations) > 0 {
		t.Errorf("another recruiter reads %+v", got)
	}
}

// A stranger to a stealth role does not read the company's name in the note either.
func TestMatchOfStealthRole(t *testing.T) {
	t.Parallel()
	b := newTestServiceWithoutBucket(t)
	b.putCompany()
	b.putRole("r1", func(r *role.Role) { r.Visibility = contract.RoleVisibilityStealth; r.Title = "Engineer at Zqorn Labs" }, ben)
	for id, recruiterID := range map[string]string{"m1": olga, "m2": ben} {
		m := newMatch(recruiterID, "r1", b.Now())
		m.HiringManagerNote = new("Come to Zqorn Labs")
		b.putMatch(id, m)
	}
	if a := b.get(olga, matchPath); strings.Contains(a.Body, "Zqorn") || !strings.Contains(a.Body, "Come to Confidential company") {
		t.Errorf("a stranger reads %s", a.Body)
	}
	if a := b.get(ben, matchPath); !strings.Contains(a.Body, "Come to Zqorn Labs") || !strings.Contains(a.Body, "/desk/r1") {
		t.Errorf("the approved one reads %s", a.Body)
	}
}

// putMatches are matches of every kind, by what each status lists of them.
func putMatches(b *testService) {
	b.putRole("open", nil)
	b.putRole("paused", func(r *role.Role) { r.Status = "PAUSED" })
	b.putRole("closed", func(r *role.Role) { r.Status = contract.RoleStatusClosed })
	put := func(id, roleID string, status contract.MatchStatus, ago time.Duration, change func(*match.Match)) {
		m := newMatch(olga, roleID, b.Now().Add(-ago))
		m.Status = status
		if change != nil {
			change(&m)
		}
		b.putMatch(id, m)
	}
	const day = 24 * time.Hour
	put("a-submitted", "closed", "submitted", 20*day, func(m *match.Match) {
		m.ProgressLabel = new("Final round")
		m.RejectedAfterStage = new("Offer")
	})
	put("b-rejected", "open", "submitted", 19*day, func(m *match.Match) {
		m.ProgressLabel = new("Rejected")
		m.RejectedAfterStage = new("Mid round")
	})
	put("c-dismissed", "nowhere", "dismissed", 18*day, nil)
	put("d-expired", "open", "expired", 17*day, nil)
	put("e-over", "closed", "pending", 7*day, nil)
	put("f-last-day", "open", "pending", 7*day-time.Second, nil)
	put("g-closed", "closed", "pending", 3*day, nil)
	put("h-contacted", "paused", "pending", 2*day, func(m *match.Match) { m.ReachedOut = true })
	put("i-nowhere", "nowhere", "pending", day, nil)
	put("j-new", "open", "pending", 0, nil)
}

// Every status lists its matches, oldest first: buckets, days and labels.
func TestMatchStates(t *testing.T) {
	t.Parallel()
	b := newTestServiceWithoutBucket(t)
	putMatches(b)
	text := func(s *contract.ProgressLabel) string {
		if s == nil {
			return "-"
		}
		return string(*s)
	}
	rows := map[string]string{
		"a": "a-submitted submitted closed - Final round -", "b": "b-rejected submitted closed - Rejected Mid round",
		"c": "c-dismissed dismissed closed - - -", "d": "d-expired expired expired - - -", "e": "e-over expired expired - - -",
		"f": "f-last-day pending new 0 - -", "h": "h-contacted pending needs_submission 5 - -", "j": "j-new pending new 7 - -",
	}
	for query, want := range map[string]string{
		"": "fhj", "?status=pending": "fhj", "?status=expired": "de", "?status=dismissed": "c", "?status=submitted": "ab", "?status=all": "abcdefhj",
	} {
		var got, wanted []string
		for _, m := range apitest.DecodeOK[contract.MatchList](t, b.get(olga, matchPath+query)).Recommendations {
			days := "-"
			if m.DaysUntilExpiry != nil {
				days = fmt.Sprint(*m.DaysUntilExpiry)
			}
			got = append(got, fmt.Sprint(m.ID, " ", m.Status, " ", m.ActionBucket, " ", days, " ", text(m.Application.ProgressLabel), " ", text(m.Application.RejectedAfterStage)))
		}
		for _, letter := range want {
			wanted = append(wanted, rows[string(letter)])
		}
		if diff := cmp.Diff(wanted, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", query, diff)
		}
	}
	b.get(olga, matchPath+"?status=new").CheckError(t, http.StatusBadRequest, contract.UnknownFilterValue)
}

// At the seventh day to the second a match reads as expired, while nothing sweeps.
func TestExpiryToTheSecond(t *testing.T) {
	t.Parallel()
	b := newTestServiceWithoutBucket(t)
	b.putRole("r1", nil)
	sent := b.Now()
	b.putMatch("m1", newMatch(olga, "r1", sent))
	for _, tt := range []struct {
		after           time.Duration
		status, pending string
	}{
		{match.ExpiryPeriod - time.Second, "pending new 0", "m1"}, {match.ExpiryPeriod - time.Millisecond, "pending new 0", "m1"},
		{match.ExpiryPeriod, "expired expired -", ""}, {match.ExpiryPeriod + time.Second, "expired expired -", ""},
	} {
		b.Set(sent.Add(tt.after))
		all := apitest.DecodeOK[contract.MatchList](t, b.get(olga, matchPath+"?status=all")).Recommendations
		days := "-"
		if all[0].DaysUntilExpiry != nil {
			days = fmt.Sprint(*all[0].DaysUntilExpiry)
		}
		if got := fmt.Sprint(all[0].Status, " ", all[0].ActionBucket, " ", days); got != tt.status {
			t.Errorf("%v after it was sent: got %q; want %q", tt.after, got, tt.status)
		}
		var pending []string
		for _, m := range apitest.DecodeOK[contract.MatchList](t, b.get(olga, matchPath)).Recommendations {
			pending = append(pending, m.ID)
		}
		if got := strings.Join(pending, ","); got != tt.pending {
			t.Errorf("%v after it was sent the pending ones are %q; want %q", tt.after, got, tt.pending)
		}
	}
}

// A page continues where the last one ended, even if matches changed in between; the limit
// is lowered to 20.
func TestMatchPages(t *testing.T) {
	t.Parallel()
	b := newTestServiceWithoutBucket(t)
	b.putRole("r1", nil)
	var want []string
	for n := range 53 {
		id := fmt.Sprintf("m%02d", n)
		want = append(want, id)
		b.putMatch(id, newMatch(olga, "r1", b.Now().Add(-time.Duration(53-n/2)*time.Minute))) // two at a time
	}
	var got []string
	cursor := ""
	sizes := []int{}
	for {
		page := apitest.DecodeOK[contract.MatchList](t, b.get(olga, matchPath+"?limit=100"+cursor))
		sizes = append(sizes, len(page.Recommendations))
		for _, m := range page.Recommendations {
			got = append(got, m.ID)
		}
		if page.NextCursor == nil {
			break
		}
		cursor = "&cursor=" + url.QueryEscape(*page.NextCursor)
		for _, id := range []string{got[0], got[len(got)-1]} { // act on the first and on the last that were seen
			m := newMatch(olga, "r1", b.Now().Add(-time.Duration(53-slices.Index(want, id)/2)*time.Minute))
			m.Status = contract.MatchStatusDismissed
			b.putMatch(id, m)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || !slices.Equal(sizes, []int{20, 20, 13}) {
		t.Errorf("pages of %v (-want +got):\n%s", sizes, diff)
	}
	b.get(olga, matchPath+"?cursor=x").CheckError(t, http.StatusBadRequest, contract.InvalidCursor)
	b.get(olga, matchPath+"?cursor="+strings.Repeat("A", 2049)).CheckError(t, http.StatusBadRequest, contract.InvalidCursor)
	for _, first := range []string{"", "null"} {
		if got := apitest.DecodeOK[contract.MatchList](t, b.get(olga, matchPath+"?cursor="+first)); len(got.Recommendations) == 0 {
			t.Errorf("cursor=%s: no first page", first)
		}
	}
	b.get(olga, matchPath+"?limit=0").CheckError(t, http.StatusBadRequest, contract.ValidationFailed)
}
