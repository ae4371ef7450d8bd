package system_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// An erasure by any one of a person's identities, even a former one, removes all of them from every
// table and bucket, even if its process dies several times. A person who is submitted again gets a
// new candidateUserId.
func TestAnErasureByOneHashSurvivesCrashes(t *testing.T) {
	t.Parallel()
	const slug, formerEmail = "noor-example", "noor.former@example.com"
	p := person{priya.file, priya.name, "noor.now@example.com", slug}
	former := person{priya.file, priya.name, formerEmail, slug}
	for name, canonical := range map[string]string{
		"LinkedIn": "https://www.linkedin.com/in/" + slug, "e-mail": p.email, "former e-mail": formerEmail,
	} {
		for _, dies := range []bool{false, true} {
			t.Run(fmt.Sprint(name, ", dies ", dies), func(t *testing.T) {
				t.Parallel()
				s := newManualSystem(t)
				for _, who := range []person{former, p} {
					_, err := s.newAgencyClient().Submit(t.Context(), newSubmitRequest(t, who, ""))
					must(t, err)
					s.runWorkers()
					s.advanceClock(time.Minute)
				}
				in := bulkItem(t, s, s.newAgencyKey(), p)
				in.RecruiterEmail = new(demo.MemberEmail)
				s.submitBulk(s.newAgencyKey(), contract.BulkRequest{Items: []contract.BulkItem{in}})
				before := s.membershipIDs(p.email)
				if len(before) != 1 || len(s.storedTraces(p, slug)) < 8 {
					t.Fatalf("got the memberships %v; want one, and more of the person", before)
				}
				e := s.newEraser(p, slug)
				e.event = s.newErasure("person-noor", canonical)
				if dies {
					s.dieInErasures(p, e.event)
				}
				if !e.eraseOnce() {
					t.Fatal("the erasure is not complete")
				}
				if left := append(s.storedTraces(p, slug), s.storedTraces(former, slug)...); len(left) > 0 {
					t.Errorf("%q is left", left)
				}
				s.checkObjects()
				s.takeMessages()
				s.advanceClock(time.Minute)
				_, err := s.newAgencyClient().Submit(t.Context(), newSubmitRequest(t, p, ""))
				must(t, err)
				s.runWorkers()
				if after := s.membershipIDs(p.email); len(after) != 1 || after[0] == before[0] {
					t.Errorf("the person's new ids are %v; the erased ones were %v", after, before)
				}
				if !e.eraseOnce() || len(s.membershipIDs(p.email)) != 1 {
					t.Error("a repeated erasure affects a person who was submitted again")
				}
			})
		}
	}
}

// dieInErasures delivers the event of an erasure again and again. Each time the process dies at a
// later call, until an erasure makes fewer calls.
func (s *manualSystem) dieInErasures(p person, event string) {
	s.t.Helper()
	for n, died := 1, true; died; n += 3 {
		var m callTrigger
		dying := s.newEraser(p, p.slug, m.onCall)
		dying.event = event
		m.armAt(n, true, func() {})
		dying.eraseOnce()
		died = m.wasReached()
	}
}
