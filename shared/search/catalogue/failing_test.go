package catalogue_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
)

// TestFailedCallsAreErrors fails if an operation reports success although one of its calls failed.
func TestFailedCallsAreErrors(t *testing.T) {
	t.Parallel()
	errCut := errors.New("the connection was cut")
	for name, do := range map[string]func(b *testCatalogue, c *catalogue.Catalogue, begin func()) error{
		"load": func(b *testCatalogue, c *catalogue.Catalogue, begin func()) error {
			begin()
			return c.Load(b.t.Context())
		},
		"the first state": func(b *testCatalogue, c *catalogue.Catalogue, begin func()) error {
			begin()
			_, err := c.State(b.t.Context(), b.now)
			return err
		},
		"the next state": func(b *testCatalogue, c *catalogue.Catalogue, begin func()) error {
			b.searchIDs(c, "carpenter")
			b.now = b.now.Add(catalogue.MaxHeld + time.Second) // nothing is held any more
			b.putRole("new", b.now.UnixMilli(), "carpenter", "PUBLIC")
			begin()
			_, err := c.State(b.t.Context(), b.now)
			return err
		},
		"the state after a company's change": func(b *testCatalogue, c *catalogue.Catalogue, begin func()) error {
			b.searchIDs(c, "carpenter")
			b.now = b.now.Add(catalogue.MaxHeld + time.Second) // nothing is held any more
			company := role.Company{CompanyFacts: role.CompanyFacts{Name: b.now.String()}}
			must(b.t, b.roles.PutCompany(b.t.Context(), "co", entity.Stamp{Version: b.now.UnixMilli(), At: b.now}, &company))
			begin()
			_, err := c.State(b.t.Context(), b.now)
			return err
		},
		"publish": func(b *testCatalogue, c *catalogue.Catalogue, begin func()) error {
			b.putRole("new", b.now.UnixMilli(), "carpenter", "PUBLIC")
			begin()
			_, err := c.Publish(b.t.Context(), b.clock, b.now.String())
			return err
		},
		"rebuild": func(b *testCatalogue, c *catalogue.Catalogue, begin func()) error {
			begin()
			_, err := c.Rebuild(b.t.Context(), b.clock, b.now.String())
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newTestCatalogue(t)
			b.putRole("open", 1, "carpenter", "PUBLIC")
			b.putRole("stealth", 1, "carpenter", "STEALTH")
			b.publish(b.newReader(), "begin")
			for n := int64(1); ; n++ {
				b.now = b.now.Add(time.Minute)
				var left atomic.Int64
				h := b.host
				h.AWS = cloud.WithHook(h.AWS, func(_ context.Context, _ cloud.Call, send func() error) error {
					if left.Add(-1) == 0 {
						return errCut
					}
					return send()
				})
				err := do(b, catalogue.New(openStores(t, h)), func() { left.Store(n) })
				if left.Load() > 0 { // it made fewer calls
					must(t, err)
					return
				}
				if !errors.Is(err, errCut) {
					t.Errorf("call %d: got %v, want %v", n, err, errCut)
				}
			}
		})
	}
}
