package apikey_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

var live = []string{"live"}

func TestAdmitTellsTheCallerAndTheWindow(t *testing.T) {
	t.Parallel()
	table := cloudtest.Table(t, topology.Accounts)
	g := apikey.NewChecker(table, live)
	authorization, _ := storeKey(t, table, nil)
	want := apikey.Authentication{
		Caller: apikey.Caller{
			KeyID: "key_01", KeyName: "Nightly import", Last4: authorization[len(authorization)-4:], Environment: "live",
			Type: contract.AgencyKey, Principal: "agency-1",
			Creator: "member-1",
			Scopes:  []contract.Scope{contract.IdentityRead}, CreatedAt: cloud.ToMillis(start.Add(-time.Hour)),
		},
		Limit: 120, Remaining: 119, Reset: start.Add(40 * time.Second),
	}
	got, err := g.Authenticate(t.Context(), authorization, contract.DefaultTier, start)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Fatalf("error %v (-want +got):\n%s", err, diff)
	}
	got, err = g.Authenticate(t.Context(), authorization, contract.WriteTier, start)
	if err != nil || got.Limit != 60 || got.Remaining != 59 {
		t.Errorf("write tier: %d of %d left, error %v; want 59 of 60, as tiers count apart", got.Remaining, got.Limit, err)
	}
}

func TestHeaderForms(t *testing.T) {
	t.Parallel()
	table := cloudtest.Table(t, topology.Accounts)
	g := apikey.NewChecker(table, live)
	authorization, _ := storeKey(t, table, nil)
	key := strings.TrimPrefix(authorization, "Bearer ")
	for header, want := range map[string]contract.Code{
		"Bearer " + key:             contract.NoCode,
		"bearer " + key:             contract.NoCode,
		"  BEARER   " + key + " ":   contract.NoCode,
		"":                          contract.MissingAPIKey,
		"Bearer":                    contract.MissingAPIKey,
		"Bearer  ":                  contract.MissingAPIKey,
		"Basic " + key:              contract.MissingAPIKey,
		key:                         contract.MissingAPIKey,
		"Bearer " + key + "," + key: contract.InvalidAPIKey,
		"Bearer " + key + " x":      contract.InvalidAPIKey,
	} {
		if _, err := g.Authenticate(t.Context(), header, contract.DefaultTier, start); codeOf(err) != want {
			t.Errorf("header %.12q…: got %q, want %q", header, codeOf(err), want)
		}
	}
}

func TestWhatIsNoKeyCostsNoCall(t *testing.T) {
	t.Parallel()
	var calls cloudtest.Calls
	_, table := cloudtest.Database(t, topology.Accounts, calls.Hook)
	g := apikey.NewChecker(table, live)
	good := newKey(t, "live")
	flipped := byte('x')
	if good[12] == flipped {
		flipped = 'y'
	}
	for name, header := range map[string]string{
		"no header":         "",
		"nonsense":          "Bearer abc",
		"another prefix":    "Bearer sk" + good[3:],
		"a typo":            "Bearer " + good[:12] + string(flipped) + good[13:],
		"too short":         "Bearer " + good[:len(good)-1],
		"too long":          "Bearer " + good + "0",
		"huge":              "Bearer " + strings.Repeat("a", 1<<20),
		"other environment": "Bearer " + newKey(t, "test"),
	} {
		_, err := g.Authenticate(t.Context(), header, contract.DefaultTier, start)
		if fault.As(err).Kind != fault.Unauthenticated {
			t.Errorf("%s: got %v, want a 401", name, err)
		}
	}
	if got := calls.Reset(); len(got) != 0 {
		t.Errorf("made calls: %v", got)
	}
	_, err := g.Authenticate(t.Context(), "Bearer "+good, contract.DefaultTier, start)
	if got := calls.Reset(); codeOf(err) != contract.InvalidAPIKey || len(got) != 1 {
		t.Errorf("well-formed but unknown: %v after %v; want invalid_api_key after one call", err, got)
	}
}

