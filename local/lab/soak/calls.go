package soak

import (
	"context"
	"fmt"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// callCounter counts the calls of DynamoDB; its method Hook is a [cloud.Hook].
type callCounter struct {
	mu sync.Mutex
	// items counts the items that the writes wrote.
	reads, writes, items int
}

// Hook counts the call and sends it.
func (c *callCounter) Hook(_ context.Context, call cloud.Call, send func() error) error {
	if call.Service == "DynamoDB" {
		c.countCall(call)
	}
	return send()
}

func (c *callCounter) countCall(call cloud.Call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch call.Operation {
	case "GetItem", "Query", "BatchGetItem", "TransactGetItems":
		c.reads++
		return
	case "TransactWriteItems":
		c.items += len(call.Input.(*dynamodb.TransactWriteItemsInput).TransactItems)
	default:
		c.items++
	}
	c.writes++
}

// takeLine returns the counts as cells of a table, and resets them.
func (c *callCounter) takeLine() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	line := fmt.Sprintf("%d\t%d\t%d", c.reads, c.writes, c.items)
	c.reads = 0
	c.writes = 0
	c.items = 0
	return line
}
