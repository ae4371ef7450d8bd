package crm_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
)

// Every request, however malformed, gets a documented answer and never a 5xx.
func TestHostileRequests(t *testing.T) {
	t.Parallel()
	b := newTestServiceWithoutBucket(t)
	b.putCandidate(olga, newAda())
	long := strings.Repeat("y", 3000)
	for query, status := range map[string]int{
		candidatesPath + "/%ff": 404, candidatesPath + "/%00": 404, candidatesPath + "/%F0%9F%98%80": 404, candidatesPath + "/..": 404, candidatesPath + "/%2e%2e": 404,
		candidatesPath + "/": 404, candidatesPath + "/a%23b": 404, candidatesPath + "/%20": 404, candidatesPath + "/" + long: 404,
		callsPath + "/%ff": 404, callsPath + "/%00": 404, callsPath + "/" + long: 404,
		candidatesPath + "?query=%00": 400, candidatesPath + "?query=%CC%81": 200, candidatesPath + "?query=+": 200, candidatesPath + "?query=%22%5C": 200,
		candidatesPath + "?query=" + url.QueryEscape(strings.Repeat("ada ", 2500)): 200, candidatesPath + "?query=%ff": 400, candidatesPath + "?query=": 400, candidatesPath + "?query=a&query=b": 400,
		candidatesPath + "?tags=": 200, candidatesPath + "?tags=%00": 400, candidatesPath + "?tags=" + long: 200, candidatesPath + "?tags=%ff": 400, candidatesPath + "?" + strings.Repeat("tags=a&", 101): 400,
		candidatesPath + "?relationshipStatus=": 400, candidatesPath + "?cursor=1e3": 200, candidatesPath + "?cursor=1.0": 200, candidatesPath + "?cursor=1.5": 400, candidatesPath + "?cursor=null": 200, candidatesPath + "?cursor=Null": 400, candidatesPath + "?cursor=%2B1": 400, candidatesPath + "?cursor=": 200,
		candidatesPath + "?cursor=9007199254740991&query=ada": 200, candidatesPath + "?cursor=4503599627370496&query=ada": 200, candidatesPath + "?cursor=4503599627370495&query=ada": 200,
		candidatesPath + "?limit=": 400, candidatesPath + "?limit=1.0": 200, candidatesPath + "?limit=1.5": 400, candidatesPath + "?limit=99999999999999999999": 200, candidatesPath + "?limit=0": 400, candidatesPath + "?limit=9000000000000000000": 200,
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
		CurrentRole: contract.Position{Company: new("ＡＣＭＥ"), Title: new("Wizard")}, Experiences: []contract.CRMExperience{{Company: new("شركة ليلى")}},
		Tags: []string{"Go", "go"}, Note: new("secretnote"), Skills: []string{"secretskill"},
	})
	for query, found := range map[string]bool{
		"zoe": true, "ZOË": true, "zo\u0065\u0308": true, "o'brien": true, "obrien": true, "lukasz": true, "finn": true, "ﬁ": true, "brien": false,
		"c++": true, "c#": true, "c": true, "strasse": true, "STRASSE": true, "4": true, "東京": true, "京": false, "日本": true, "acme": true, "acm zo": true,
		"ليلى": true, "لَيلى": true, "شركة ليلى zoë": true, "wizard": false, "secretnote": false, "secretskill": false, "zoe zoe zoe": true, "zoe x": false, "!!!": false, "-": false, "🦄": false, strings.Repeat("zoe ", 10) + "nobody": true, strings.Repeat("zoe ", 9) + "nobody": false,
		"zoe\u200dlukasz": false, "\u200bzoe": true, "zoe, łukasz!": true, "-zoe": true, "42 東 c++ شر": true,
	} {
		got := apitest.DecodeOK[contract.CRMCandidateList](t, b.get(olga, candidatesPath+"?query="+url.QueryEscape(query))).Candidates
		if (len(got) == 1) != found {
			t.Errorf("%q: found %v; want %v", query, len(got) == 1, found)
		}
	}
	for tag, found := range map[string]int{"Go": 1, "go": 1, "GO": 0} {
		if got := apitest.DecodeOK[contract.CRMCandidateList](t, b.get(olga, candidatesPath+"?tags="+tag)).Candidates; len(got) != found {
			t.Errorf("tag %s: %d; want %d", tag, len(got), found)
		}
	}
}

// Another's ids and cursors reveal nothing of another's CRM.
func TestAnothersCRM(t *testing.T) {
	t.Parallel()
	b := newTestServiceWithoutBucket(t)
	b.putCandidates(30)
	page := apitest.DecodeOK[contract.CRMCandidateList](t, b.get(olga, candidatesPath))
	b.putCandidate(ben, crm.Candidate{CandidateID: "bens", Name: "Ben's Person", AddedAt: page.Candidates[5].AddedAt})
	for _, path := range []string{candidatesPath + "?limit=50", candidatesPath + "?query=person&limit=50", candidatesPath + "?tags=go&limit=50"} {
		for _, c := range apitest.DecodeOK[contract.CRMCandidateList](t, b.get(olga, path)).Candidates {
			if c.CandidateID == "bens" {
				t.Errorf("%s lists another's candidate", path)
			}
		}
	}
	b.putMatch("m1", newMatch(ben, "r1", b.Now()))
	for _, path := range []string{candidatesPath + "/bens", callsPath + "/m1"} {
		if a, nobody := b.get(olga, path), b.get(olga, path+"x"); a.Status != http.StatusNotFound || cmp.Diff(parseBody(nobody), parseBody(a)) != "" {
			t.Errorf("%s: got %d %s", path, a.Status, a.Body)
		}
	}
}