func TestUnusableKeys(t *testing.T) {
	t.Parallel()
	table := cloudtest.Table(t, topology.Accounts)
	g := apikey.NewChecker(table, live)
	tests := []struct {
		name   string
		change func(*apikey.Record)
		want   contract.Code
	}{
		{"revoked", func(r *apikey.Record) { r.RevokedAt = cloud.ToMillis(start) }, contract.RevokedAPIKey},
		{"disabled", func(r *apikey.Record) { r.Disabled = true }, contract.RevokedAPIKey},
		{"expired", func(r *apikey.Record) { r.ExpiresAt = cloud.ToMillis(start.Add(-time.Millisecond)) }, contract.ExpiredAPIKey},
		{"expiring now", func(r *apikey.Record) { r.ExpiresAt = cloud.ToMillis(start) }, contract.ExpiredAPIKey},
		{"expiring later", func(r *apikey.Record) { r.ExpiresAt = cloud.ToMillis(start.Add(time.Millisecond)) }, contract.NoCode},
		{"revoked and expired", func(r *apikey.Record) {
			r.RevokedAt = 1
			r.ExpiresAt = 1
		}, contract.RevokedAPIKey},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			authorization, _ := storeKey(t, table, tt.change)
			got, err := g.Authenticate(t.Context(), authorization, contract.DefaultTier, start)
			if codeOf(err) != tt.want {
				t.Errorf("got %v, want %q", err, tt.want)
			}
			if err != nil && got.Caller.KeyID != "" {
				t.Error("a 401 told who calls")
			}
		})
	}
}

func TestRevokedKeyIsRefusedAtTheNextRequest(t *testing.T) {
	t.Parallel()
	table := cloudtest.Table(t, topology.Accounts)
	g := apikey.NewChecker(table, live)
	authorization, hash := storeKey(t, table, nil)
	if _, err := g.Authenticate(t.Context(), authorization, contract.DefaultTier, start); err != nil {
		t.Fatal(err)
	}
	if err := apikey.Update(table, hash).Set(apikey.AttrRevokedAt, cloud.ToMillis(start)).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Authenticate(t.Context(), authorization, contract.DefaultTier, start); codeOf(err) != contract.RevokedAPIKey {
		t.Errorf("got %v, want revoked_api_key", err)
	}
}

// sendBurst sends n requests at once, each to one of the checkers in turn, and counts
// what passed. Every refusal must be a 429.
func sendBurst(t *testing.T, checkers []*apikey.Checker, authorization string, tier contract.Tier, n int, now time.Time) (passed int64) {
	t.Helper()
	var wg sync.WaitGroup
	var admitted atomic.Int64
	for i := range n {
		wg.Go(func() {
			a, err := checkers[i%len(checkers)].Authenticate(t.Context(), authorization, tier, now)
			switch {
			case err == nil:
				admitted.Add(1)
			case codeOf(err) != contract.RateLimited || fault.As(err).RetryAfter <= 0:
				t.Errorf("got %v, want a 429 with a time to wait", err)
			case a.Remaining != 0 || a.Limit != tier.Limit || a.Caller.KeyID == "" || !a.Reset.After(now):
				t.Errorf("the 429's headers: %+v", a)
			}
		})
	}
	wg.Wait()
	return admitted.Load()
}

func TestLimitIsExactUnderConcurrency(t *testing.T) {
	t.Parallel()
	for _, tier := range []contract.Tier{contract.DefaultTier, contract.WriteTier} {
		t.Run(tier.Name, func(t *testing.T) {
			t.Parallel()
			table := cloudtest.Table(t, topology.Accounts)
			processes := []*apikey.Checker{apikey.NewChecker(table, live), apikey.NewChecker(table, live), apikey.NewChecker(table, live)}
			authorization, _ := storeKey(t, table, nil)
			if got := sendBurst(t, processes, authorization, tier, 300, start); got != int64(tier.Limit) {
				t.Fatalf("%d of 300 passed, want %d", got, tier.Limit)
			}
			_, err := processes[0].Authenticate(t.Context(), authorization, tier, start)
			wait := fault.As(err).RetryAfter
			if wait != 41*time.Second {
				t.Errorf("told to wait %v, want the 40 seconds left and one", wait)
			}
			if _, err := processes[0].Authenticate(t.Context(), authorization, tier, start.Add(wait)); err != nil {
				t.Errorf("after the wait: %v", err)
			}
		})
	}
}

