package notetaker_test

import (
	"context"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/notetaker"
)

// TestPut lists calls that have a transcript, whose text lies in the bucket: one
// object, the newest version's, and none after the call.
func TestPut(t *testing.T) {
	t.Parallel()
	ctx, now := context.Background(), time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
	h := cloudtest.System(t, nil, func() time.Time { return now })
	table, err := h.Table(topology.Marketplace)
	if err != nil {
		t.Fatal(err)
	}
	bucket, err := h.Bucket(topology.MarketplaceBucket)
	if err != nil {
		t.Fatal(err)
	}
	entities := entity.NewStore(table, dynamo.New(h.AWS).WriteTx)
	s := notetaker.NewStore(entities, bucket)
	with := &notetaker.Transcript{Segments: []notetaker.Segment{{Text: "Hello"}}}
	steps := []struct {
		name         string
		version      int64
		call         *notetaker.Call
		listed       int
		there, never string
	}{
		{"without a transcript", 1, &notetaker.Call{}, 0, "", "transcripts/calls/c1/1"},
		{"with one", 3, &notetaker.Call{Transcript: with}, 1, "transcripts/calls/c1/3", ""},
		{"an older one", 2, &notetaker.Call{Transcript: with}, 1, "transcripts/calls/c1/3", "transcripts/calls/c1/2"},
		{"a newer one", 4, &notetaker.Call{Transcript: with}, 1, "transcripts/calls/c1/4", "transcripts/calls/c1/3"},
		{"deleted", 5, nil, 0, "", "transcripts/calls/c1/4"},
	}
	for _, step := range steps {
		if step.call != nil {
			step.call.RecruiterID, step.call.ScheduledAt = "rec1", contract.At(now)
		}
		if err := s.Put(ctx, "c1", entity.Stamp{Version: step.version, At: now}, step.call); err != nil {
			t.Fatal(err)
		}
		listed := 0
		for row, err := range entities.Query(ctx, entity.Query{PK: "U#rec1", Prefix: "L#"}) {
			var c notetaker.Call
			if err != nil || row.Into(&c) != nil || c.Transcript != nil {
				t.Fatalf("%+v, %v", c, err)
			}
			listed++
		}
		if listed != step.listed {
			t.Errorf("%s: %d listed", step.name, listed)
		}
		if _, err := bucket.Get(ctx, step.there, 1000); step.there != "" && err != nil {
			t.Errorf("%s: %v", step.name, err)
		}
		if _, err := bucket.Get(ctx, step.never, 1000); step.never != "" && err == nil {
			t.Errorf("%s: %s is there", step.name, step.never)
		}
	}
}
