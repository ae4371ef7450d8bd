// Package restore does what is left to do after a table or a bucket was restored to an earlier
// time: it applies the erasures since then again, and finds references to something that is not
// there. It works on any system, local or deployed, with its names in the host's environment.
package restore

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// maxErasure is more than any archived event has: the limit of a message.
const maxErasure = 1 << 20

// Apply is the method of the feed that applies an event. A non-empty refused is the reason why it never can be applied.
type Apply func(ctx context.Context, event string) (refused string, err error)

// archivedBefore is how long before the last deletion of an erasure its archive may have been written: the feed archives it first,
// and a run takes up to a minute. The rest is a margin for clocks that differ, and times of objects have whole seconds.
const archivedBefore = 15 * time.Minute

// ReplayErasures applies the archived erasures that were not finished before since, the time of the restored state: those that
// arrived at or after it, or shortly before, oldest first. It returns their number. apply is that of the feed: an erasure that is
// repeated removes what the restored table has of the person, and keeps what was submitted after it.
func ReplayErasures(ctx context.Context, h cloud.Host, since time.Time, apply Apply) (int, error) {
	o := h.Opener()
	bucket := objectstore.Open(o, topology.MarketplaceBucket)
	if err := o.Err(); err != nil {
		return 0, err
	}
	objects, err := listObjects(ctx, h, topology.MarketplaceBucket, topology.ErasuresPrefix)
	if err != nil {
		return 0, err
	}
	objects = slices.DeleteFunc(objects, func(o object) bool { return o.written.Before(since.Add(-archivedBefore)) })
	slices.SortFunc(objects, func(a, b object) int { return a.written.Compare(b.written) })
	for i, o := range objects {
		event, err := bucket.Get(ctx, o.key, maxErasure)
		if err != nil {
			return i, fmt.Errorf("%s: %w", o.key, err)
		}
		refused, err := apply(ctx, string(event))
		if err != nil {
			return i, fmt.Errorf("%s: %w", o.key, err)
		}
		if refused != "" {
			return i, fmt.Errorf("%s was refused: %s", o.key, refused)
		}
	}
	return len(objects), nil
}

type object struct {
	key     string
	written time.Time
}

func listObjects(ctx context.Context, h cloud.Host, of topology.Bucket, prefix string) (all []object, err error) {
	in := &s3.ListObjectsV2Input{Bucket: aws.String(h.Getenv(of.Env)), Prefix: &prefix}
	pages := s3.NewListObjectsV2Paginator(objectstore.NewClient(h), in)
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		for _, o := range page.Contents {
			all = append(all, object{aws.ToString(o.Key), aws.ToTime(o.LastModified)})
		}
	}
	return all, nil
}
