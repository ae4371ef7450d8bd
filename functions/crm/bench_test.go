package crm_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	service "github.com/recruiting-marketplace/external-api/functions/crm"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/crm"
	"github.com/recruiting-marketplace/external-api/shared/entity"
	"github.com/recruiting-marketplace/external-api/shared/topology"
)

// slow makes every AWS call take 3 ms longer.
func slow(_ context.Context, _ cloud.Call, send func() error) error {
	time.Sleep(3 * time.Millisecond)
	return send()
}

// fill writes the rows of a large book, as storing its candidates would.
func (b *bed) fill(n int) {
	var items []any
	for i := range n {
		at := b.now().Add(-time.Duration(i) * time.Minute)
		row := crm.Row{
			ID: fmt.Sprintf("0192f0c1-2345-7abc-8def-%012d", i), Name: fmt.Sprintf("Person %d", i), LinkedInURL: fmt.Sprintf("https://www.linkedin.com/in/person-%d", i),
			Location: "San Francisco Bay Area", OneLiner: "Staff engineer who builds compilers and the teams around them", Company: "Example Works",
			Title: "Staff Engineer", Status: "SOURCED", Tags: []string{"rust"}, AddedAt: at.UnixMilli(), Employers: []string{"Sample & Sons"},
		}
		body, err := json.Marshal(row)
		b.must(err)
		items = append(items, map[string]any{"pk": "U#" + olga, "sk": entity.PlacedSK("C#", at, row.ID), "body": body})
	}
	for chunk := range slices.Chunk(items, 1000) {
		_, err := b.table(topology.Marketplace).Batch(topology.PK, topology.SK).Write().Put(chunk...).Run(b.t.Context())
		b.must(err)
	}
}

// BenchmarkBook asks for pages of books of several sizes, where every AWS call
// takes 3 ms longer. p99 includes the local database's own time.
func BenchmarkBook(b *testing.B) {
	for _, size := range []int{300, 2_000, 50_000} {
		for name, query := range map[string]string{"page": "", "search": "?query=person+7", "tags": "?tags=rust"} {
			b.Run(fmt.Sprint(name, " of ", size), func(b *testing.B) {
				d := light(b)
				d.fill(size)
				host := d.host
				host.AWS = cloud.WithHook(host.AWS, slow)
				handler, err := service.New(b.Context(), host)
				d.must(err)
				d.Handler = handler
				var took []time.Duration
				for b.Loop() {
					start := time.Now()
					if a := d.get(olga, bookPath+query); a.status != http.StatusOK {
						b.Fatal(a.body)
					}
					took = append(took, time.Since(start))
				}
				slices.Sort(took)
				b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
				b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
			})
		}
	}
}

// TestPageUnits pays at most two read units for a page of 20.
func TestPageUnits(t *testing.T) {
	t.Parallel()
	b := light(t)
	b.fill(50)
	var used dynamo.ConsumedCapacity
	var rows []map[string]any
	_, err := b.table(topology.Marketplace).Get(topology.PK, "U#"+olga).Range(topology.SK, dynamo.BeginsWith, "C#").
		Consistent(true).SearchLimit(21).ConsumedCapacity(&used).AllWithLastEvaluatedKey(t.Context(), &rows)
	if err != nil || len(rows) != 21 || used.Total == 0 || used.Total > 2 {
		t.Errorf("%d rows cost %v read units, %v; want at most 2", len(rows), used.Total, err)
	}
}
