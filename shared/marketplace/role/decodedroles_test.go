package role_test

import (
	"reflect"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

// Kept roles are those that are stored, after every kind of change, and whatever was done with them.
func TestDecodedRolesAreCurrent(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	decoded := role.NewDecodedRoles()
	read := func(decoded *role.DecodedRoles) map[string]role.Unredacted {
		roles, err := s.ReadRoles(ctx, []string{"r1", "r2"}, role.ReadOptions{Consistent: true, Decoded: decoded})
		must(t, err)
		return roles
	}
	changed := engineer("c1")
	linked := engineer("c1")
	changed.Title = "Designer"
	linked.AnonymizedName = new("One, see https://one.example.com")
	linked.Visibility = contract.RoleVisibilityStealth
	for _, step := range []struct {
		name   string
		change func() error
	}{
		{"nothing stored", func() error { return nil }},
		{"a role", func() error { return s.Put(ctx, "r1", stamp(1), engineer("c1")) }},
		{"no change", func() error { return nil }},
		{"another role", func() error { return s.Put(ctx, "r2", stamp(1), engineer("c1")) }},
		{"its company", func() error { return s.PutCompany(ctx, "c1", stamp(1), works("One")) }},
		{"another title", func() error { return s.Put(ctx, "r1", stamp(2), changed) }},
		{"texts that are redacted", func() error { return s.Put(ctx, "r1", stamp(3), linked) }},
		{"no company", func() error { return s.PutCompany(ctx, "c1", stamp(2), nil) }},
		{"deleted", func() error { return s.Delete(ctx, "r1", stamp(4)) }},
		{"back", func() error { return s.Put(ctx, "r1", stamp(5), engineer("c1")) }},
	} {
		must(t, step.change())
		for range 2 {
			want := read(nil)
			got := read(decoded)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: kept %+v, stored %+v", step.name, got, want)
			}
			for _, r := range got {
				role.Redact(r, role.Caller{LinksOmitted: true, Now: now}).Summary()
			}
		}
	}
}
