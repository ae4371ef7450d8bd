package feed_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

const secretName = "Wilhelmina Testperson"

// person is every kind of copy of one person, at version v.
func person(v int64, at time.Time) []string {
	candidate := object{
		"recruiterId": "rec1", "candidateId": "cand1", "name": secretName, "email": "Wilhelmina@Example.com",
		"linkedinUrl": "https://de.linkedin.com/in/wilhelmina-t/?x=1", "relationshipStatus": "SOURCED", "addedAt": "2026-01-01T00:00:00Z",
	}
	other := object{}
	for k, value := range candidate {
		other[k] = value
	}
	other["recruiterId"] = "rec2"
	return []string{
		eventAt("crmCandidate.upserted", "rec1/cand1", v, at, candidate),
		eventAt("crmCandidate.upserted", "rec2/cand1", v, at, other),
		eventAt("application.upserted", "app1", v, at, object{
			"roleId": "r1", "recruiterId": "rec1", "agencyId": "agy1", "candidateId": "cand1", "candidateName": secretName,
			"candidateLinkedinUrl": "https://www.linkedin.com/in/wilhelmina-t", "status": "OFFER", "submittedAt": "2026-01-01T00:00:00Z",
		}),
		eventAt("match.upserted", "match1", v, at, object{
			"recruiterId": "rec1", "roleId": "r1", "status": "pending", "sentAt": "2026-01-01T00:00:00Z",
			"candidate": object{"candidateId": "cand1", "name": secretName, "email": "wilhelmina@example.com"},
		}),
		eventAt("call.upserted", "call1", v, at, object{
			"recruiterId": "rec1", "title": "With " + secretName, "scheduledAt": "2026-01-01T00:00:00Z", "url": "https://app.example.com/c", "updatedAt": "2026-01-01T00:00:00Z",
			"participants": []object{{"email": "wilhelmina@example.com", "name": secretName}},
			"transcript":   object{"segments": []object{{"text": "I am " + secretName}}},
		}),
	}
}

func erasure(at time.Time) string {
	return eventAt("person.erased", "person1", 1, at, object{"identityHashes": []string{
		identity.Hash("wilhelmina@example.com"), identity.Hash("https://www.linkedin.com/in/wilhelmina-t"),
	}})
}

// countTraces counts the items and objects with data of the person.
func (b testFeed) countTraces(t *testing.T) (count int) {
	t.Helper()
	for key, item := range b.readState(t) {
		body, err := json.Marshal(item)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(key+string(body), secretName) || strings.Contains(strings.ToLower(string(body)), "wilhelmina") {
			count++
		}
	}
	return count + len(b.objects(t))
}

// Of the persons who share an e-mail address, an erasure by a LinkedIn URL removes one, and one by
// the address all.
func TestErasureOfASharedAddress(t *testing.T) {
	t.Parallel()
	const persons = 12
	b := newTestFeed(t)
	at := now.Add(-time.Hour)
	for n := range persons {
		b.apply(t, eventAt("membership.addedByRoleSubmission", fmt.Sprint("cu_", n), 1, at, object{
			"agencyId": "agy1", "recruiterId": "rec1", "name": "Ada Example", "email": "shared@example.com",
			"linkedinUrl": fmt.Sprintf("https://www.linkedin.com/in/sharer-%d", n),
		}))
	}
	store := b.networkStore(t)
	for version, tt := range []struct {
		identity string
		left     int
	}{{"https://www.linkedin.com/in/sharer-11", persons - 1}, {"https://www.linkedin.com/in/sharer-0", persons - 2}, {"shared@example.com", 0}} {
		b.apply(t, eventAt("person.erased", fmt.Sprint("person-", version), 1, at.Add(time.Minute), object{"identityHashes": []string{identity.Hash(tt.identity)}}))
		left := 0
		for n := range persons {
			_, found, err := store.Membership(t.Context(), fmt.Sprint("cu_", n))
			if err != nil {
				t.Fatal(err)
			}
			if found {
				left++
			}
		}
		if left != tt.left {
			t.Errorf("after the erasure of %s %d memberships are left, want %d", tt.identity, left, tt.left)
		}
	}
}

