package bench

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/local/demo/trial"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/search/opensearch"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// nodeStats holds figures of the only node of an OpenSearch.
type nodeStats struct {
	Process struct {
		CPU struct {
			Millis int64 `json:"total_in_millis"`
		} `json:"cpu"`
	} `json:"process"`
	Indices struct {
		Store struct {
			Size float64 `json:"size_in_bytes"`
		} `json:"store"`
	} `json:"indices"`
}

// readNode decodes the node's object in a response of the nodes API.
func readNode(b *testing.B, path string, node any) {
	b.Helper()
	resp, err := http.Get(os.Getenv(topology.SettingSearchURL) + path)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	var all struct{ Nodes map[string]json.RawMessage }
	if err := json.NewDecoder(resp.Body).Decode(&all); err != nil {
		b.Fatal(err)
	}
	for _, raw := range all.Nodes {
		if err := json.Unmarshal(raw, node); err != nil {
			b.Fatal(err)
		}
	}
}

// domainUse returns the processor time of this process and the node together, and the resident
// memory of the node.
func domainUse(b *testing.B) use {
	b.Helper()
	var stats nodeStats
	readNode(b, "/_nodes/stats/process,indices", &stats)
	var info struct {
		Process struct{ ID int }
	}
	readNode(b, "/_nodes/process", &info)
	return use{ownUse(b).cpu + time.Duration(stats.Process.CPU.Millis)*time.Millisecond, residentBytes(fmt.Sprint(info.Process.ID))}
}

// parallelWrites is the publisher's number of parallel writes.
const parallelWrites = 4

// domainEngine is the OpenSearch that .ci/opensearch has started, searched as the roles function
// does. Its memory is what the node uses in addition to its memory without roles.
func domainEngine() engine {
	var index *opensearch.Index
	return engine{
		name: "OpenSearch", use: domainUse, isPromised: true,
		build: func(b *testing.B, docs []roleindex.Doc) float64 {
			var err error
			index, err = opensearch.Open(cloud.NewHost(os.Getenv, time.Now, slog.New(slog.DiscardHandler)))
			if err == nil {
				err = fillDomain(b.Context(), index, docs)
			}
			if err != nil {
				b.Fatal(err)
			}
			var stats nodeStats
			readNode(b, "/_nodes/stats/process,indices", &stats)
			return stats.Indices.Store.Size
		},
		open: func(b *testing.B) (trial.Engine, func()) {
			none, err := roleindex.Open(roleindex.Build(nil))
			if err != nil {
				b.Fatal(err)
			}
			scope := opensearch.Scope{View: none.View()}
			failed := 0
			return func(query string) (ids []string) {
				page, _, err := index.Search(b.Context(), roleindex.Query{Text: query}, scope)
				if errors.Is(err, context.DeadlineExceeded) {
					failed++ // a deployment answers it from the embedded index
					return nil
				}
				if err != nil {
					b.Fatal(err)
				}
				for _, r := range page.Rows {
					ids = append(ids, r.ID)
				}
				return ids
			}, func() { b.Logf("%d searches took longer than the client waits", failed) }
		},
	}
}

func fillDomain(ctx context.Context, index *opensearch.Index, docs []roleindex.Doc) error {
	filling, err := index.Begin(ctx, time.Now(), rand.Text())
	if err != nil {
		return err
	}
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(parallelWrites)
	for part := range slices.Chunk(docs, 500) {
		g.Go(func() error {
			states := make([]roleindex.RoleDocs, len(part))
			for i := range part {
				states[i] = roleindex.RoleDocs{ID: part[i].ID, Revision: 1, Shared: &part[i]}
			}
			return filling.Write(gctx, states)
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return filling.Finish(ctx, filling.Begun)
}
