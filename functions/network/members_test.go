package network_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// unitLine is what a function's log says that a unit of work cost.
type unitLine struct {
	Read  float64 `json:"read_units"`
	Write float64 `json:"write_units"`
}

// lastUnits returns the units that the last line of the host's log reports.
func (b *testService) lastUnits(log *bytes.Buffer) (line unitLine) {
	b.t.Helper()
	lines := bytes.Split(bytes.TrimSpace(log.Bytes()), []byte("\n"))
	b.must(json.Unmarshal(lines[len(lines)-1], &line))
	return line
}

// measureUnits returns the cost of a unit of work that reports to the host's log.
func (b *testService) measureUnits(log *bytes.Buffer, work func(context.Context) error) unitLine {
	b.t.Helper()
	ctx := cloud.Metered(b.t.Context())
	b.must(work(ctx))
	b.host.Log.InfoContext(cloud.Finished(ctx), "measured")
	return b.lastUnits(log)
}

// addMembers stores n more active members, as events would.
func (b *testService) addMembers(n int) {
	b.t.Helper()
	table := cloudtest.TableOf(b.t, b.host, topology.Accounts)
	var items []any
	for i := range n {
		m := account.Member{ID: fmt.Sprintf("rec_%05d", i), Name: "Ada Bee Example", Email: fmt.Sprintf("ada.b.%05d@example.com", i), Approved: true}
		items = append(items,
			struct {
				PK       string `dynamo:"pk"`
				SK       string `dynamo:"sk"`
				Revision string `dynamo:"revision"`
				Version  int64  `dynamo:"version"`
				account.Member
			}{"M#" + agencyID + "#" + m.ID, "M", "r", 1, m},
			struct {
				PK       string                    `dynamo:"pk"`
				SK       string                    `dynamo:"sk"`
				Revision string                    `dynamo:"revision"`
				Members  map[string]account.Member `dynamo:"members"`
			}{"E#" + agencyID, m.Email, "r", map[string]account.Member{m.ID: m}})
	}
	for part := range slices.Chunk(items, 1000) {
		_, err := table.Batch(topology.PK, topology.SK).Write().Put(part...).Run(b.t.Context())
		b.must(err)
	}
}

// What the work of an agency costs does not depend on how many members it has.
func TestUnitsOfManyMembers(t *testing.T) {
	t.Parallel()
	for _, members := range []int{0, 500, cloudtest.Draws(1_500)} {
		b := newTestServiceOn(t, cloudtest.System)
		b.addMembers(max(members, 1))
		var log bytes.Buffer
		b.host.Log = cloud.NewLog(&log, "test")
		c := newClient(b, 0, nil)
		last := func() unitLine { return b.lastUnits(&log) }
		measure := func(work func(context.Context) error) unitLine { return b.measureUnits(&log, work) }
		email := fmt.Sprintf("ada.b.%05d@example.com", max(members, 1)-1)
		first := c.candidate()
		second := c.candidate()
		first.candidate.OwnerID = olga
		second.candidate.OwnerID = olga // whom body does not name
		bodies := []string{first.body(""), second.body(fmt.Sprintf(`"recruiterEmail":%q,`, email))}
		costs := map[string]unitLine{}
		for i, name := range []string{"of the primary owner", "of a member"} {
			resume := `"resume":{"contentBase64":"` + c.real.resume() + `"}}`
			out := apitest.DecodeOK[contract.SubmitResponse](t, c.real.ask(http.MethodPost, "/talent-network/candidates/submit", bodies[i][:len(bodies[i])-1]+resume))
			costs["submit "+name] = last()
			c.Move(time.Second)
			log.Reset()
			c.real.deliver(flight{submission: out.SubmissionID})
			costs["ingest "+name] = last()
			if got := c.real.end(out.BatchID, out.SubmissionID); got.Status != contract.Succeeded {
				t.Fatalf("got %+v", got)
			}
		}
		for name, query := range map[string]string{"list": "", "list of a member": "?recruiterEmail=" + email} {
			c.listCandidates(query)
			costs[name] = last()
		}
		costs["member by e-mail"] = measure(func(ctx context.Context) error { _, err := b.accounts.ActiveMember(ctx, agencyID, email); return err })
		costs["agency event"] = measure(func(ctx context.Context) error {
			a := newAgency().Agency
			return b.accounts.ApplyAgency(ctx, agencyID, 99, &a)
		})
		costs["member event"] = measure(func(ctx context.Context) error {
			return b.accounts.ApplyMember(ctx, agencyID, "rec_00000", 99, &account.Member{Email: "new@example.com", Approved: true})
		})
		for name, most := range map[string]unitLine{
			"submit of the primary owner": {3, 20}, "submit of a member": {3, 20}, "ingest of the primary owner": {20, 40}, "ingest of a member": {20, 40},
			"list": {4, 1}, "list of a member": {4, 1}, "member by e-mail": {1, 0}, "agency event": {2, 4}, "member event": {4, 8},
		} {
			got := costs[name]
			t.Logf("%d members: %s: %+v", members, name, got)
			if got == (unitLine{}) || got.Read > most.Read || got.Write > most.Write {
				t.Errorf("%d members: %s cost %+v units; want at most %+v", members, name, got, most)
			}
		}
	}
}
