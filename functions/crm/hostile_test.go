package crm_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/apitest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
)

// Whatever is asked is answered as documented, never with a fault of ours.
func TestHostileRequests(t *testing.T) {
	t.Parallel()
	b := newTestServiceWithoutBucket(t)
	b.putCandidate(olga, newAda())
	long := strings.Repeat("y", 3000)
	for query, status := range map[string]int{
		bookPath + "/%ff": 404, bookPath + "/%00": 404, bookPath + "/%F0%9F%98%80": 404, bookPath + "/..": 404, bookPath + "/%2e%2e": 404,
		bookPath + "/": 404, bookPath + "/a%23b": 404, bookPath + "/%20": 404, bookPath + "/" + long: 400,
		callsPath + "/%ff": 404, callsPath + "/%00": 404, callsPath + "/" + long: 400,
		bookPath + "?query=%00": 200, bookPath + "?query=%CC%81": 200, bookPath + "?query=+": 200, bookPath + "?query=%22%5C": 200,
		bookPath + "?query=" + url.QueryEscape(strings.Repeat("ada ", 2500)): 400, bookPath + "?query=%ff": 400, bookPath + "?query=": 400, bookPath + "?query=a&query=b": 400,
		bookPath + "?tags=": 200, bookPath + "?tags=%00": 200, bookPath + "?tags=" + long: 200, bookPath + "?tags=%ff": 400, bookPath + "?" + strings.Repeat("tags=a&", 101): 400,
		bookPath + "?relationshipStatus=": 400, bookPath + "?cursor=1e3": 400, bookPath + "?cursor=1.0": 400, bookPath + "?cursor=%2B1": 400, bookPath + "?cursor=": 200,
		bookPath + "?cursor=9007199254740991&query=ada": 200, bookPath + "?cursor=4503599627370496&query=ada": 200, bookPath + "?cursor=4503599627370495&query=ada": 200,
		bookPath + "?limit=": 400, bookPath + "?limit=1.0": 400, bookPath + "?limit=0": 400, bookPath + "?limit=9000000000000000000": 200,
		matchPath + "?cursor=" + long: 400, matchPath + "?cursor=%00": 400, matchPath + "?status=": 400, matchPath + "?status=all&status=all": 400, matchPath + "?limit=21": 200,
		callsPath + "?cursor=9007199254740992": 400, callsPath + "?cursor=-1": 400, callsPath + "?limit=51": 200, callsPath + "?limit=-1": 400,
	} {
		if a := b.get(olga, query); a.Status != status {
			t.Errorf("%.80s: got %d %.300s; want %d", query, a.Status, a.Body, status)
		}
	}
}

// Words are found in any spelling and script, wherever they stand.
func TestScripts(t *testing.T) {
	t.Parallel()
	b := newTestServiceWithoutBucket(t)
	b.putCandidate(olga, crm.Candidate{
		CandidateID: "c1", Name: "Zoë O’Brien-Łukasz ﬁnn", OneLiner: new("C++ & C# at Straße 42"), Location: new("東京都, 日本"),
		CurrentRole: crm.Position{Company: new("ＡＣＭＥ"), Title: new("Wizard")}, Experiences: []crm.Experience{{Company: new("شركة ليلى")}},
		Tags: []string{"Go", "go"}, Note: new("secretnote"), Skills: []string{"secretskill"},
	})
	for query, found := range map[string]bool{
		"zoe": true, "ZOË": true, "zo\u0065\u0308": true, "o'brien": true, "obrien": true, "lukasz": true, "finn": true, "ﬁ": true, "brien": false,
		"c++": true, "c#": true, "c": true, "strasse": true, "STRASSE": true, "4": true, "東京": true, "京": false, "日本": true, "acme": true, "acm zo": true,
		"ليلى": true, "لَيلى": true, "شركة ليلى zoë": true, "wizard": false, "secretnote": false, "secretskill": false, "zoe zoe zoe": true, "zoe x": false,
		"zoe\x00lukasz": true, "zoe\u200dlukasz": false, "\u200bzoe": true, "zoe, łukasz!": true, "-zoe": true, "42 東 c++ شر": true,
	} {
		got := apitest.DecodeOK[contract.ListCRMCandidatesResponse](t, b.get(olga, bookPath+"?query="+url.QueryEscape(query))).Candidates
		if (len(got) == 1) != found {
			t.Errorf("%q: found %v; want %v", query, len(got) == 1, found)
		}
	}
	for tag, found := range map[string]int{"Go": 1, "go": 1, "GO": 0} {
		if got := apitest.DecodeOK[contract.ListCRMCandidatesResponse](t, b.get(olga, bookPath+"?tags="+tag)).Candidates; len(got) != found {
			t.Errorf("tag %s: %d; want %d", tag, len(got), found)
		}
	}
}

// Another's ids and cursors tell nothing of another's book.
func TestAnothersBook(t *testing.T) {
	t.Parallel()
	b := newTestServiceWithoutBucket(t)
	b.putCandidates(30)
	page := apitest.DecodeOK[contract.ListCRMCandidatesResponse](t, b.get(olga, bookPath))
	b.putCandidate(ben, crm.Candidate{CandidateID: "bens", Name: "Ben's Person", AddedAt: page.Candidates[5].AddedAt})
	for _, path := range []string{bookPath + "?limit=50", bookPath + "?query=person&limit=50", bookPath + "?tags=go&limit=50"} {
		for _, c := range apitest.DecodeOK[contract.ListCRMCandidatesResponse](t, b.get(olga, path)).Candidates {
			if c.CandidateID == "bens" {
				t.Errorf("%s lists another's candidate", path)
			}
		}
	}
	b.putMatch("m1", newMatch(ben, "r1", b.Now()))
	for _, path := range []string{bookPath + "/bens", callsPath + "/m1"} {
		if a, nobody := b.get(olga, path), b.get(olga, path+"x"); a.Status != http.StatusNotFound || cmp.Diff(parseBody(nobody), parseBody(a)) != "" {
			t.Errorf("%s: got %d %s", path, a.Status, a.Body)
		}
	}
}
