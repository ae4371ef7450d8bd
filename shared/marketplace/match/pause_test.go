package match_test

import (
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/match"
)

// A pause that cannot be decoded counts as none, and the next sweep stores it anew. It reads no more rows than it needs to decide.
func TestBrokenPauseIsStoredAnew(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	_, err := d.entities.Set(t.Context(), entity.KeyOf(itemkey.MatchPause, "rec1"), 1, "no pause")
	d.must(err)
	if got, err := d.Paused(t.Context(), "rec1"); got != nil || err != nil {
		t.Errorf("paused: %v, %v; want nothing", got, err)
	}
	for _, id := range []string{"m1", "m2", "m3"} {
		d.putMatch(id, 1, contract.MatchStatusPending)
	}
	beyond := entity.Change{Key: entity.Key{PK: "other", SK: "other"}, Stamp: entity.Stamp{Version: 1, At: sent}}
	beyond.Next = func(entity.State) (entity.NewState, error) {
		return entity.NewState{Rows: []entity.Row{entity.RowOf(itemkey.UnresolvedMatch, "no match", "rec1", "cand2", "r1", "m4")}}, nil
	}
	_, err = d.entities.Apply(t.Context(), beyond)
	d.must(err)
	due := sent.Add(match.ExpiryPeriod)
	d.expireMatches(due)
	if got, err := d.Paused(t.Context(), "rec1"); err != nil || got == nil || !got.Since.Equal(due) {
		t.Errorf("paused: %v, %v; want it since %v", got, err, due)
	}
}
