package role_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

// In bulk the company is on its roles just so.
func TestCompanyReachesItsRolesInBulk(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	companyReachesItsRoles(t, s.Bulk())
}

// A new role is one call once its company is known, and a repeat changes nothing.
func TestBulkCalls(t *testing.T) {
	t.Parallel()
	all, calls := open(t)
	s := all.Bulk()
	must(t, s.PutCompany(ctx, "c1", stamp(1), works("One")))
	calls.Reset()
	must(t, s.Put(ctx, "r1", stamp(1), engineer("c1")))
	if diff := cmp.Diff([]string{"DynamoDB.TransactWriteItems"}, calls.Reset()); diff != "" {
		t.Error(diff)
	}
	for range 2 {
		must(t, s.Put(ctx, "r1", stamp(1), engineer("c2")))
		if row, found := card(t, all, "r1"); !found || row.Company.Name != "One" {
			t.Errorf("%v, %+v", found, row)
		}
	}
}

// Two roles of a company are the first of it in a load, and another writer changes the company
// after one of them has read it and before the other does.
func TestCompanyThatChangesBetweenTwoFirstReads(t *testing.T) {
	t.Parallel()
	type loader struct{}
	firstRead := make(chan bool)
	secondReads := make(chan bool)
	changed := make(chan bool)
	firstStored := make(chan bool)
	all, _ := open(t, func(ctx context.Context, call cloud.Call, send func() error) error {
		if call.Operation == "TransactWriteItems" {
			return send()
		}
		switch ctx.Value(loader{}) {
		case "first":
			err := send()
			close(firstRead)
			<-changed
			return err
		case "second":
			close(secondReads)
			<-changed
			err := send()
			<-firstStored
			return err
		}
		return send()
	})
	must(t, all.PutCompany(ctx, "c1", stamp(1), works("Before")))
	s := all.Bulk()
	var g errgroup.Group
	g.Go(func() error {
		defer close(firstStored)
		return s.Put(context.WithValue(ctx, loader{}, "first"), "r1", stamp(1), engineer("c1"))
	})
	g.Go(func() error {
		return s.Put(context.WithValue(ctx, loader{}, "second"), "r2", stamp(1), engineer("c1"))
	})
	<-firstRead
	<-secondReads
	must(t, all.PutCompany(ctx, "c1", stamp(2), works("After")))
	close(changed)
	must(t, g.Wait())
	must(t, s.FinishBulk(ctx))
	for _, id := range []string{"r1", "r2"} {
		if row, found := card(t, all, id); !found || row.Company.Name != "After" {
			t.Errorf("%s: %v, company %q; want After", id, found, row.Company.Name)
		}
	}
}

// Roles and companies are loaded in parallel while another writer changes companies:
// after FinishBulk each role shows its company as it is.
func TestBulkBesideOthers(t *testing.T) {
	t.Parallel()
	all, _ := open(t)
	s := all.Bulk()
	r := rand.New(rand.NewPCG(3, 5))
	const companies, roles = 6, 90
	version := int64(0)
	for round := range 3 {
		var g errgroup.Group
		g.SetLimit(8)
		for i := range roles {
			id := fmt.Sprintf("r%d-%d", round, i)
			company := fmt.Sprint("c", r.IntN(companies))
			g.Go(func() error { return s.Put(ctx, id, stamp(1), engineer(company)) })
			version++
			if i%5 == 0 {
				who := []*role.Store{s, all}[r.IntN(2)]
				at := stamp(version)
				name := fmt.Sprintf("%s of %d", company, version)
				g.Go(func() error { return who.PutCompany(ctx, company, at, works(name)) })
			}
		}
		must(t, g.Wait())
		must(t, s.FinishBulk(ctx))
	}
	names := map[string]map[string]bool{}
	for round := range 3 {
		for i := range roles {
			id := fmt.Sprintf("r%d-%d", round, i)
			file, found := opened(t, all, id)
			row, listed := card(t, all, id)
			is := role.Redact(file.Unredacted, role.Caller{}).Summary().Company.Name
			if !found || !listed || row.Company.Name != is {
				t.Errorf("%s: the list shows %q of the company %q", id, row.Company.Name, is)
			}
			if names[is] == nil {
				names[is] = map[string]bool{}
			}
			names[is][id] = true
		}
	}
	if len(names) != companies {
		t.Errorf("%d companies are shown; want %d", len(names), companies)
	}
}
