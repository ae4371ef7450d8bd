package network_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/contract"
)

func pathOf(id, what string) string { return "/talent-network/candidates/" + id + "/" + what }

func TestPutPreferences(t *testing.T) {
	t.Parallel()
	b := open(t)
	id := b.ingest(person(olga, 1))
	b.move(time.Hour)
	put := b.send(http.MethodPut, pathOf(id, "preferences"), `{"locations":["uk","asia"],"workplaceTypes":["HYBRID"],"salaryMin":1.5e5,
		"salaryMax":null,"ote":200000,"idealFundingRounds":["SEED","UNKNOWN"],"visaAuthorization":"NO_VISA_AUTHORIZATION_NEEDED"}`)
	want := `{"candidateUserId":"` + id + `","preferences":{"locations":["uk","asia"],"workplaceTypes":["HYBRID"],"salaryMin":150000,` +
		`"salaryMax":null,"ote":200000,"idealFundingRounds":["SEED","UNKNOWN"],"visaAuthorization":"NO_VISA_AUTHORIZATION_NEEDED",` +
		`"roleType":[],"excludedIndustries":[],"companySizePreferences":[]}}`
	if put.status != http.StatusOK || put.body != want {
		t.Errorf("got %d %s, want %s", put.status, put.body, want)
	}
	if get := b.send(http.MethodGet, pathOf(id, "preferences"), ""); get.body != put.body {
		t.Errorf("GET answers %s after %s", get.body, put.body)
	}
	row := b.list("").Candidates[0]
	if !row.UpdatedAt.Equal(b.now()) || !row.AddedAt.Equal(b.now().Add(-time.Hour)) {
		t.Errorf("the row says updated at %v, added at %v", row.UpdatedAt, row.AddedAt)
	}
}

// A GET body that is sent back changes nothing that can be read.
func TestPutBackWhatWasGot(t *testing.T) {
	t.Parallel()
	b := open(t)
	full := person(olga, 1)
	most := int64(200_000)
	full.Preferences.SalaryMax, full.Preferences.ExcludedIndustries = &most, []string{"ai"}
	for _, id := range []string{b.ingest(full), b.ingest(person(ben, 2))} {
		before, list := b.send(http.MethodGet, pathOf(id, "preferences"), ""), b.list("")
		var got struct{ Preferences json.RawMessage }
		b.must(json.Unmarshal([]byte(before.body), &got))
		b.move(time.Hour)
		if put := b.send(http.MethodPut, pathOf(id, "preferences"), string(got.Preferences)); put.status != 200 || put.body != before.body {
			t.Errorf("got %d %s, want %s", put.status, put.body, before.body)
		}
		if after := b.send(http.MethodGet, pathOf(id, "preferences"), ""); after.body != before.body {
			t.Errorf("got %s, want %s", after.body, before.body)
		}
		if diff := cmp.Diff(list, b.list("")); diff != "" {
			t.Errorf("the list changed (-want +got):\n%s", diff)
		}
	}
}

func TestPutPreferencesRefuses(t *testing.T) {
	t.Parallel()
	b := open(t)
	id := b.ingest(person(olga, 1))
	before := b.send(http.MethodGet, pathOf(id, "preferences"), "").body
	for _, body := range []string{
		`{}`, `{"preferences":{}}`,
		`{"locations":[],"workplaceTypes":["HYBRID"],"salaryMin":1,"idealFundingRounds":["SEED"],"visaAuthorization":"NO_VISA_AUTHORIZATION_NEEDED"}`,
		`{"locations":["uk"],"workplaceTypes":["HYBRID"],"salaryMin":0,"idealFundingRounds":["SEED"],"visaAuthorization":"NO_VISA_AUTHORIZATION_NEEDED"}`,
		`{"locations":["uk"],"workplaceTypes":["HYBRID"],"salaryMin":null,"idealFundingRounds":["SEED"],"visaAuthorization":"NO_VISA_AUTHORIZATION_NEEDED"}`,
		`{"locations":["uk"],"workplaceTypes":["HYBRID"],"salaryMin":1,"idealFundingRounds":["SEED"],"visaAuthorization":"NO_VISA_AUTHORIZATION_NEEDED","roleType":null}`,
	} {
		b.send(http.MethodPut, pathOf(id, "preferences"), body).fails(t, 400, contract.ValidationFailed)
	}
	if after := b.send(http.MethodGet, pathOf(id, "preferences"), "").body; after != before {
		t.Errorf("got %s, want %s", after, before)
	}
}

// Preferences of one owner say nothing about those of another.
func TestPreferencesPerOwner(t *testing.T) {
	t.Parallel()
	b := open(t)
	first, second := b.ingest(person(olga, 1)), b.ingest(person(ben, 1))
	if first == second {
		t.Fatal("two owners share a membership")
	}
	before := b.send(http.MethodGet, pathOf(second, "preferences"), "").body
	body, err := json.Marshal(wants(50_000))
	b.must(err)
	is[contract.CandidatePreferences](t, b.send(http.MethodPut, pathOf(first, "preferences"), strings.NewReplacer(`null`, `[]`, `"salaryMax":null,`, "", `"ote":null,`, "").Replace(string(body))))
	if after := b.send(http.MethodGet, pathOf(second, "preferences"), "").body; after != before {
		t.Errorf("got %s, want %s", after, before)
	}
}
