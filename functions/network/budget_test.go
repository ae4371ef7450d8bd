package network_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

var networkTable = topology.Network

// budgets are the calls of each route: the one update of the key check, what the route is
// about, and the members who own that.
var budgets = []struct {
	name, method, path, body string
	calls                    map[string]int
}{
	{"list", http.MethodGet, listPath, "", map[string]int{"UpdateItem": 1, "BatchGetItem": 1, "Query": 1}},
	{"filtered list", http.MethodGet, listPath + "?status=on_market&recruiterEmail=olga@example.com", "", map[string]int{"UpdateItem": 1, "GetItem": 1, "Query": 1}},
	{"list of expired ones", http.MethodGet, listPath + "?status=expired&recruiterEmail=olga@example.com", "", map[string]int{"UpdateItem": 1, "GetItem": 1, "Query": 2}},
	{"lookup of 50", http.MethodPost, lookupPath, "50", map[string]int{"UpdateItem": 1, "BatchGetItem": 3}},
	{"preferences lookup of 50", http.MethodPost, preferencesPath, "50", map[string]int{"UpdateItem": 1, "BatchGetItem": 3}},
	{"preferences", http.MethodGet, "preferences", "", map[string]int{"UpdateItem": 1, "GetItem": 2}},
	{"fast-track", http.MethodGet, "fast-track", "", map[string]int{"UpdateItem": 1, "GetItem": 2}},
	{"put fast-track", http.MethodPut, "fast-track", `{"fastTrack":true}`, map[string]int{"UpdateItem": 1, "GetItem": 2, "TransactWriteItems": 1}},
	{"put fast-track again", http.MethodPut, "fast-track", `{"fastTrack":true}`, map[string]int{"UpdateItem": 1, "GetItem": 2, "TransactWriteItems": 1}},
	{
		"put preferences", http.MethodPut, "preferences",
		`{"locations":["uk"],"workplaceTypes":["HYBRID"],"salaryMin":1,"idealFundingRounds":["SEED"],"visaAuthorization":"NO_VISA_AUTHORIZATION_NEEDED"}`,
		map[string]int{"UpdateItem": 1, "GetItem": 2, "TransactWriteItems": 1},
	},
	{"re-enable, nothing to do", http.MethodPost, "/talent-network/candidates/re-enable", "50", map[string]int{"UpdateItem": 1, "BatchGetItem": 3, "TransactWriteItems": 50}},
	{"off-market", http.MethodPost, "/talent-network/candidates/off-market", "50", map[string]int{"UpdateItem": 1, "BatchGetItem": 3, "TransactWriteItems": 50}},
	{"re-enable", http.MethodPost, "/talent-network/candidates/re-enable", "50", map[string]int{"UpdateItem": 1, "BatchGetItem": 3, "TransactWriteItems": 50}},
	{"pre-exclusion", http.MethodPost, "/talent-network/candidates/off-market", candidates(byEmail(100), byLinkedIn(101)), map[string]int{"UpdateItem": 3, "BatchGetItem": 2}},
}

// Every route stays within its number of calls, and all of its reads are consistent except those of
// an index.
func TestBudgets(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	var refs []string
	id := b.mustIngest(newCandidate(olga, 0))
	for n := range 50 {
		refs = append(refs, []string{byEmail(n), byLinkedIn(n)}[n%2])
		b.mustIngest(newCandidate(olga, n))
		if n < 10 {
			b.mustIngest(newCandidate(cleo, n+50))
		}
	}
	for _, tt := range budgets {
		body := tt.body
		path := tt.path
		if body == "50" {
			body = candidates(refs...)
		}
		if !strings.HasPrefix(path, "/") {
			path = pathOf(id, path)
		}
		if a := b.sendRequest(tt.method, path, body); a.Status != http.StatusOK {
			t.Fatalf("%s: %d %s", tt.name, a.Status, a.Body)
		}
		got := map[string]int{}
		for _, call := range b.calls.reset() {
			got[call.Operation]++
			if !consistent(call) {
				t.Errorf("%s: a %s is not consistent", tt.name, call.Operation)
			}
		}
		if diff := cmp.Diff(tt.calls, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// consistent reports whether a call is a write or reads what was written.
func consistent(call cloud.Call) bool {
	switch in := call.Input.(type) {
	case *dynamodb.GetItemInput:
		return aws.ToBool(in.ConsistentRead)
	case *dynamodb.QueryInput:
		return aws.ToBool(in.ConsistentRead) || in.IndexName != nil
	case *dynamodb.BatchGetItemInput:
		for table := range maps.Keys(in.RequestItems) {
			if !aws.ToBool(in.RequestItems[table].ConsistentRead) {
				return false
			}
		}
		return true
	}
	return slices.Contains([]string{"UpdateItem", "TransactWriteItems"}, call.Operation)
}
