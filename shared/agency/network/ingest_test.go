package network_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

func ptr[T any](v T) *T { return &v }

func TestANewMembership(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	p := d.mustIngest(newCandidate("ada", "a"), candidateID(1), start)
	if got := p.ReplacedResume; got != "" {
		t.Errorf("it replaces %q", got)
	}
	want := network.Membership{
		ID: candidateID(1), Tenant: "agy_1", OwnerID: "mem_1", Source: contract.CandidateSourceExternalAPI,
		Person:   network.Person{Name: "Ada Example", Email: "a@example.com", LinkedInURL: "https://www.linkedin.com/in/ada"},
		SourceAt: start, Market: network.Market{Stated: network.Statement{At: start}, ExpiresAt: start.Add(network.DefaultEligibility)},
		Preferences: &contract.SavedWorkPreferences{
			Locations: []contract.Location{"texas", "boston"}, WorkplaceTypes: []contract.WorkplaceType{"REMOTE"}, SalaryMin: ptr[int64](100_000),
			IdealFundingRounds: []contract.FundingRound{"SEED"}, VisaAuthorization: ptr[contract.VisaAuthorization]("HAS_VISA_AUTHORIZATION"),
			RoleType: []contract.RoleType{}, ExcludedIndustries: []contract.Industry{}, CompanySizePreferences: []contract.CompanySize{},
		},
		PreferencesStated: network.Statement{At: start}, ResumeKey: "resumes/ada/a", SubmittedAt: start, AddedAt: start, UpdatedAt: start,
	}
	if diff := cmp.Diff(want, d.mustMembership(candidateID(1)), cmpopts.IgnoreUnexported(network.Membership{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAnUpdateReplacesWhatWasSent(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	d.mustIngest(newCandidate("ada", "a"), candidateID(1), start)
	d.mustIngest(newCandidate("bob", "b"), candidateID(2), start.Add(time.Minute))
	before := d.listRows("agy_1")

	again := newCandidate("ada", "c")
	again.Name = "Ada B. Example"
	again.Preferences = contract.WorkPreferences{
		Locations: []contract.Location{"uk"}, SalaryMin: 90_000, SalaryMax: ptr[int64](120_000), OTE: ptr[int64](1), RoleType: []contract.RoleType{"ai_engineer"},
	}
	later := start.Add(24 * time.Hour)
	again.SubmittedAt = later
	p := d.mustIngest(again, candidateID(3), later)
	if got := p.ReplacedResume; got != "resumes/ada/a" {
		t.Errorf("it replaces %q, want the first resume", got)
	}
	got := d.mustMembership(candidateID(1))
	if !got.AddedAt.Equal(start) || !got.UpdatedAt.Equal(later) || !got.Market.ExpiresAt.Equal(later.Add(network.DefaultEligibility)) {
		t.Errorf("added %v, updated %v, expires %v", got.AddedAt, got.UpdatedAt, got.Market.ExpiresAt)
	}
	if got.ResumeKey != "resumes/ada/c" || got.Preferences.Locations[0] != "uk" || *got.Preferences.SalaryMax != 120_000 {
		t.Errorf("got %+v with %+v; want what was sent last", got, got.Preferences)
	}
	after := d.listRows("agy_1")
	if len(after) != 2 || after[1].Position != before[1].Position || after[0] != before[0] {
		t.Errorf("the list changed its order: %v, was %v", after, before)
	}
	if want := (row{before[1].Position, "Ada B. Example", "c@example.com", got.Market.ExpiresAt.UnixMilli()}); after[1] != want {
		t.Errorf("the row is %+v, want %+v", after[1], want)
	}
}

func TestListRowsAreNewestFirst(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	for n, at := range []time.Duration{3 * time.Millisecond, 2 * time.Millisecond, time.Hour, 9999 * time.Hour, 0, 0} {
		d.mustIngest(newCandidate(fmt.Sprint("p", n), fmt.Sprint("p", n)), candidateID(n), start.Add(at))
	}
	var got []string
	for _, r := range d.listRows("agy_1") {
		got = append(got, r.ID())
	}
	if diff := cmp.Diff([]string{candidateID(3), candidateID(2), candidateID(0), candidateID(1), candidateID(4), candidateID(5)}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSavedPreferencesHaveNoNullLists(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	c := newCandidate("ada", "a")
	c.Preferences = contract.WorkPreferences{}
	d.mustIngest(c, candidateID(1), start)
	text, err := json.Marshal(d.mustMembership(candidateID(1)).Preferences)
	must(t, err)
	var fields map[string]any
	must(t, json.Unmarshal(text, &fields))
	lists := 0
	for name, value := range fields {
		if _, ok := value.([]any); ok {
			lists++
		} else if value == nil && name != "salaryMax" && name != "ote" {
			t.Errorf("%s is null", name)
		}
	}
	if len(fields) != 10 || lists != 6 {
		t.Errorf("got %s; want 10 fields, 6 of them lists", text)
	}
}

func TestNoSuchMembership(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	if _, found, err := d.Membership(ctx, candidateID(1)); found || err != nil {
		t.Errorf("got %v, %v; want nothing", found, err)
	}
}

func TestNamesOfAnyScriptSurvive(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	for n, name := range []string{"Zoë Łukasiewicz", "Анна Пример", "مثال مريم", "山田花子", "उदाहरण", "👩🏽‍💻", "Zoe\u0308", `<b>"&`, strings.Repeat("長", 300)} {
		c := newCandidate(fmt.Sprint("p", n), fmt.Sprint("почта", n))
		c.Name = name
		c.LinkedInURL = "https://www.linkedin.com/in/" + fmt.Sprint("山田-", n)
		d.mustIngest(c, candidateID(n), start.Add(time.Duration(n)*time.Second))
		if got := d.listRows("agy_1")[0]; got.Name != name || got.Email != c.Email {
			t.Errorf("got %+v, want %q", got, name)
		}
		if got := d.mustPlace(c, candidateID(99)); got.ID != candidateID(n) {
			t.Errorf("%q is not found again", name)
		}
	}
}

func TestCalls(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	for what, want := range map[string][]int{"new": {1, 1}, "update": {2, 1}} {
		if what == "update" {
			d.mustIngest(newCandidate(what, what), candidateID(1), start)
		}
		d.calls.Reset()
		p := d.mustPlace(newCandidate(what, what), candidateID(2))
		if got := d.calls.Reset(); len(got) != want[0] {
			t.Errorf("%s: placing made the calls %v, want %d", what, got, want[0])
		}
		must(t, d.ingestAt(newCandidate(what, what), p, start))
		if got := d.calls.Reset(); len(got) != want[1] {
			t.Errorf("%s: writing made the calls %v, want %d", what, got, want[1])
		}
	}
	d.mustMembership(candidateID(1))
	if got := d.calls.Reset(); len(got) != 1 {
		t.Errorf("reading a membership made the calls %v, want 1", got)
	}
}

func TestALostAnswerOfTheTransaction(t *testing.T) {
	t.Parallel()
	for name, hook := range map[string]cloud.Hook{
		"the first":  cloudtest.Lose("TransactWriteItems", 1, cloudtest.Lost{}),
		"the update": cloudtest.Lose("TransactWriteItems", 2, cloudtest.Lost{}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTestStore(t, hook)
			d.mustIngest(newCandidate("ada", "a"), candidateID(1), start)
			if got := d.mustIngest(newCandidate("ada", "a"), candidateID(2), start); got.ID != candidateID(1) {
				t.Errorf("got %s, want %s", got.ID, candidateID(1))
			}
		})
	}
}

func TestListRowsAreThin(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	c := newCandidate("ada-example-1a2b3c4d", "ada.b.example")
	c.Tenant = "0192f0c1-2345-7abc-8def-0123456789ab"
	c.OwnerID = "0192f0c1-2345-7abc-8def-0123456789ac"
	c.Name = "Ada Bee Example"
	c.Title = "Senior Software Engineer"
	c.Company = "Example Industries"
	c.Location = "San Francisco Bay Area"
	d.mustIngest(c, candidateID(1), start)
	for _, list := range []string{"", "#o#" + c.OwnerID, "#s#on_market", "#o#" + c.OwnerID + "#s#on_market"} {
		var items []dynamo.Item
		must(t, d.table.Get(topology.PK, "A#"+string(c.Tenant)+list).All(ctx, &items))
		if len(items) != 1 {
			t.Fatalf("got %d rows in the list %q, want 1", len(items), list)
		}
		if got := itemSize(items[0]); got > 320 { // a hundred of them are 8 read units
			t.Errorf("a row of the list %q is %d bytes, above 320", list, got)
		} else {
			t.Logf("a row of the list %q: %d bytes", list, got)
		}
	}
}

// itemSize is an item's size as DynamoDB counts it: names and values in bytes, a
// number's digits two to a byte and one more.
func itemSize(item dynamo.Item) int {
	n := 0
	for name, value := range item {
		n += len(name)
		switch v := value.(type) {
		case *types.AttributeValueMemberS:
			n += len(v.Value)
		case *types.AttributeValueMemberBOOL:
			n++
		case *types.AttributeValueMemberSS:
			for _, v := range v.Value {
				n += len(v)
			}
		case *types.AttributeValueMemberN:
			n += (len(v.Value)+1)/2 + 1
		default:
			panic(fmt.Sprintf("%s is a %T", name, v))
		}
	}
	return n
}
