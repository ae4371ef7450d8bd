package cloud

import (
	"context"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// warmTime is the most that a start waits for its first call.
const warmTime = time.Second

// Warm reads a key that no item has, so that the first request finds a connection open
// and the client's code loaded. It needs the grant of dynamodb:BatchGetItem, and costs half
// a read unit. Its result is ignored: a start neither fails nor waits long for a database
// that is unavailable.
func (h Host) Warm(ctx context.Context, t topology.Table) {
	o := h.Opener()
	table := o.Table(t)
	if o.Err() != nil {
		return // the function says so when it opens the table
	}
	ctx, cancel := context.WithTimeout(ctx, warmTime)
	defer cancel()
	var nothing []dynamo.Item
	_ = table.Batch(topology.PK, topology.SK).Get(dynamo.Keys{"warm", "warm"}).All(ctx, &nothing)
}
