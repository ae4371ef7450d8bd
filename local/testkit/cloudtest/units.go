package cloudtest

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// Units adds up what DynamoDB reports that the reads of a host cost. The zero value is ready
// to use.
type Units struct {
	mu   sync.Mutex
	read map[string]float64 // by a table's deployed name
}

// Watch returns the host with its reads added up.
func (u *Units) Watch(h cloud.Host) cloud.Host {
	h.AWS = h.AWS.Copy()
	h.AWS.APIOptions = append(slices.Clone(h.AWS.APIOptions), func(stack *middleware.Stack) error {
		return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("Units", u.addCall), middleware.Before)
	})
	return h
}

// Reset returns the read units since the last call, of the tables with a deployed name that
// begins with a prefix and of all.
func (u *Units) Reset(prefix string) (part, all float64) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for name, units := range u.read {
		all += units
		if strings.HasPrefix(name, prefix) {
			part += units
		}
	}
	u.read = nil
	return part, all
}

func (u *Units) addCall(
	ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler,
) (middleware.InitializeOutput, middleware.Metadata, error) {
	const total = types.ReturnConsumedCapacityTotal
	switch p := in.Parameters.(type) {
	case *dynamodb.QueryInput:
		p.ReturnConsumedCapacity = total
	case *dynamodb.GetItemInput:
		p.ReturnConsumedCapacity = total
	case *dynamodb.BatchGetItemInput:
		p.ReturnConsumedCapacity = total
	}
	out, meta, err := next.HandleInitialize(ctx, in)
	switch o := out.Result.(type) {
	case *dynamodb.QueryOutput:
		u.addCapacity(*o.ConsumedCapacity)
	case *dynamodb.GetItemOutput:
		u.addCapacity(*o.ConsumedCapacity)
	case *dynamodb.BatchGetItemOutput:
		u.addCapacity(o.ConsumedCapacity...)
	}
	return out, meta, err
}

func (u *Units) addCapacity(all ...types.ConsumedCapacity) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.read == nil {
		u.read = map[string]float64{}
	}
	for _, c := range all {
		u.read[aws.ToString(c.TableName)] += aws.ToFloat64(c.CapacityUnits)
	}
}
