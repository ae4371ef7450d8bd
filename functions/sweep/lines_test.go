package sweep_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/recruiting-marketplace/external-api/functions/sweep"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// meeting holds the first read of each line of the sweeper until all lines have one in progress.
type meeting struct {
	want int

	mu   sync.Mutex
	met  map[string]bool
	full chan struct{}
}

// hook names the line of a read of a due index: its table, and whether it is the shard of files.
func (m *meeting) hook(ctx context.Context, call cloud.Call, send func() error) error {
	query, isQuery := call.Input.(*dynamodb.QueryInput)
	if !isQuery {
		return send()
	}
	name := *query.TableName
	shard := query.KeyConditions[topology.DueIndex.Hash].AttributeValueList[0].(*types.AttributeValueMemberS)
	if shard.Value == "X" {
		name += " files"
	}
	m.mu.Lock()
	isNew := !m.met[name]
	m.met[name] = true
	if isNew && len(m.met) == m.want {
		close(m.full)
	}
	m.mu.Unlock()
	if isNew {
		select {
		case <-m.full:
		case <-ctx.Done():
		}
	}
	return send()
}

// All parts of the sweeper read what is due at the same time: none waits for the end of another.
func TestPartsRunAtTheSameTime(t *testing.T) {
	t.Parallel()
	m := &meeting{want: 5, met: map[string]bool{}, full: make(chan struct{})}
	host := cloudtest.System(t, nil, time.Now)
	host.Log = slog.New(slog.DiscardHandler)
	host.AWS = cloud.WithHook(host.AWS, m.hook)
	service, err := sweep.New(t.Context(), host)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, err = service.Handle(ctx)
	if len(m.met) != m.want || err != nil {
		t.Errorf("%d of %d parts were read at the same time, %v: %v", len(m.met), m.want, m.met, err)
	}
}
