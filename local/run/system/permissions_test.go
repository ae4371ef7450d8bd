package system_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// testKey is the key of a request, with everything that decides what it may do.
type testKey struct {
	secret, environment string
	kind                contract.KeyType
	// scopes are those that the key holds.
	scopes []contract.Scope
	// own says that the key belongs to the account whose data is requested.
	own bool
	// refusal is the error code, if the key is refused on every route.
	refusal contract.Code
}

// expectation is what the contract requires of a response.
type expectation struct {
	status int
	code   contract.Code
	// refused requires that a response with status 200 reports the resources that the body names as
	// missing.
	refused bool
}

// expectedResponse returns what the contract requires, from the route's row alone: whether it is
// public, the key, its type, its scopes and the resource, in this order.
func expectedResponse(route contract.Route, key testKey, of target) expectation {
	visible := key.own && (of.environment == key.environment || of.environment == everywhere)
	switch {
	case route.Public():
		return expectation{status: http.StatusOK}
	case key.refusal != "":
		return expectation{status: http.StatusUnauthorized, code: key.refusal}
	case route.KeyType != contract.AnyKey && route.KeyType != key.kind:
		return expectation{status: http.StatusForbidden, code: contract.WrongKeyType}
	case slices.ContainsFunc(route.Scopes, func(s contract.Scope) bool { return !slices.Contains(key.scopes, s) }):
		return expectation{status: http.StatusForbidden, code: contract.MissingScope}
	case !visible && strings.Contains(route.Path, "{"):
		return expectation{status: http.StatusNotFound}
	}
	return expectation{status: http.StatusOK, refused: !visible && namesInBody[route.Operation]}
}

// namesInBody lists the routes whose body names the requested resources.
var namesInBody = map[string]bool{
	"submitBulk": true, "lookupCandidates": true, "lookupPreferences": true, "offMarket": true, "reEnable": true,
}

// Every route responds to every kind of key as the contract's table says: by its type, scopes,
// account, environment and whether it is usable at all; for the caller's own data, for another
// account's, and for ids that do not exist.
func TestEveryRouteAnswersEveryKeyAsTheContractSays(t *testing.T) {
	t.Parallel()
	s := newPermissionSystem(t)
	requests := 0
	check := func(route contract.Route, key testKey, of target) {
		requests++
		want := expectedResponse(route, key, of)
		r := s.sendTo(route, key, of)
		var got contract.ErrorEnvelope
		_ = json.Unmarshal([]byte(r.body), &got)
		refused := strings.Contains(r.body, `"status":"not_found"`) || strings.Contains(r.body, `"status":"rejected"`)
		if r.status != want.status || got.Error.Type != errorType(want.status) || got.Error.Code != want.code || refused != want.refused {
			t.Errorf("%s with a key %s: got %d %.300s; want %+v", route.Operation, describeRequest(key, of), r.status, r.body, want)
		}
	}
	for _, routes := range groupByScopes(contract.Routes) {
		for _, environment := range []string{"test", "live"} {
			for _, key := range s.keysFor(routes[0].Scopes, environment) {
				for _, route := range routes {
					for _, of := range s.targetsFor(route) {
						check(route, key.testKey, of)
					}
				}
				s.revokeKey(key)
				key.refusal = contract.RevokedAPIKey
				for _, route := range routes {
					check(route, key.testKey, s.targetsFor(route)[0])
				}
			}
			s.advanceClock(time.Minute)
		}
	}
	for _, route := range contract.Routes {
		for _, key := range s.refusedKeys() {
			check(route, key, s.targetsFor(route)[0])
		}
	}
	if least := 25 * len(contract.Routes); requests < least {
		t.Errorf("only %d requests were made; want at least %d", requests, least)
	}
	t.Logf("%d requests", requests)
}

// groupByScopes returns the routes in groups that require the same scopes, and so share keys.
func groupByScopes(routes []contract.Route) [][]contract.Route {
	groups := map[string][]contract.Route{}
	for _, route := range routes {
		scopes := fmt.Sprint(route.Scopes)
		groups[scopes] = append(groups[scopes], route)
	}
	sorted := slices.Sorted(maps.Keys(groups))
	all := make([][]contract.Route, 0, len(sorted))
	for _, scopes := range sorted {
		all = append(all, groups[scopes])
	}
	return all
}

// errorType returns the error.type of a status; "" for a success.
func errorType(status int) string {
	for _, c := range fault.Kinds {
		if c.Status == status {
			return c.Type
		}
	}
	return ""
}

func describeRequest(key testKey, of target) string {
	return fmt.Sprintf("of type %s, %s, own %v, %q with the scopes %v, for what is in %q", key.kind, key.environment, key.own, key.refusal, key.scopes, of.environment)
}
