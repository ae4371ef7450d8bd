package roles_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

// A stealth role costs a stranger the same calls as any other, and an approved caller no
// more than that, so that neither times nor bills disclose it.
func TestStealthCostsTheSame(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	b.putCompany("co", role.Company{CompanyFacts: role.CompanyFacts{Name: "Velvet Anchor", Aliases: []string{"Velanc"}}})
	b.putCompany("plain", role.Company{CompanyFacts: role.CompanyFacts{Name: "Plain Works"}})
	for i := range 6 {
		b.putRole(fmt.Sprint("stealth", i), func(r *role.Role) {
			r.Title = "Stevedore at Velanc"
			r.Visibility = contract.RoleVisibilityStealth
		})
		b.putRole(fmt.Sprint("public", i), func(r *role.Role) {
			r.Title = "Docker"
			r.CompanyID = "plain"
		})
		b.putAssignment(fmt.Sprint("stealth", i), olga, "APPROVED", "FULL", nil)
	}
	for _, who := range []string{zoe, olga} {
		b.get(who, "/recruiter/roles") // a catalogue and an agency that are known
		calls := map[string][]string{}
		for name, paths := range map[string][]string{
			"stealth": {"/recruiter/roles?query=stevedore", "/recruiter/roles/stealth1"}, "public": {"/recruiter/roles?query=docker", "/recruiter/roles/public1"},
		} {
			for _, path := range paths {
				if a := b.get(who, path); a.Status != 200 {
					t.Fatalf("%s: %d %s", path, a.Status, a.Body)
				}
				made := b.calls.Reset()
				slices.Sort(made)
				calls[name] = append(calls[name], made...)
			}
		}
		if diff := cmp.Diff(calls["public"], calls["stealth"]); diff != "" {
			t.Errorf("%s (-public +stealth):\n%s", who, diff)
		}
	}
	for query, want := range map[string][2]string{"velanc": {"", "stealth0 stealth1 stealth2 stealth3 stealth4 stealth5"}, "velvt+anchor": {"", "stealth0 stealth1 stealth2 stealth3 stealth4 stealth5"}} {
		for i, who := range []string{zoe, olga} {
			if got := b.listRoles(who, "/recruiter/roles?query="+query).sortedIDs(); got != want[i] {
				t.Errorf("%s, %s: got %q, want %q", who, query, got, want[i])
			}
		}
	}
}