func TestRepeatedRefusalCostsNoCall(t *testing.T) {
	t.Parallel()
	var calls cloudtest.Calls
	_, table := cloudtest.Database(t, topology.Accounts, calls.Hook)
	g := apikey.NewChecker(table, live)
	tier := contract.Tier{Name: "default", Limit: 1}
	authorization, _ := storeKey(t, table, nil)
	calls.Reset()
	for i, want := range []int{1, 1, 0, 0} { // admitted, refused, remembered twice
		_, err := g.Authenticate(t.Context(), authorization, tier, start)
		if got := calls.Reset(); len(got) != want {
			t.Errorf("request %d: %v, error %v; want %d calls", i+1, got, err, want)
		}
	}
	if _, err := g.Authenticate(t.Context(), authorization, contract.WriteTier, start); err != nil {
		t.Errorf("the other tier: %v", err)
	}
	if _, err := g.Authenticate(t.Context(), authorization, tier, start.Add(40*time.Second)); err != nil {
		t.Errorf("the next window: %v", err)
	}
}

func TestLostAnswerIsNeitherCountedTwiceNorRefused(t *testing.T) {
	t.Parallel()
	for _, lost := range []int{1, 2} { // the second is the last that the limit allows
		t.Run(strconv.Itoa(lost), func(t *testing.T) {
			t.Parallel()
			_, table := cloudtest.Database(t, topology.Accounts, cloudtest.Lose("UpdateItem", lost, cloudtest.Lost{}))
			g := apikey.NewChecker(table, live)
			tier := contract.Tier{Name: "default", Limit: 2}
			authorization, _ := storeKey(t, table, nil)
			for i, want := range []contract.Code{"", "", contract.RateLimited} {
				a, err := g.Authenticate(t.Context(), authorization, tier, start)
				if codeOf(err) != want || a.Remaining != max(0, 1-i) {
					t.Errorf("request %d: %d left, error %v; want %d, %q", i+1, a.Remaining, err, max(0, 1-i), want)
				}
			}
		})
	}
}

func TestFailingDatabaseIsAFaultOfOurs(t *testing.T) {
	t.Parallel()
	down := errors.New("down")
	db, _ := cloudtest.Database(t, topology.Accounts)
	_, table := cloudtest.Database(t, topology.Accounts, func(context.Context, cloud.Call, func() error) error { return down })
	for name, table := range map[string]dynamo.Table{"down": table, "no such table": db.Table("missing")} {
		_, err := apikey.NewChecker(table, live).Authenticate(t.Context(), "Bearer "+newKey(t, "live"), contract.DefaultTier, start)
		if err == nil || fault.As(err).Kind != fault.Internal {
			t.Errorf("%s: got %v, want an internal fault", name, err)
		}
	}
}

// TestItemStaysSmall uses a key in both tiers for five hours, and now and then
// not at all.
func TestItemStaysSmall(t *testing.T) {
	t.Parallel()
	var calls cloudtest.Calls
	_, table := cloudtest.Database(t, topology.Accounts, calls.Hook)
	g := apikey.NewChecker(table, live)
	authorization, hash := storeKey(t, table, nil)
	pk, sk := apikey.RecordKey(hash)
	requests := 0
	calls.Reset()
	for minute := range 300 {
		if minute%7 == 6 {
			continue
		}
		now := start.Add(time.Duration(minute) * time.Minute)
		for _, tier := range []contract.Tier{contract.DefaultTier, contract.WriteTier, contract.DefaultTier} {
			if _, err := g.Authenticate(t.Context(), authorization, tier, now); err != nil {
				t.Fatal(err)
			}
			requests++
		}
	}
	made := len(calls.Reset())
	if made-requests > requests/10 {
		t.Errorf("%d calls for %d requests: the sweep is not rare", made, requests)
	}
	var item map[string]any
	if err := table.Get("pk", pk).Range("sk", dynamo.Equal, sk).One(t.Context(), &item); err != nil {
		t.Fatal(err)
	}
	if size := sizeOf(t, item); size > 1024 {
		t.Errorf("the item has %d bytes after five hours", size)
	} else {
		t.Logf("%d calls for %d requests; item of %d bytes", made, requests, size)
	}
}

// sizeOf is the item's size as DynamoDB counts it, to a few bytes.
func sizeOf(t *testing.T, item map[string]any) int {
	t.Helper()
	size := 0
	for name, value := range item {
		size += len(name)
		switch v := value.(type) {
		case string:
			size += len(v)
		case []any:
			size += 3
			for _, e := range v {
				size += 1 + len(e.(string))
			}
		default:
			size += 9
		}
	}
	return size
}
