package catalogue_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
)

// TestRebuildGoesOnAtOnce fails unless a rebuild whose time was over is continued by the next invocation, however soon that comes.
func TestRebuildGoesOnAtOnce(t *testing.T) {
	t.Parallel()
	b := newTestCatalogue(t)
	b.leaveDraft()
	if !b.publish(b.newPublisher(10), "next") {
		t.Error("the next invocation does not publish it")
	}
	if found := b.searchIDs(b.newReader(), "carpenter"); len(found) != 40 {
		t.Errorf("%d roles are found, want 40", len(found))
	}
}

// TestClaimPrecedesTheListOfRoles fails unless a process claims a draft before it reads which roles there are, which takes long.
func TestClaimPrecedesTheListOfRoles(t *testing.T) {
	t.Parallel()
	b := newTestCatalogue(t)
	b.leaveDraft()
	var calls []string
	h := b.host
	h.AWS = cloud.WithHook(h.AWS, func(_ context.Context, call cloud.Call, send func() error) error {
		switch in := call.Input.(type) {
		case *dynamodb.PutItemInput:
			if itemkey.SnapshotDraft.Has(keyIn(in.Item, topology.PK), keyIn(in.Item, topology.SK)) {
				calls = append(calls, "claim")
			}
		case *dynamodb.QueryInput:
			if isOfRoles(in) {
				calls = append(calls, "list")
			}
		}
		return send()
	})
	c := catalogue.New(openStores(t, h))
	c.SetShardSize(10)
	if !b.publish(c, "next") {
		t.Error("it is not published")
	}
	if len(calls) == 0 || calls[0] != "claim" || !slices.Contains(calls, "list") {
		t.Errorf("the calls are %q", calls)
	}
}

// TestFailedRebuildHasNoRoles fails if a rebuild that could not begin returns the roles of the draft that another has left.
func TestFailedRebuildHasNoRoles(t *testing.T) {
	t.Parallel()
	b := newTestCatalogue(t)
	b.leaveDraft()
	cut := errors.New("the connection was cut")
	h := b.host
	h.AWS = cloud.WithHook(h.AWS, func(_ context.Context, call cloud.Call, send func() error) error {
		if in, ok := call.Input.(*dynamodb.QueryInput); ok && isOfRoles(in) {
			return cut
		}
		return send()
	})
	roles, err := catalogue.New(openStores(t, h)).Rebuild(t.Context(), b.clock, "rebuild")
	if roles != 0 || !errors.Is(err, cut) {
		t.Errorf("got %d roles, %v", roles, err)
	}
}

// leaveDraft leaves a draft with some of its shards.
func (b *testCatalogue) leaveDraft() {
	b.t.Helper()
	b.putCarpenters(0, 40)
	b.breakGeneration()
	slow := func() time.Time { b.now = b.now.Add(time.Minute); return b.now }
	published, err := b.newPublisher(10).Publish(b.t.Context(), slow, "slow")
	if must(b.t, err); published {
		b.t.Fatal("it is published within its time")
	}
}

func keyIn(item map[string]types.AttributeValue, name string) string {
	return item[name].(*types.AttributeValueMemberS).Value
}

// isOfRoles reports whether a query lists roles.
func isOfRoles(in *dynamodb.QueryInput) bool {
	pk := in.KeyConditions[topology.PK].AttributeValueList[0].(*types.AttributeValueMemberS).Value
	return strings.HasPrefix(pk, strings.TrimSuffix(itemkey.ListedRole.PK("0"), "0"))
}