// An erasure removes every copy, whenever it arrived, and keeps a receipt. A person who is sent
// after the erasure is stored again.
func TestErasure(t *testing.T) {
	t.Parallel()
	b := newTestFeed(t)
	erasedAt := now.Add(-time.Minute)
	b.apply(t, person(1, erasedAt.Add(-time.Hour))...)
	if got := b.countTraces(t); got < 10 {
		t.Fatalf("only %d copies to erase", got)
	}
	b.apply(t, erasure(erasedAt))
	if got := b.countTraces(t); got != 0 {
		t.Errorf("%d copies are left", got)
	}
	b.apply(t, person(2, erasedAt.Add(-time.Second))...)
	if got := b.countTraces(t); got != 0 {
		t.Errorf("late events brought %d copies back", got)
	}
	table := b.host.Opener().Table(topology.Marketplace)
	var receipt struct {
		Body []byte `dynamo:"body"`
	}
	if err := table.Get(topology.PK, "E#person1").Range(topology.SK, dynamo.Equal, "E").One(t.Context(), &receipt); err != nil || !strings.Contains(string(receipt.Body), `"crmCandidates":2`) {
		t.Errorf("receipt %s, %v", receipt.Body, err)
	}
	b.apply(t, person(3, now)...)
	if got := b.countTraces(t); got < 10 {
		t.Errorf("only %d copies of the person who came back", got)
	}
}

// An erasure covers events up to its time and no later ones, in whatever order it and the events arrive, and
// when it is repeated.
func TestAnErasureKeepsWhatHappenedAfterIt(t *testing.T) {
	t.Parallel()
	erasedAt := now.Add(-time.Hour)
	before := person(1, erasedAt.Add(-time.Minute))
	again := append(person(2, erasedAt.Add(time.Minute)), eventAt("membership.addedByRoleSubmission", "cu_1", 1, erasedAt.Add(time.Minute), object{
		"agencyId": "agy1", "recruiterId": "rec1", "name": secretName, "email": "wilhelmina@example.com", "linkedinUrl": "https://www.linkedin.com/in/wilhelmina-t",
	}))
	erased := []string{erasure(erasedAt)}
	came := newTestFeed(t)
	came.apply(t, again...)
	want := came.countTraces(t)
	for name, order := range map[string][][]string{
		"the erasure second": {before, erased, again}, "the erasure first": {erased, before, again}, "the erasure last": {before, again, erased},
		"the past last": {erased, again, before}, "backwards": {again, erased, before}, "the past between": {again, before, erased},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newTestFeed(t)
			for _, events := range append(order, erased) {
				b.apply(t, events...)
			}
			if got := b.countTraces(t); got != want {
				t.Errorf("there are %d copies; want the %d of the person who came back", got, want)
			}
			if _, found, err := b.networkStore(t).Membership(t.Context(), "cu_1"); err != nil || !found {
				t.Errorf("the membership is there: %t, %v", found, err)
			}
		})
	}
}

// An erasure that fails for one entity of a person erases all else that it finds, and is not finished.
func TestAFailedErasureErasesTheRest(t *testing.T) {
	t.Parallel()
	refused := errors.New("refused")
	var refuses atomic.Bool
	application, _ := itemkey.Application.Key("app1")
	b := newTestFeed(t, func(_ context.Context, call cloud.Call, send func() error) error {
		in, isTransaction := call.Input.(*dynamodb.TransactWriteItemsInput)
		if refuses.Load() && isTransaction && in.TransactItems[0].Update != nil && fmt.Sprint(in.TransactItems[0].Update.Key[topology.PK]) == fmt.Sprint(&types.AttributeValueMemberS{Value: application}) {
			return refused
		}
		return send()
	})
	b.apply(t, append(person(1, now.Add(-time.Hour)), eventAt("membership.addedByRoleSubmission", "cu_1", 1, now.Add(-time.Hour), object{
		"agencyId": "agy1", "recruiterId": "rec1", "name": secretName, "email": "wilhelmina@example.com", "linkedinUrl": "https://www.linkedin.com/in/wilhelmina-t",
	}))...)
	byProfile := eventAt("person.erased", "person1", 1, now, object{"identityHashes": []string{identity.Hash("https://www.linkedin.com/in/wilhelmina-t")}})
	refuses.Store(true)
	if _, err := b.Apply(t.Context(), byProfile); !errors.Is(err, refused) {
		t.Fatalf("got %v", err)
	}
	for key, item := range b.readState(t) {
		body, err := json.Marshal(item)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(body), secretName) && strings.Contains(key, "#cand1") && !strings.HasSuffix(key, "#app1") {
			t.Errorf("it kept %q", key)
		}
	}
	if _, found := b.membership(t, "cu_1"); found {
		t.Error("the membership is there")
	}
	refuses.Store(false)
	b.apply(t, byProfile)
	if got := b.countTraces(t); got != 0 {
		t.Errorf("%d copies are left", got)
	}
}

// TestErasureMeetsWrites erases while the copies are being written: none is left.
func TestErasureMeetsWrites(t *testing.T) {
	t.Parallel()
	b := newTestFeed(t)
	at := now.Add(-time.Hour)
	b.apply(t, append(append(person(1, at), erasure(now)), person(2, at)...)...)
	if got := b.countTraces(t); got != 0 {
		t.Errorf("%d copies are left", got)
	}
}
