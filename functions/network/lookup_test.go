package network_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

const (
	lookupPath      = "/talent-network/candidates/lookup"
	preferencesPath = "/talent-network/candidates/preferences/lookup"
)

// lookupAll asks both lookups, which must agree on everything but what they show.
func (b *testService) lookupAll(refs ...string) (spelled []string) {
	b.t.Helper()
	rows := apitest.DecodeOK[contract.LookupResponse](b.t, b.sendRequest(http.MethodPost, lookupPath, candidates(refs...)))
	preferences := apitest.DecodeOK[contract.PreferencesLookupResponse](b.t, b.sendRequest(http.MethodPost, preferencesPath, candidates(refs...)))
	spelled = []string{}
	for i, r := range rows.Results {
		if diff := cmp.Diff(r.Result, preferences.Results[i].Result); diff != "" || r.Index != i || r.OK != (r.Status == contract.ResultFound) {
			b.t.Errorf("the lookups differ, or result %d is wrong:\n%s", i, diff)
		}
		var other []string
		for _, p := range preferences.Results[i].Candidates {
			other = append(other, p.CandidateUserID)
		}
		if got := strings.Join(foundIDs(r.Candidates), " "); got != strings.Join(other, " ") {
			b.t.Errorf("the lookups answer %s and %v", got, other)
		}
		spelled = append(spelled, strings.TrimSpace(string(r.Status)+" "+strings.Join(foundIDs(r.Candidates), " ")))
	}
	return spelled
}

func foundIDs(found []contract.FoundCandidate) []string {
	var all []string
	for _, c := range found {
		all = append(all, c.CandidateUserID)
	}
	return all
}

func TestLookup(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	early := b.mustIngest(newCandidate(olga, 1))
	b.Move(time.Hour)
	late := b.mustIngest(newCandidate(ben, 1))
	other := b.mustIngest(newCandidate(olga, 2))
	never := newCandidate(cleo, 1)
	endless := b.mustIngest(never)
	b.removeExpiry(endless)
	all := late + " " + early + " " + endless
	wantResults(t, "lookup", b.lookupAll(
		byEmail(1), byLinkedIn(1), byID(early), byEmail(1), byEmail(2), byEmail(3), `{}`,
		`{"candidateUserId":"`+other+`","linkedinUrl":"x","email":"person1@example.com"}`,
		`{"candidateUserId":null,"linkedinUrl":"https://linkedin.com/in/person-2","email":"person1@example.com"}`,
		`{"linkedinUrl":"x","email":"person1@example.com"}`,
	), "found "+all, "found "+all, "found "+early, "found "+all, "found "+other, "not_found", "not_found",
		"found "+other, "found "+other, "not_found")
}

// removeExpiry makes a membership one without expiry, as role submissions are.
func (b *testService) removeExpiry(id string) {
	b.t.Helper()
	table := cloudtest.TableOf(b.t, b.host, networkTable)
	b.must(table.Update("pk", "M#"+id).Range("sk", "M").Remove("expires").Run(b.t.Context()))
}

func TestLookupRowIsTheListRow(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	for _, id := range b.itemKinds() {
		b.sendRequest(http.MethodPut, pathOf(id, "fast-track"), `{"fastTrack":true}`)
	}
	for _, row := range b.listCandidates("").Candidates {
		got := apitest.DecodeOK[contract.LookupResponse](t, b.sendRequest(http.MethodPost, lookupPath, candidates(byID(row.CandidateUserID)))).Results[0]
		if len(got.Candidates) != 1 {
			t.Fatalf("got %+v", got)
		}
		if diff := cmp.Diff(row, got.Candidates[0].CandidateRow); diff != "" {
			t.Errorf("lookup against list (-list +lookup):\n%s", diff)
		}
	}
}

