package capacity_test

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// meter records the use of keys by the AWS calls of one host.
type meter struct {
	client *dynamodb.Client
	tables map[string]topology.Table // by deployed name

	mu      sync.Mutex
	enabled bool
	usage   usage
}

// newMeter returns a meter of calls to the host's tables, and uses the host for its own reads. It
// records nothing until [meter.measure] is called.
func newMeter(host cloud.Host) *meter {
	m := &meter{client: dynamodb.NewFromConfig(host.AWS), tables: map[string]topology.Table{}}
	for _, table := range topology.Tables {
		m.tables[host.Getenv(table.Env)] = table
	}
	return m
}

// attach returns cfg with the meter around every call of the clients made from it.
func (m *meter) attach(cfg aws.Config) aws.Config {
	cfg.APIOptions = append(slices.Clone(cfg.APIOptions), func(stack *middleware.Stack) error {
		return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("Capacity", m.observe), middleware.After)
	})
	return cfg
}

// measure runs an operation and returns what its calls used.
func (m *meter) measure(operation func()) usage {
	m.mu.Lock()
	m.enabled = true
	m.usage = usage{}
	m.mu.Unlock()
	operation()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.enabled = false
	return m.usage
}

func (m *meter) isEnabled() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.enabled
}

// observe records one call, including an attempt that failed on a condition, which costs as much.
func (m *meter) observe(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
	if !m.isEnabled() {
		return next.HandleInitialize(ctx, in)
	}
	requestCapacity(in.Parameters)
	keys := writtenKeys(in.Parameters)
	before, err := m.readItems(ctx, keys)
	if err != nil {
		return middleware.InitializeOutput{}, middleware.Metadata{}, err
	}
	out, meta, err := next.HandleInitialize(ctx, in)
	after, readErr := m.readItems(ctx, keys)
	if readErr != nil {
		return out, meta, readErr
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.usage.calls++
	m.usage.reported += reportedUnits(out.Result)
	for i, key := range keys {
		m.addWrite(key, before[i], after[i])
	}
	m.addRead(in.Parameters, out.Result)
	return out, meta, err
}

// readItems reads items as they are, without recording the reads.
func (m *meter) readItems(ctx context.Context, keys []writtenKey) ([]item, error) {
	items := make([]item, len(keys))
	for i, key := range keys {
		out, err := m.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: &key.table, Key: key.key, ConsistentRead: new(true)})
		if err != nil {
			return nil, fmt.Errorf("reading what a call writes: %w", err)
		}
		if len(out.Item) > 0 {
			items[i] = out.Item
		}
	}
	return items, nil
}
