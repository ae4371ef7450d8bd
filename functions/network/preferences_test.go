package network_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

func pathOf(id, what string) string { return "/talent-network/candidates/" + id + "/" + what }

func TestPutPreferences(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	id := b.mustIngest(newCandidate(olga, 1))
	b.Move(time.Hour)
	put := b.sendRequest(http.MethodPut, pathOf(id, "preferences"), `{"locations":["uk","asia"],"workplaceTypes":["HYBRID"],"salaryMin":1.5e5,
		"salaryMax":null,"ote":200000,"idealFundingRounds":["SEED","UNKNOWN"],"visaAuthorization":"NO_VISA_AUTHORIZATION_NEEDED"}`)
	want := `{"candidateUserId":"` + id + `","preferences":{"locations":["uk","asia"],"workplaceTypes":["HYBRID"],"salaryMin":150000,` +
		`"salaryMax":null,"ote":200000,"idealFundingRounds":["SEED","UNKNOWN"],"visaAuthorization":"NO_VISA_AUTHORIZATION_NEEDED",` +
		`"roleType":[],"excludedIndustries":[],"companySizePreferences":[]}}`
	if put.Status != http.StatusOK || put.Body != want {
		t.Errorf("got %d %s, want %s", put.Status, put.Body, want)
	}
	if get := b.sendRequest(http.MethodGet, pathOf(id, "preferences"), ""); get.Body != put.Body {
		t.Errorf("GET answers %s after %s", get.Body, put.Body)
	}
	row := b.listCandidates("").Candidates[0]
	if !row.UpdatedAt.Equal(b.Now()) || !row.AddedAt.Equal(b.Now().Add(-time.Hour)) {
		t.Errorf("the row says updated at %v, added at %v", row.UpdatedAt, row.AddedAt)
	}
}

// A GET body that is sent back changes nothing that can be read.
func TestPutBackWhatWasGot(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	full := newCandidate(olga, 1)
	most := int64(200_000)
	full.Preferences.SalaryMax = &most
	full.Preferences.ExcludedIndustries = []contract.Industry{"ai"}
	for _, id := range []string{b.mustIngest(full), b.mustIngest(newCandidate(ben, 2))} {
		before := b.sendRequest(http.MethodGet, pathOf(id, "preferences"), "")
		list := b.listCandidates("")
		var got struct{ Preferences json.RawMessage }
		b.must(json.Unmarshal([]byte(before.Body), &got))
		b.Move(time.Hour)
		if put := b.sendRequest(http.MethodPut, pathOf(id, "preferences"), string(got.Preferences)); put.Status != 200 || put.Body != before.Body {
			t.Errorf("got %d %s, want %s", put.Status, put.Body, before.Body)
		}
		if put := b.sendRequest(http.MethodPut, pathOf(id, "preferences"), before.Body); put.Status != 200 || put.Body != before.Body {
			t.Errorf("with its wrapper: got %d %s, want %s", put.Status, put.Body, before.Body)
		}
		if after := b.sendRequest(http.MethodGet, pathOf(id, "preferences"), ""); after.Body != before.Body {
			t.Errorf("got %s, want %s", after.Body, before.Body)
		}
		if diff := cmp.Diff(list, b.listCandidates("")); diff != "" {
			t.Errorf("the list changed (-want +got):\n%s", diff)
		}
	}
}

func TestPutPreferencesRefuses(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	id := b.mustIngest(newCandidate(olga, 1))
	before := b.sendRequest(http.MethodGet, pathOf(id, "preferences"), "").Body
	for _, body := range []string{
		`{}`, `{"preferences":{}}`, `{"preferences":null}`, `{"candidateUserId":"` + id + `","preferences":null}`, `{"candidateUserId":"` + id + `","preferences":[]}`,
		strings.Replace(before, id, "cu_other", 1), strings.Replace(before, `"`+id+`"`, "7", 1), strings.Replace(before, `["`, `["nowhere","`, 1),
		`{"locations":[],"workplaceTypes":["HYBRID"],"salaryMin":1,"idealFundingRounds":["SEED"],"visaAuthorization":"NO_VISA_AUTHORIZATION_NEEDED"}`,
		`{"locations":["uk"],"workplaceTypes":["HYBRID"],"salaryMin":0,"idealFundingRounds":["SEED"],"visaAuthorization":"NO_VISA_AUTHORIZATION_NEEDED"}`,
		`{"locations":["uk"],"workplaceTypes":["HYBRID"],"salaryMin":null,"idealFundingRounds":["SEED"],"visaAuthorization":"NO_VISA_AUTHORIZATION_NEEDED"}`,
		`{"locations":["uk"],"workplaceTypes":["HYBRID"],"salaryMin":1,"idealFundingRounds":["SEED"],"visaAuthorization":"NO_VISA_AUTHORIZATION_NEEDED","roleType":null}`,
	} {
		b.sendRequest(http.MethodPut, pathOf(id, "preferences"), body).CheckError(t, 400, contract.ValidationFailed)
	}
	if after := b.sendRequest(http.MethodGet, pathOf(id, "preferences"), "").Body; after != before {
		t.Errorf("got %s, want %s", after, before)
	}
}

// Preferences of one owner say nothing about those of another.
func TestPreferencesPerOwner(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	first := b.mustIngest(newCandidate(olga, 1))
	second := b.mustIngest(newCandidate(ben, 1))
	if first == second {
		t.Fatal("two owners share a membership")
	}
	before := b.sendRequest(http.MethodGet, pathOf(second, "preferences"), "").Body
	body, err := json.Marshal(newPreferences(50_000))
	b.must(err)
	apitest.DecodeOK[contract.CandidatePreferences](t, b.sendRequest(http.MethodPut, pathOf(first, "preferences"), strings.NewReplacer(`null`, `[]`, `"salaryMax":null,`, "", `"ote":null,`, "").Replace(string(body))))
	if after := b.sendRequest(http.MethodGet, pathOf(second, "preferences"), "").Body; after != before {
		t.Errorf("got %s, want %s", after, before)
	}
}
