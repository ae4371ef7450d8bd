package resources_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/recruiting-marketplace/external-api/local/run/resources"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// In an account a table takes time to be created, and cannot be used before.
func TestTableOfAnAccount(t *testing.T) {
	t.Parallel()
	var asked []string
	account := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
		asked = append(asked, operation)
		_, _ = w.Write([]byte(map[string]string{
			"CreateTable":   `{"TableDescription":{"TableStatus":"CREATING"}}`,
			"DescribeTable": `{"Table":{"TableStatus":"ACTIVE"}}`,
		}[operation]))
	}))
	defer account.Close()
	client := dynamodb.NewFromConfig(cloudtest.Host(t, nil, time.Now).AWS, func(o *dynamodb.Options) { o.BaseEndpoint = &account.URL })
	if err := resources.EnsureTable(t.Context(), client, topology.Accounts, "accounts", true); err != nil {
		t.Fatal(err)
	}
	if err := resources.EnsureTable(t.Context(), client, topology.Network, "network", false); err != nil {
		t.Fatal(err)
	}
	if want := []string{"CreateTable", "DescribeTable", "UpdateTimeToLive", "CreateTable", "DescribeTable"}; !slices.Equal(asked, want) {
		t.Errorf("asked for %v; want %v", asked, want)
	}
}

// An existing table is accepted. One of an earlier version without an index, which cannot
// be added later, is reported before it is used.
func TestTableTwice(t *testing.T) {
	t.Parallel()
	client := dynamodb.NewFromConfig(cloudtest.Host(t, nil, time.Now).AWS)
	older := topology.Marketplace
	older.Indexes = older.Indexes[:len(older.Indexes)-1]
	lacks := topology.Marketplace.Indexes[len(older.Indexes)].Name
	for range 2 {
		if err := resources.EnsureTable(t.Context(), client, older, t.Name(), true); err != nil {
			t.Fatal(err)
		}
	}
	err := resources.EnsureTable(t.Context(), client, topology.Marketplace, t.Name(), true)
	if !errors.Is(err, resources.ErrIncompleteTable) || !strings.Contains(err.Error(), lacks) {
		t.Errorf("got %v; want ErrIncompleteTable, and that %s is missing", err, lacks)
	}
}
