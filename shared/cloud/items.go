package cloud

import (
	"context"
	"errors"
	"slices"

	"github.com/guregu/dynamo/v2"
	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// GetItems returns the items with these keys, which must be distinct. It reads 100 keys per
// call, and all calls run in parallel. Missing items are left out.
func GetItems(ctx context.Context, table dynamo.Table, keys []dynamo.Keyed, consistent bool) ([]dynamo.Item, error) {
	parts := slices.Collect(slices.Chunk(keys, 100))
	found := make([][]dynamo.Item, len(parts))
	group, ctx := errgroup.WithContext(ctx)
	for n, part := range parts {
		group.Go(func() error {
			err := table.Batch(topology.PK, topology.SK).Get(part...).Consistent(consistent).All(ctx, &found[n])
			if errors.Is(err, dynamo.ErrNotFound) {
				return nil
			}
			return err
		})
	}
	err := group.Wait()
	return slices.Concat(found...), err
}
