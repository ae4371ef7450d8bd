package sweep_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/functions/sweep"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/match"
)

// MATCH_PAUSE_LIMIT says how many unresolved matches pause auto-match.
func TestPauseLimit(t *testing.T) {
	t.Parallel()
	for setting, limit := range map[string]int{"": sweep.DefaultPauseLimit, "2": 2, "0": 1} {
		t.Run(setting, func(t *testing.T) {
			t.Parallel()
			host := cloudtest.System(t, map[string]string{topology.SettingPauseLimit: setting}, func() time.Time { return sent.Add(match.ExpiryPeriod) })
			host.Log = slog.New(slog.DiscardHandler)
			table := host.Opener().Table(topology.Marketplace)
			s, err := sweep.New(t.Context(), host)
			if err != nil {
				t.Fatal(err)
			}
			entities := entity.NewStore(table, dynamo.New(host.AWS).WriteTx)
			store := match.NewStore(entities)
			for n := range limit {
				m := newPendingMatch(n, 1)
				m.RecruiterID = "rec"
				if err := store.Put(t.Context(), matchID(n), entity.Stamp{Version: 1, At: sent}, m); err != nil {
					t.Fatal(err)
				}
				r, err := s.Handle(t.Context())
				if r != (sweep.Result{Expired: 1}) || err != nil {
					t.Errorf("got %+v, %v; want one expired", r, err)
				}
				_, mark, err := entity.Read[match.Pause](t.Context(), entities, entity.KeyOf(itemkey.MatchPause, "rec"))
				if want := n+1 == limit; mark.Since.IsZero() == want || err != nil {
					t.Errorf("after %d: paused %v, %v; want %v", n+1, mark, err, want)
				}
			}
		})
	}
	host := cloudtest.System(t, map[string]string{topology.SettingPauseLimit: "many"}, time.Now)
	if _, err := sweep.New(t.Context(), host); err == nil {
		t.Error("a limit that is no number was accepted")
	}
}
