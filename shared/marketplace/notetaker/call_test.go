package notetaker_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/identity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/notetaker"
)

// TestPut lists calls that have a transcript, whose text lies in the bucket: one
// object, the newest version's, and none after the call.
func TestPut(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	now := time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
	h := cloudtest.System(t, nil, func() time.Time { return now })
	table := h.Opener().Table(topology.Marketplace)
	bucket := objectstore.Open(h.Opener(), topology.MarketplaceBucket)
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
		before, wasThere, err := s.Call(ctx, "rec1", "c1")
		if err != nil {
			t.Fatal(err)
		}
		if step.call != nil {
			step.call.RecruiterID = "rec1"
			step.call.ScheduledAt = contract.At(now)
		}
		if err := s.Put(ctx, "c1", entity.Stamp{Version: step.version, At: now}, step.call); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Transcript(ctx, before); wasThere && step.call == nil && fault.As(err).Kind != fault.NotFound {
			t.Errorf("%s: the transcript of a call that was read before: %v", step.name, err)
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

// A speaker who is no participant is found by an erasure too. The addresses of speakers beyond what a transaction can hold are not stored.
func TestSpeakersCanBeErased(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	now := time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
	h := cloudtest.System(t, nil, func() time.Time { return now })
	bucket := objectstore.Open(h.Opener(), topology.MarketplaceBucket)
	entities := entity.NewStore(cloudtest.TableOf(t, h, topology.Marketplace), dynamo.New(h.AWS).WriteTx)
	c := notetaker.Call{
		RecruiterID: "rec1", ScheduledAt: contract.At(now), Participants: []contract.CallParticipant{{Email: "speaker0@example.com"}},
		Transcript: &notetaker.Transcript{Segments: []notetaker.Segment{{Text: "Nobody"}, {Text: "No address", SpeakerEmail: new("Ada")}}},
	}
	const speakers = 100
	for n := range 2 * speakers {
		c.Transcript.Segments = append(c.Transcript.Segments, notetaker.Segment{Text: "Hello", SpeakerEmail: new(fmt.Sprintf("speaker%d@example.com", n%speakers))})
	}
	if err := notetaker.NewStore(entities, bucket).Put(ctx, "c1", entity.Stamp{Version: 1, At: now}, &c); err != nil {
		t.Fatal(err)
	}
	stored, err := bucket.Get(ctx, "transcripts/calls/c1/1", 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for n := range speakers {
		address := fmt.Sprintf("speaker%d@example.com", n)
		there := false
		for range entities.Copies(ctx, identity.Hash(address)) {
			there = true
			found++
		}
		if got := strings.Count(string(stored), `"`+address+`"`) > 0; got != there {
			t.Errorf("the address of speaker %d is stored: %t; an erasure finds it: %t", n, got, there)
		}
	}
	for i := range c.Transcript.Segments {
		c.Transcript.Segments[i].SpeakerEmail = new(fmt.Sprintf("other%d@example.com", i))
	}
	if err := notetaker.NewStore(entities, bucket).Put(ctx, "c1", entity.Stamp{Version: 2, At: now}, &c); err != nil {
		t.Errorf("other speakers: %v", err)
	}
	if found != 45 || *c.Transcript.Segments[len(c.Transcript.Segments)-1].SpeakerEmail == "" {
		t.Errorf("%d speakers can be erased, want 45", found)
	}
}

// A call has no condition on an assistant that takes part in every call of the marketplace, and an
// event that changes the call does not write its participants again.
func TestSharedParticipants(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	now := time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
	var actions []string
	db, table := cloudtest.Database(t, topology.Marketplace, func(_ context.Context, call cloud.Call, send func() error) error {
		if in, ok := call.Input.(*dynamodb.TransactWriteItemsInput); ok {
			actions = nil
			for _, item := range in.TransactItems {
				switch {
				case item.ConditionCheck != nil:
					actions = append(actions, "condition")
				case item.Put != nil:
					actions = append(actions, "put "+item.Put.Item[topology.PK].(*types.AttributeValueMemberS).Value[:2])
				}
			}
		}
		return send()
	})
	s := notetaker.NewStore(entity.NewStore(table, db.WriteTx), objectstore.Bucket{})
	c := notetaker.Call{RecruiterID: "rec1", ScheduledAt: contract.At(now)}
	for i := range 30 {
		c.Participants = append(c.Participants, contract.CallParticipant{Email: fmt.Sprintf("p%d@example.com", i)})
	}
	for version, want := range [][]string{append([]string{"put L#"}, slices.Repeat([]string{"put H#"}, 30)...), {"put L#"}} {
		if err := s.Put(ctx, "c1", entity.Stamp{Version: int64(version + 1), At: now}, &c); err != nil || !slices.Equal(actions, want) {
			t.Errorf("version %d: %v by the actions %q, want %q", version+1, err, actions, want)
		}
	}
}
