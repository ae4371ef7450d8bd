package system_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// erasedReference and keptReference are in the client references of the erased person and of
// another one.
const erasedReference, keptReference = "of.erased.person@example.com", "of.another@example.com"

// referenceSystem submits two persons with client references.
type referenceSystem struct {
	*manualSystem
	key     string
	batches []string
	sent    int
}

// submitSingle submits the person with a resume of a content.
func (s *referenceSystem) submitSingle(content string) {
	s.t.Helper()
	in := newSubmitRequest(s.t, priya, "")
	in.IdempotencyKey = fmt.Sprint("attempt-", s.sent)
	in.ClientReferenceID = new(s.nextReference())
	in.Resume.ContentBase64 = base64.StdEncoding.EncodeToString([]byte(content))
	out, err := s.newAgencyClient().Submit(s.t.Context(), in)
	must(s.t, err)
	s.batches = append(s.batches, out.BatchID)
}

// submitBoth submits the person twice, and the other one, in one batch.
func (s *referenceSystem) submitBoth(content string) {
	s.t.Helper()
	first := bulkItem(s.t, s.manualSystem, s.key, priya)
	other := bulkItem(s.t, s.manualSystem, s.key, jonas)
	if content != "" {
		first.Resume.ResumeFileID = s.uploadResume(s.key, content).ResumeFileID
	}
	second := first
	first.ClientReferenceID = new(s.nextReference())
	second.ClientReferenceID = new(s.nextReference())
	other.ClientReferenceID = new(keptReference)
	out := s.submitBulk(s.key, contract.BulkRequest{Items: []contract.BulkItem{first, other, second}})
	if got := out.Items[2].Status; got != contract.BulkDeduplicated {
		s.t.Fatalf("the repeated item is %s, want deduplicated", got)
	}
	s.batches = append(s.batches, out.BatchID)
}

func (s *referenceSystem) nextReference() string {
	s.sent++
	return strings.Repeat("+", s.sent) + erasedReference
}

// storedReferences returns the items that contain a reference.
func (s *referenceSystem) storedReferences(reference string) (all []string) {
	s.t.Helper()
	for _, table := range topology.Tables {
		for _, item := range s.storedItems(table, "") {
			if strings.Contains(fmt.Sprintf("%s", item), reference) {
				all = append(all, table.Name+" "+item[topology.PK].(string)+" "+item[topology.SK].(string))
			}
		}
	}
	return all
}

// readAnswers returns the answers that contain client references.
func (s *referenceSystem) readAnswers() string {
	s.t.Helper()
	paths := []string{"/talent-network/batches", "/talent-network/changes"}
	for _, id := range s.batches {
		paths = append(paths, "/talent-network/batches/"+id)
	}
	var all strings.Builder
	for _, path := range paths {
		all.WriteString(s.sendRequest("GET", path, s.key, nil).body)
	}
	return all.String()
}

// submitAll leaves submissions of the person with every end, and one that waits. Of their changes
// some have numbers already.
func (s *referenceSystem) submitAll() {
	s.t.Helper()
	unreadable := "%PDF-1.7\nno page"
	for _, submit := range []func(){
		func() { s.submitBoth("") },                     // succeeds, and its resume is replaced
		func() { s.submitSingle(readPriyaResume(s.t)) }, // succeeds
		func() { s.submitSingle(unreadable) },           // fails
		func() { s.submitBoth(unreadable) },             // fails
	} {
		submit()
		s.runWorkers()
		s.advanceClock(time.Minute)
	}
	s.readAnswers()
	s.submitSingle(unreadable) // times out
	s.takeMessages()
	s.advanceClock(5 * time.Hour)
	must(s.t, s.Sweep(s.t.Context()))
	s.submitBoth("") // waits
	s.advanceClock(time.Minute)
	if answers := s.readAnswers(); strings.Count(answers, erasedReference) < s.sent || !strings.Contains(answers, keptReference) {
		s.t.Fatalf("got %s", answers)
	}
}

// An erasure by any one identity removes the client references of all the person's submissions,
// however they ended and whether or not they have, from all tables and answers, even if its process
// dies several times. Those of another person in the same batch stay.
func TestErasureRemovesReferences(t *testing.T) {
	t.Parallel()
	for name, canonical := range map[string]string{"e-mail": priya.email, "LinkedIn": "https://www.linkedin.com/in/" + priya.slug} {
		for _, dies := range []bool{false, true} {
			t.Run(fmt.Sprint(name, ", dies ", dies), func(t *testing.T) {
				t.Parallel()
				s := &referenceSystem{manualSystem: newManualSystem(t)}
				s.key = s.newAgencyKey()
				s.submitAll()
				kept := s.storedReferences(keptReference)
				e := s.newEraser(priya, priya.slug)
				e.event = s.newErasure("person-priya", canonical)
				if dies {
					s.dieInErasures(priya, e.event)
				}
				if !e.eraseOnce() {
					t.Fatal("the erasure is not complete")
				}
				if left := s.storedReferences(erasedReference); len(left) > 0 {
					t.Errorf("the erased references are in %q", left)
				}
				if answers := s.readAnswers(); strings.Contains(answers, erasedReference) || !strings.Contains(answers, keptReference) {
					t.Errorf("after the erasure: %s", answers)
				}
				if left := s.storedReferences(keptReference); len(left) != len(kept) {
					t.Errorf("the other person's references are in %q, and were in %q", left, kept)
				}
				if item := s.readBatch(demo.AgencyID, s.batches[0]).Items[1]; item.ClientReferenceID != keptReference {
					t.Errorf("got %+v", item)
				}
			})
		}
	}
}
