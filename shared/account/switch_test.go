package account_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// switchAgency applies a new version of the agency, with API access on or off.
func (s testStore) switchAgency(t testing.TB, on bool) {
	t.Helper()
	a := newAgency()
	a.APIAccess = on
	s.applyAgency(t, 1+serial.Add(1), a)
}

func TestSwitchingAnAgencySwitchesItsKeys(t *testing.T) {
	t.Parallel()
	s := newTestStore(t)
	var kept []newKey
	for range 50 {
		in := newRequest(agencyKeys)
		s.mustCreate(t, in)
		kept = append(kept, in)
	}
	revoked := kept[0]
	for range 2 { // each is safe to repeat
		s.switchAgency(t, false)
	}
	for _, in := range kept {
		if !s.keyRecord(t, in.Hash).Disabled {
			t.Errorf("%s works in a switched-off agency", in.ID)
		}
	}
	if _, err := s.RevokeKey(t.Context(), agencyKeys, "owner", revoked.ID, start); err != nil {
		t.Errorf("revoking while switched off: %v", err)
	}
	for range 2 {
		s.switchAgency(t, true)
	}
	for _, in := range kept[1:] {
		if s.keyRecord(t, in.Hash).Disabled {
			t.Errorf("%s does not work again", in.ID)
		}
	}
	if s.keyRecord(t, revoked.Hash).RevokedAt == 0 {
		t.Error("the key that was revoked by hand came back")
	}
}

// Each key stores whether the agency has Talent Network access, including a key that is created
// without it; the other routes stay open.
func TestSwitchingNetworkAccessSwitchesTheKeys(t *testing.T) {
	t.Parallel()
	s := newTestStore(t)
	switchAccess := func(version int64, on bool) {
		a := newAgency()
		a.TalentNetworkAccess = on
		s.applyAgency(t, version, a)
	}
	before := newRequest(agencyKeys)
	without := newRequest(agencyKeys)
	s.mustCreate(t, before)
	switchAccess(2, false)
	s.mustCreate(t, without)
	for _, on := range []bool{false, true} {
		if on {
			switchAccess(3, true)
			switchAccess(2, false) // late: it changes nothing
		}
		for _, in := range []newKey{before, without} {
			if got := s.keyRecord(t, in.Hash); got.NetworkOff == on || got.Disabled {
				t.Errorf("access %v: got %+v", on, got)
			}
		}
	}
}

// An agency's keys have the id of its primary owner, including keys created before the owner
// changed and disabled keys.
func TestKeysHaveThePrimaryOwner(t *testing.T) {
	t.Parallel()
	s := newTestStore(t)
	before := newRequest(agencyKeys)
	after := newRequest(agencyKeys)
	personal := newRequest(personalKeys)
	s.mustCreate(t, before)
	s.mustCreate(t, personal)
	for version, owner := range []string{"owner", "departed", "", "member"} {
		a := newAgency()
		a.PrimaryOwner = owner
		a.APIAccess = owner != ""
		s.applyAgency(t, int64(version+2), a)
		if owner == "departed" {
			s.mustCreate(t, after)
		}
		if got := s.keyRecord(t, before.Hash).PrimaryOwner; got != owner {
			t.Errorf("a key has the primary owner %q; want %q", got, owner)
		}
	}
	if got := s.keyRecord(t, after.Hash).PrimaryOwner; got != "member" {
		t.Errorf("a later key has the primary owner %q; want %q", got, "member")
	}
	if got := s.keyRecord(t, personal.Hash).PrimaryOwner; got != "" {
		t.Errorf("a personal key has the primary owner %q", got)
	}
}

