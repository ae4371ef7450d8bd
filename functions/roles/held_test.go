package roles_test

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	service "github.com/recruiting-marketplace/external-api/functions/roles"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// TestListsWithoutTheLogOfChanges fails unless lists of roles work for fifteen minutes without the log of changes, then are refused with a
// time to wait, and work again with it. A minute passes with each request.
func TestListsWithoutTheLogOfChanges(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	b.putRole("open", nil)
	out := false
	h := b.host
	h.AWS = cloud.WithHook(h.AWS, func(_ context.Context, call cloud.Call, send func() error) error {
		in, ok := call.Input.(*dynamodb.QueryInput)
		if ok && out && *in.TableName == h.Getenv(topology.Changes.Env) {
			return errors.New("out")
		}
		return send()
	})
	var err error
	b.Handler, err = service.New(t.Context(), h)
	b.must(err)
	b.listRoles(olga, "/recruiter/roles")
	out = true
	for range 15 {
		if found := b.listRoles(olga, "/recruiter/roles").joinedIDs(); found != "open" {
			t.Fatalf("found %q", found)
		}
	}
	if a := b.get(olga, "/recruiter/roles"); a.Status != http.StatusServiceUnavailable || a.Header.Get("Retry-After") == "" {
		t.Errorf("after 16 minutes: got %d %s; want 503 with a time to wait", a.Status, a.Body)
	}
	out = false
	if found := b.listRoles(olga, "/recruiter/roles").joinedIDs(); found != "open" {
		t.Errorf("found %q after the outage", found)
	}
}
