package restore

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go/middleware"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// An erasure that was archived shortly before the restored state may have deleted its data after it, so it is applied again. One
// that was archived long before has ended.
func TestReplayedErasures(t *testing.T) {
	t.Parallel()
	host := cloudtest.System(t, nil, time.Now)
	bucket := objectstore.Open(host.Opener(), topology.MarketplaceBucket)
	before := time.Now()
	if err := bucket.Put(t.Context(), topology.ErasuresPrefix+"person-1/1.json", "application/json", []byte("{}")); err != nil {
		t.Fatal(err)
	}
	after := time.Now()
	apply := func(context.Context, string) (refused string, err error) { return "", nil }
	for since, want := range map[time.Time]int{
		before.Add(-time.Hour): 1,
		after:                  1, // with a fraction of a second, which the time of an object lacks
		before.Truncate(time.Second).Add(archivedBefore):              1,
		after.Truncate(time.Second).Add(archivedBefore + time.Second): 0,
	} {
		if n, err := ReplayErasures(t.Context(), host, since, apply); n != want || err != nil {
			t.Errorf("since %v after the archive: applied %d, %v; want %d", since.Sub(after), n, err, want)
		}
	}
}

// withListed returns a host that reads lists of objects as change leaves their rows.
func withListed(h cloud.Host, change func(*types.Object)) cloud.Host {
	changed := func(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
		out, meta, err := next.HandleInitialize(ctx, in)
		if page, isList := out.Result.(*s3.ListObjectsV2Output); isList {
			for i := range page.Contents {
				change(&page.Contents[i])
			}
		}
		return out, meta, err
	}
	h.AWS.APIOptions = append(slices.Clone(h.AWS.APIOptions), func(stack *middleware.Stack) error {
		return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("Listed", changed), middleware.After)
	})
	return h
}

// A store like S3 may list an object without its time: its erasure is applied, and as an orphan it is reported. One without a key
// cannot be read.
func TestListsMayLackTimesAndKeys(t *testing.T) {
	t.Parallel()
	host := cloudtest.System(t, nil, time.Now)
	erasures := objectstore.Open(host.Opener(), topology.MarketplaceBucket)
	resumes := objectstore.Open(host.Opener(), topology.Resumes)
	for _, name := range []string{"1", "2"} {
		err := errors.Join(
			erasures.Put(t.Context(), topology.ErasuresPrefix+"person-1/"+name+".json", "application/json", []byte("{}")),
			resumes.Put(t.Context(), "resumes/"+name, "application/pdf", []byte("%PDF")),
		)
		if err != nil {
			t.Fatal(err)
		}
	}
	apply := func(context.Context, string) (refused string, err error) { return "", nil }
	later := time.Now().Add(time.Hour)
	for name, c := range map[string]struct {
		change            func(*types.Object)
		since             time.Time
		replayed, orphans int
		isRefused         bool
	}{
		"times": {func(o *types.Object) { o.LastModified = nil }, later, 2, 2, false},
		"keys":  {func(o *types.Object) { o.Key = nil }, later.Add(-2 * time.Hour), 0, 0, true},
	} {
		lacking := withListed(host, c.change)
		if n, err := ReplayErasures(t.Context(), lacking, c.since, apply); n != c.replayed || (err != nil) != c.isRefused {
			t.Errorf("without %s: applied %d, %v; want %d", name, n, err, c.replayed)
		}
		got, err := FindOrphans(t.Context(), lacking, time.Now().Add(time.Hour))
		if err != nil || len(got.FilesWithoutMembership) != c.orphans {
			t.Errorf("without %s: got %+v, %v; want %d files", name, got, err, c.orphans)
		}
	}
}
