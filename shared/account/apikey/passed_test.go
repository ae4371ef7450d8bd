package apikey_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// A checker remembers the caller of a key that it has counted, and makes no call to do so.
func TestAKeyThatPassedIsRecalled(t *testing.T) {
	t.Parallel()
	var calls cloudtest.Calls
	_, table := cloudtest.Database(t, topology.Accounts, calls.Hook)
	g := apikey.NewChecker(table, live)
	authorization, _ := storeKey(t, table, func(r *apikey.Record) { r.ExpiresAt = cloud.ToMillis(start.Add(time.Hour)) })
	if caller, ok := g.Recall(authorization, contract.DefaultTier, start); ok {
		t.Errorf("a key that was never counted is recalled as %v", caller)
	}
	a, err := g.Authenticate(t.Context(), authorization, contract.DefaultTier, start)
	if err != nil {
		t.Fatal(err)
	}
	calls.Reset()
	caller, ok := g.Recall(authorization, contract.WriteTier, start)
	if diff := cmp.Diff(a.Caller, caller); !ok || diff != "" {
		t.Errorf("%v (-want +got):\n%s", ok, diff)
	}
	for name, header := range map[string]string{"none": "", "another": "Bearer " + newKey(t, "live"), "of another environment": "Bearer " + newKey(t, "test")} {
		if _, ok := g.Recall(header, contract.DefaultTier, start); ok {
			t.Errorf("%s is recalled", name)
		}
	}
	if _, ok := g.Recall(authorization, contract.DefaultTier, start.Add(time.Hour)); ok {
		t.Error("a key that has expired since is recalled")
	}
	if made := calls.Reset(); len(made) != 0 {
		t.Errorf("recalling made calls: %v", made)
	}
}

// A key that is known to be refused is not recalled: not in a minute that it has used up, and not
// after it was revoked.
func TestARefusedKeyIsNotRecalled(t *testing.T) {
	t.Parallel()
	table := cloudtest.Table(t, topology.Accounts)
	g := apikey.NewChecker(table, live)
	tier := contract.Tier{Name: "default", Limit: 1}
	authorization, hash := storeKey(t, table, nil)
	count := func(at time.Time) error { _, err := g.Authenticate(t.Context(), authorization, tier, at); return err }
	recalled := func(tier contract.Tier, at time.Time) bool { _, ok := g.Recall(authorization, tier, at); return ok }
	if err := count(start); err != nil || !recalled(tier, start) {
		t.Fatalf("%v; recalled: %v", err, recalled(tier, start))
	}
	if err := count(start); codeOf(err) != contract.RateLimited || recalled(tier, start) {
		t.Errorf("%v; recalled in a minute that is used up: %v", err, recalled(tier, start))
	}
	next := start.Add(time.Minute)
	if !recalled(contract.WriteTier, start) || !recalled(tier, next) {
		t.Error("neither the other tier nor the next minute is used up")
	}
	if err := apikey.Update(table, hash).Set(apikey.AttrRevokedAt, cloud.ToMillis(start)).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := count(next); codeOf(err) != contract.RevokedAPIKey || recalled(tier, next) {
		t.Errorf("%v; recalled after that: %v", err, recalled(tier, next))
	}
}
