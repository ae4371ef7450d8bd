package resources_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/recruiting-marketplace/external-api/local/cloudtest"
	"github.com/recruiting-marketplace/external-api/local/resources"
	"github.com/recruiting-marketplace/external-api/shared/topology"
)

// A table may be asked for again. One of an earlier version, which lacks an index
// that it can get only when it is made, is told of before anything runs on it.
func TestTableTwice(t *testing.T) {
	t.Parallel()
	client := dynamodb.NewFromConfig(cloudtest.Host(t, nil, time.Now).AWS)
	older := topology.Marketplace
	older.Indexes = older.Indexes[:len(older.Indexes)-1]
	lacks := topology.Marketplace.Indexes[len(older.Indexes)].Name
	for range 2 {
		if err := resources.Table(t.Context(), client, older, t.Name()); err != nil {
			t.Fatal(err)
		}
	}
	err := resources.Table(t.Context(), client, topology.Marketplace, t.Name())
	if !errors.Is(err, resources.ErrOlder) || !strings.Contains(err.Error(), lacks) {
		t.Errorf("got %v; want ErrOlder, and that %s is missing", err, lacks)
	}
}