func TestLookupAnswersPreferences(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	id := b.mustIngest(newCandidate(olga, 1))
	want := b.sendRequest(http.MethodGet, pathOf(id, "preferences"), "").Body
	want = `{"results":[{"index":0,"ok":true,"status":"found","candidates":[` + want + `]},` +
		`{"index":1,"ok":false,"status":"not_found","message":"No candidate of an approved member of the agency matches this reference."}]}`
	if got := b.sendRequest(http.MethodPost, preferencesPath, candidates(byEmail(1), byEmail(2))).Body; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// An identity leads to a membership also after it was submitted again under
// another one: the same person of the same owner is one membership.
func TestIdentitiesOfMemberships(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	id := b.mustIngest(newCandidate(olga, 1))
	moved := newCandidate(olga, 1)
	moved.Email = "person2@example.com"
	b.Move(time.Second)
	b.mustIngest(moved)
	b.Move(time.Second)
	namesake := newCandidate(olga, 3)
	namesake.Email = "person2@example.com"
	other := b.mustIngest(namesake)
	both := other + " " + id // the latest eligibility first
	wantResults(t, "lookup", b.lookupAll(byEmail(1), byEmail(2), byLinkedIn(1), byLinkedIn(3), byEmail(3)),
		"found "+id, "found "+both, "found "+id, "found "+other, "not_found")
	wantResults(t, "off-market", b.postMarket("off-market", byEmail(2)), "off_market "+both)
	wantResults(t, "re-enable", b.postMarket("re-enable", byLinkedIn(1), byEmail(2)), "on_market "+id, "on_market "+both)
	for n, r := range b.listCandidates("").Candidates {
		if want := fmt.Sprint("/person-", []int{3, 1}[n]); r.Email != "person2@example.com" || !strings.HasSuffix(r.LinkedInURL, want) {
			t.Errorf("row %d is %+v, want that of %s", n, r, want)
		}
	}
}

func TestFastTrack(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	mine := b.mustIngest(newCandidate(olga, 1))
	his := b.mustIngest(newCandidate(ben, 2))
	hers := b.mustIngest(newCandidate(cleo, 3))
	answers := func(id string, fast, off bool) string {
		return `{"candidateUserId":"` + id + `","fastTrack":` + map[bool]string{true: "true", false: "false"}[fast] +
			`,"offMarket":` + map[bool]string{true: "true", false: "false"}[off] + `}`
	}
	get := func(id, want string) {
		t.Helper()
		if got := b.sendRequest(http.MethodGet, pathOf(id, "fast-track"), "").Body; got != want {
			t.Errorf("GET: got %s, want %s", got, want)
		}
	}
	put := func(id, body, want string) {
		t.Helper()
		for range 2 {
			if got := b.sendRequest(http.MethodPut, pathOf(id, "fast-track"), body).Body; got != want {
				t.Errorf("PUT: got %s, want %s", got, want)
			}
		}
		get(id, want)
	}
	get(mine, answers(mine, false, false))
	put(mine, `{"fastTrack":true}`, answers(mine, true, false))
	b.postMarket("off-market", byID(mine))
	get(mine, answers(mine, true, true))
	put(mine, `{"fastTrack":false}`, answers(mine, false, true))
	put(mine, `{"fastTrack":true}`, answers(mine, true, true))
	if row := b.listCandidates("?recruiterEmail=olga@example.com").Candidates[0]; !row.FastTrack || row.Status != contract.OffMarket {
		t.Errorf("got %+v", row)
	}
	b.postMarket("re-enable", byID(mine))
	get(mine, answers(mine, true, false))

	get(his, answers(his, false, false))
	b.sendRequest(http.MethodPut, pathOf(his, "fast-track"), `{"fastTrack":true}`).CheckError(t, 403, contract.KeyOwnerMismatch)
	get(his, answers(his, false, false))
	if a := b.sendAs(b.newKey(agencyID, ben), http.MethodPut, pathOf(his, "fast-track"), `{"fastTrack":true}`); a.Body != answers(his, true, false) {
		t.Errorf("with his own key: got %s", a.Body)
	}
	b.sendRequest(http.MethodGet, pathOf(hers, "fast-track"), "").CheckError(t, 403, contract.FastTrackDisabled)
	b.sendRequest(http.MethodPut, pathOf(hers, "fast-track"), `{"fastTrack":true}`).CheckError(t, 403, contract.FastTrackDisabled)
	b.sendRequest(http.MethodPut, pathOf(mine, "fast-track"), `{"fastTrack":null}`).CheckError(t, 400, contract.ValidationFailed)
	b.sendRequest(http.MethodPut, pathOf("cu_unknown", "fast-track"), `{"fastTrack":true}`).CheckError(t, 404, contract.NoCode)
	b.Move(network.DefaultEligibility)
	get(mine, answers(mine, true, false)) // expired is not off
}

// halve makes every BatchGetItem that asks for several keys answer half of them
// and hand the others back unprocessed, as DynamoDB may.
func halve(stack *middleware.Stack) error {
	return stack.Deserialize.Add(middleware.DeserializeMiddlewareFunc("Halve", func(
		ctx context.Context, in middleware.DeserializeInput, next middleware.DeserializeHandler,
	) (middleware.DeserializeOutput, middleware.Metadata, error) {
		out, meta, err := next.HandleDeserialize(ctx, in)
		if answer, ok := out.Result.(*dynamodb.BatchGetItemOutput); ok {
			for table, items := range answer.Responses {
				half := types.KeysAndAttributes{ConsistentRead: aws.Bool(true)}
				for _, item := range items[len(items)-len(items)/2:] {
					half.Keys = append(half.Keys, map[string]types.AttributeValue{"pk": item["pk"], "sk": item["sk"]})
				}
				answer.Responses[table] = items[:len(items)-len(half.Keys)]
				if len(half.Keys) > 0 {
					answer.UnprocessedKeys = map[string]types.KeysAndAttributes{table: half}
				}
			}
		}
		return out, meta, err
	}), middleware.Before)
}

func TestLookupAsksForWhatWasNotProcessed(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	host := b.host
	host.AWS.APIOptions = append(slices.Clone(host.AWS.APIOptions), halve)
	b.Handler = b.openHandler(host)
	var refs, want []string
	for n := range 4 {
		refs = append(refs, byEmail(n))
		want = append(want, "found "+b.mustIngest(newCandidate(olga, n)))
	}
	wantResults(t, "lookup", b.lookupAll(refs...), want...)
}
