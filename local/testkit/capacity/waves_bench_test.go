package capacity_test

import (
	"slices"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/run/system"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// smallScale is the data of benchmarks whose figures do not depend on its amount.
var smallScale = scale{members: 50, memberships: 60, roles: 100, ownRoles: 50, candidates: 60, calls: 2}

// waveOperations are the operations of BenchmarkWaves, by the name of its benchmark. The process has seen
// the key of each before; the first request of a key takes a wave more.
var waveOperations = []operation{
	{"preferences", func(s *scene) func() {
		key := s.newAgencyKey()
		send := func() {
			s.sendRequest(key, "GET", "/talent-network/candidates/"+s.membership+"/preferences", "")
		}
		send()
		return send
	}},
	newGet("role", contract.PersonalKey, "/recruiter/roles/role-"+roleTag),
	newGet("CRM-candidate", contract.PersonalKey, "/recruiter/candidates/cand-"+candidateTag),
	{"batch", prepareBatch},
	newGet("list-page", contract.AgencyKey, "/talent-network/candidates"),
	newGet("CRM-page", contract.PersonalKey, "/recruiter/candidates"),
	newGet("role-list", contract.PersonalKey, "/recruiter/roles"),
	{"submit", func(s *scene) func() {
		key := s.newAgencyKey()
		send := func() {
			s.sendRequest(key, "POST", "/talent-network/candidates/submit", newSubmission(s.nextNumber()))
		}
		send()
		return send
	}},
}

// BenchmarkWaves runs operations where every AWS call takes 3 ms longer. "waves" is how often one
// waits for calls, those under way at once counted once: the median, because a call that starts late
// is a wave more. "ms/op" and "ms/call" are the medians of the operation and of one read by the same
// client.
func BenchmarkWaves(b *testing.B) {
	s := newScene(b, smallScale)
	w := &cloudtest.Waves{Delay: 3 * time.Millisecond}
	hooked := s.host
	hooked.AWS = cloud.WithHook(cloud.WithHook(s.host.AWS, w.Hook), s.recordWakeUp)
	var err error
	s.Functions, err = system.OpenFunctions(b.Context(), hooked)
	s.must(err)
	accounts := cloudtest.TableOf(b, hooked, topology.Accounts)
	for _, o := range waveOperations {
		b.Run(o.name, func(b *testing.B) {
			var times, calls []time.Duration
			var waves []int
			var made int
			for b.Loop() {
				run := o.prepare(s)
				begun := time.Now()
				var item dynamo.Item
				s.must(accounts.Get(topology.PK, "A#"+agencyID).Range(topology.SK, dynamo.Equal, "A").Consistent(true).One(b.Context(), &item))
				calls = append(calls, time.Since(begun))
				w.Reset()
				begun = time.Now()
				run()
				times = append(times, time.Since(begun))
				count := 0
				made, count = w.Reset()
				waves = append(waves, count)
			}
			slices.Sort(waves)
			b.ReportMetric(float64(made), "calls")
			b.ReportMetric(float64(waves[len(waves)/2]), "waves")
			b.ReportMetric(middle(times), "ms/op")
			b.ReportMetric(middle(calls), "ms/call")
		})
	}
}

// middle returns the median in milliseconds.
func middle(times []time.Duration) float64 {
	slices.Sort(times)
	return float64(times[len(times)/2].Microseconds()) / 1000
}
