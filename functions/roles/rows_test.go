package roles_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	service "github.com/recruiting-marketplace/external-api/functions/roles"
	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

// newKeepingService returns the function with rows that are kept for a second.
func newKeepingService(t *testing.T) *testService {
	t.Helper()
	b := newTestService(t)
	host := b.host
	host.Getenv = func(name string) string {
		if name == topology.SettingRowAge {
			return "1000"
		}
		return b.host.Getenv(name)
	}
	host.AWS = cloud.WithHook(host.AWS, b.calls.Hook)
	var err error
	b.Handler, err = service.New(t.Context(), host)
	b.must(err)
	return b
}

// titlesAt returns the titles of the list that a caller gets after a time, and the number of reads of rows
// and accounts that it took.
func (b *testService) titlesAt(who string, after time.Duration) (titles string, reads int) {
	b.t.Helper()
	b.at = b.at.Add(after)
	b.calls.Reset()
	list := apitest.DecodeOK[struct{ Roles []struct{ Name string } }](b.t, apitest.Send(b.t.Context(), b, b.keys[who], "GET", "/recruiter/roles", ""))
	var all []string
	for _, r := range list.Roles {
		all = append(all, r.Name)
	}
	slices.Sort(all)
	for _, call := range b.calls.Reset() {
		if call == "DynamoDB.BatchGetItem" {
			reads++
		}
	}
	return strings.Join(all, ", "), reads
}

// A row that was read for one caller is shown to others for less than a second, as each of them may see it,
// and no longer: what became stealth is withheld, and what closed is left out, from a second after the read on.
func TestRowsAreKeptForASecond(t *testing.T) {
	t.Parallel()
	b := newKeepingService(t)
	b.putCompany("co", role.Company{CompanyFacts: role.CompanyFacts{Name: "Velvet Anchor"}})
	for _, id := range []string{"one", "two", "three"} {
		b.putRole(id, func(r *role.Role) { r.Title = "Stevedore at Velvet Anchor " + id })
	}
	for _, who := range []string{olga, zoe} {
		b.titlesAt(who, time.Minute) // what is read once of the accounts and the catalogue
	}
	const all = "Stevedore at Velvet Anchor one, Stevedore at Velvet Anchor three, Stevedore at Velvet Anchor two"
	got, first := b.titlesAt(olga, time.Minute)
	if got != all {
		t.Fatalf("got %q", got)
	}
	if got, reads := b.titlesAt(olga, 500*time.Millisecond); got != all || reads != first-1 {
		t.Errorf("after half a second: got %q with %d reads; want the same with %d", got, reads, first-1)
	}
	b.putRole("one", func(r *role.Role) { r.Title, r.Visibility = "Stevedore at Velvet Anchor one", role.Stealth })
	b.putRole("two", func(r *role.Role) { r.Title, r.Status = "Stevedore at Velvet Anchor two", role.Closed })
	got, reads := b.titlesAt(olga, 500*time.Millisecond)
	if strings.Contains(got, "Anchor one") || strings.Contains(got, "Anchor two") || !strings.Contains(got, "Anchor three") || reads < first {
		t.Errorf("a second after the read: got %q with %d reads; want %d, and what the catalogue reads", got, reads, first)
	}
	b.putAssignment("one", olga, "APPROVED", "FULL", nil)
	b.titlesAt(zoe, 0) // keeps the row for both
	for who, sees := range map[string]bool{olga: true, zoe: false} {
		if got, _ := b.titlesAt(who, 0); strings.Contains(got, "Anchor one") != sees {
			t.Errorf("%s: got %q", who, got)
		}
	}
}