func TestSwitchingARecruiterSwitchesTheirKeysAlone(t *testing.T) {
	t.Parallel()
	s := newTestStore(t)
	mine := newRequest(personalKeys)
	theirs := newRequest(agencyKeys)
	revoked := newRequest(personalKeys)
	s.mustCreate(t, mine)
	s.mustCreate(t, theirs)
	s.mustCreate(t, revoked)
	if _, err := s.RevokeKey(t.Context(), personalKeys, personalKeys.ID, revoked.ID, start); err != nil {
		t.Fatal(err)
	}
	r := newRecruiter()
	for n, to := range []struct{ canRecruit, personalKeys bool }{{false, true}, {true, true}, {true, false}, {false, false}, {true, false}, {true, true}} {
		r.CanRecruit = to.canRecruit
		r.PersonalKeys = to.personalKeys
		s.applyRecruiter(t, int64(n+2), r)
		if got, want := s.keyRecord(t, mine.Hash).Disabled, !to.canRecruit || !to.personalKeys; got != want {
			t.Errorf("%+v: the key is disabled: %v", to, got)
		}
		if s.keyRecord(t, theirs.Hash).Disabled {
			t.Error("the agency's key was disabled")
		}
		if s.keyRecord(t, revoked.Hash).RevokedAt == 0 {
			t.Errorf("%+v: the key that was revoked by hand came back", to)
		}
	}
}

func TestStaleSwitchIsDropped(t *testing.T) {
	t.Parallel()
	s := newTestStore(t)
	in := newRequest(agencyKeys)
	s.mustCreate(t, in)
	a := newAgency()
	s.applyAgency(t, 3, a)
	a.APIAccess = false
	s.applyAgency(t, 2, a)
	if s.keyRecord(t, in.Hash).Disabled {
		t.Error("an older version switched the agency off")
	}
}

// TestVersionsAtOnce: however they meet, the last version stands, and the keys
// follow it.
func TestVersionsAtOnce(t *testing.T) {
	t.Parallel()
	s := newTestStore(t)
	in := newRequest(agencyKeys)
	s.mustCreate(t, in)
	for round := range int64(10) {
		last := 8*round + 9
		var wg sync.WaitGroup
		for version := 8*round + 2; version <= last; version++ {
			a := newAgency()
			a.Name = fmt.Sprint(version)
			a.APIAccess = (version-round)%2 == 0
			wg.Go(func() {
				if err := s.ApplyAgency(t.Context(), a.ID, version, &a); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		got, err := s.Agency(t.Context(), "agency-1")
		if err != nil || got.Name != fmt.Sprint(last) {
			t.Fatalf("version %s stands, error %v; want %d", got.Name, err, last)
		}
		if disabled := s.keyRecord(t, in.Hash).Disabled; disabled == got.APIAccess {
			t.Errorf("version %d: access %v, but the key is disabled: %v", last, got.APIAccess, disabled)
		}
	}
}

func TestSwitchWithLostAnswers(t *testing.T) {
	t.Parallel()
	lost := &answerLoser{}
	s := newTestStore(t, lost.hook)
	in := newRequest(agencyKeys)
	s.mustCreate(t, in)
	for _, on := range []bool{false, true} {
		lost.arm(2)
		s.switchAgency(t, on)
		if got := s.keyRecord(t, in.Hash).Disabled; got == on {
			t.Errorf("access %v, but the key is disabled: %v", on, got)
		}
	}
}

// TestCreationAndSwitchOffAtOnce: whichever comes first, no key works in a
// switched-off agency.
func TestCreationAndSwitchOffAtOnce(t *testing.T) {
	t.Parallel()
	s := newTestStore(t)
	for range 10 {
		s.switchAgency(t, true)
		var made []newKey
		var mu sync.Mutex
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				in := newRequest(agencyKeys)
				_, err := s.CreateKey(t.Context(), in)
				if err != nil && fault.As(err).Kind != fault.Forbidden {
					t.Errorf("creating: %v", err)
				}
				if err == nil {
					mu.Lock()
					defer mu.Unlock()
					made = append(made, in)
				}
			})
		}
		wg.Go(func() { s.switchAgency(t, false) })
		wg.Wait()
		for _, in := range made {
			if !s.keyRecord(t, in.Hash).Disabled {
				t.Errorf("%s works in a switched-off agency", in.ID)
			}
			if _, err := s.RevokeKey(t.Context(), agencyKeys, "owner", in.ID, start.Add(time.Second)); err != nil {
				t.Error(err)
			}
		}
	}
}
