package account_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// model is what key administration is, said plainly: a list of keys, a switch
// and a clock. It runs beside the store and must agree with it.
type model struct {
	s         testStore
	t         *testing.T
	principal account.Principal
	owner     account.Recruiter
	now       time.Time
	keys      []account.Key
}

func (m *model) active() (n int) {
	for _, k := range m.keys {
		if k.Active(m.now) {
			n++
		}
	}
	return n
}

func (m *model) create(t *rapid.T) {
	in := newRequest(m.principal)
	in.Now = m.now
	if minutes := rapid.IntRange(0, 5).Draw(t, "expires in"); minutes > 0 {
		in.ExpiresAt = new(m.now.Add(time.Duration(minutes) * time.Minute))
	}
	key, err := m.s.CreateKey(m.t.Context(), in)
	if possible := m.owner.CanRecruit && m.active() < 5; possible != (err == nil) {
		t.Fatalf("created: %v, possible: %v", err, possible)
	}
	if err == nil {
		m.keys = append([]account.Key{key}, m.keys...)
	} else if fault.As(err).Kind != fault.Forbidden {
		t.Fatal(err)
	}
}

// some draws one of the keys that there ever were.
func (m *model) some(t *rapid.T) *account.Key {
	if len(m.keys) == 0 {
		t.Skip("no keys yet") // drops this step; the sequence goes on
	}
	return &m.keys[rapid.IntRange(0, len(m.keys)-1).Draw(t, "key")]
}

func (m *model) revoke(t *rapid.T) {
	key := m.some(t)
	if key.RevokedAt == 0 {
		key.RevokedAt = cloud.ToMillis(m.now)
	}
	got, err := m.s.RevokeKey(m.t.Context(), m.principal, m.principal.ID, key.KeyID, m.now)
	if err != nil || got.RevokedAt != key.RevokedAt {
		t.Fatalf("revoked at %v, error %v; want %v", got.RevokedAt, err, key.RevokedAt)
	}
}

func (m *model) rename(t *rapid.T) {
	key := m.some(t)
	key.KeyName = rapid.StringMatching(`[a-zé]{1,100}`).Draw(t, "name")
	if _, err := m.s.RenameKey(m.t.Context(), m.principal, m.principal.ID, key.KeyID, key.KeyName); err != nil {
		t.Fatal(err)
	}
}

func (m *model) flip(t *rapid.T) {
	m.owner.CanRecruit = !m.owner.CanRecruit
	if err := m.s.ApplyRecruiter(m.t.Context(), m.owner.ID, serial.Add(1), &m.owner); err != nil {
		t.Fatal(err)
	}
}

func (m *model) wait(t *rapid.T) {
	m.now = m.now.Add(time.Duration(rapid.IntRange(1, 5).Draw(t, "minutes")) * time.Minute)
}

// check compares all keys. Only of active ones it matters whether they are
// disabled.
func (m *model) check(t *rapid.T) {
	got := m.s.mustList(m.t, m.principal)
	want := slices.Clone(m.keys)
	for i := range want {
		want[i].Disabled = want[i].Active(m.now) && !m.owner.CanRecruit
	}
	for i := range got {
		got[i].Disabled = got[i].Disabled && got[i].Active(m.now)
	}
	if len(want) == 0 {
		want = nil
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("(-model +store):\n%s", diff)
	}
}

func TestKeyringAgreesWithAModel(t *testing.T) {
	t.Parallel()
	s := newTestStore(t)
	cases := 0
	rapid.Check(t, func(rt *rapid.T) {
		cases++
		m := &model{s: s, t: t, owner: newRecruiter(), now: start}
		m.owner.ID = fmt.Sprintf("recruiter-%d-%d", cases, serial.Add(1))
		m.principal = account.Principal{Type: contract.PersonalKey, ID: m.owner.ID}
		s.applyRecruiter(t, 1, m.owner)
		rt.Repeat(map[string]func(*rapid.T){
			"create": m.create, "create again": m.create, "revoke": m.revoke, "rename": m.rename,
			"flip": m.flip, "wait": m.wait, "look": m.check,
		})
		m.check(rt)
	})
}
