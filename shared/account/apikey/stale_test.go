package apikey_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// TestStaleCountersAreRemoved fails unless the first request of a minute, and no other, removes the counters of minutes that are over by
// every clock, once there are eight of them.
func TestStaleCountersAreRemoved(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		newest   int // minutes since the newest of the counters
		counters int
		earlier  int // requests in the minute before the counters are there
		left     int
	}{
		"seven":               {3, 7, 0, 7},
		"eight":               {3, 8, 0, 0},
		"one may be current":  {2, 8, 0, 8},
		"one of nine may be":  {2, 9, 0, 1},
		"a hundred and three": {3, 103, 0, 3},
		"the second request":  {3, 8, 1, 8},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, table := cloudtest.Database(t, topology.Accounts)
			authorization, hash := storeKey(t, table, nil)
			request := func() {
				t.Helper()
				if _, err := apikey.NewChecker(table, live).Authenticate(t.Context(), authorization, contract.DefaultTier, start); err != nil {
					t.Fatal(err)
				}
			}
			for range test.earlier {
				request()
			}
			pk, sk := apikey.RecordKey(hash)
			minute := int(start.Unix() / int64(time.Minute/time.Second))
			update := table.Update(topology.PK, pk).Range(topology.SK, sk)
			for i := range test.counters {
				update.Set(fmt.Sprint("w", minute-test.newest-i), 7)
			}
			if err := update.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			request()
			var item map[string]any
			if err := table.Get(topology.PK, pk).Range(topology.SK, dynamo.Equal, sk).One(t.Context(), &item); err != nil {
				t.Fatal(err)
			}
			left := 0
			for i := range test.counters {
				if item[fmt.Sprint("w", minute-test.newest-i)] != nil {
					left++
				}
			}
			if left != test.left {
				t.Errorf("%d of %d counters are left, want %d", left, test.counters, test.left)
			}
		})
	}
}
