package system_test

import (
	"context"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// readKinds is a hook that counts reads of DynamoDB by whether they are consistent.
type readKinds struct {
	mu                   sync.Mutex
	consistent, eventual int
}

func (k *readKinds) Hook(_ context.Context, call cloud.Call, send func() error) error {
	var consistent *bool
	switch in := call.Input.(type) {
	case *dynamodb.GetItemInput:
		consistent = in.ConsistentRead
	case *dynamodb.QueryInput:
		consistent = in.ConsistentRead
	case *dynamodb.BatchGetItemInput:
		for _, keys := range in.RequestItems {
			consistent = keys.ConsistentRead
		}
	default:
		return send()
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if aws.ToBool(consistent) {
		k.consistent++
	} else {
		k.eventual++
	}
	return send()
}

func (k *readKinds) reset() (consistent, eventual int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	defer func() {
		k.consistent = 0
		k.eventual = 0
	}()
	return k.consistent, k.eventual
}

// What the app owns is read by its id eventually consistently, for half the price, and nothing is
// refused before it was read consistently too.
func TestReadsByIDAreEventual(t *testing.T) {
	t.Parallel()
	for _, read := range []struct {
		name    string
		prepare func(*countedSystem) testRequest
		status  int
	}{
		{"a role", getRoleAs("/recruiter/roles/", demo.MemberID), 200},
		{"an agency's role", getRoleAs("/agency/roles/", ""), 200},
		{"a CRM candidate", getAsSeededRecruiter("/recruiter/candidates/" + seededCandidate), 200},
		{"a call", getAsSeededRecruiter("/recruiter/notetaker-calls/" + seededCall), 200},
		{"no role", getAsSeededRecruiter("/recruiter/roles/none"), 404},
		{"no role of an agency", getRequest("/agency/roles/none?recruiterEmail=" + demo.MemberEmail), 404},
		{"a role of no member", getRequest("/agency/roles/none?recruiterEmail=nobody@example.com"), 400},
		{"no CRM candidate", getAsSeededRecruiter("/recruiter/candidates/none"), 404},
		{"no call", getAsSeededRecruiter("/recruiter/notetaker-calls/none"), 404},
	} {
		t.Run(read.name, func(t *testing.T) {
			t.Parallel()
			kinds := &readKinds{}
			c := &countedSystem{faults: &faultInjector{}}
			c.manualSystem = newManualSystemWith(t, map[string]string{topology.SettingCatalogueAge: ""}, kinds.Hook)
			request := read.prepare(c)
			kinds.reset()
			r := c.sendTestRequest(request)
			consistent, eventual := kinds.reset()
			if r.status != read.status || eventual == 0 || (consistent > 0) != (read.status != 200) {
				t.Errorf("got %d %.200s after %d eventual and %d consistent reads", r.status, r.body, eventual, consistent)
			}
		})
	}
}
