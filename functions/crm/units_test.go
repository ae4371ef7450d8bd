package crm_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// listRow is a row as it is stored.
type listRow struct {
	PK   string `dynamo:"pk"`
	SK   string `dynamo:"sk"`
	Body []byte `dynamo:"body"`
}

// newListRow returns a row of a kind in a recruiter's list.
func (b *testService) newListRow(kind itemkey.Kind, body any, place, id string) listRow {
	content, err := json.Marshal(body)
	b.must(err)
	pk, sk := kind.Key(olga, place, id)
	return listRow{pk, sk, content}
}

// fillLists stores size rows each of olga's candidates, matches and calls, of typical sizes. A
// quarter of the matches is in each status.
func (b *testService) fillLists(size int) {
	b.t.Helper()
	rows := make([]any, 0, 3*size)
	for i := range size {
		id := fmt.Sprintf("0192f0c1-2345-7abc-8def-%012d", i)
		at := b.Now().Add(-time.Duration(i+1) * time.Minute)
		m := newMatch(olga, "r1", at)
		m.Status = []contract.MatchStatus{contract.MatchStatusPending, contract.MatchStatusSubmitted, contract.MatchStatusDismissed, contract.MatchStatusExpired}[i%4]
		m.HiringManagerNote = new(strings.Repeat("We would like to meet. ", 10))
		c := b.newCall(olga, at)
		c.Transcript = nil
		c.Summary = new(strings.Repeat("They talked about the team. ", 10))
		candidate := crm.Row{
			ID: id, Name: fmt.Sprint("Ada Example-", i), LinkedInURL: "https://www.linkedin.com/in/person-" + id, Location: "Berlin, Germany", Company: "Example Works",
			OneLiner: "Staff engineer who builds compilers and the teams around them", Title: "Staff Engineer", Status: "SOURCED", Tags: []string{"rust"},
			AddedAt: at.UnixMilli(), Employers: []string{fmt.Sprint("Sample & Sons ", i%101)},
		}
		rank := entity.RankOf(at, id).Key()
		rows = append(rows, b.newListRow(itemkey.CandidateRow, candidate, rank, id), b.newListRow(itemkey.RecruiterCall, c, rank, id),
			b.newListRow(itemkey.RecruiterMatch, m, at.UTC().Format("20060102T150405.000"), id))
	}
	for part := range slices.Chunk(rows, 1000) {
		_, err := cloudtest.TableOf(b.t, b.host, topology.Marketplace).Batch(topology.PK, topology.SK).Write().Put(part...).Run(b.t.Context())
		b.must(err)
	}
}

// unitLine is the part of a log line that reports the cost of the work.
type unitLine struct {
	Calls int     `json:"calls"`
	Read  float64 `json:"read_units"`
	Write float64 `json:"write_units"`
}

// newCandidate returns a candidate with about 10 KB of details.
func newCandidate(id string) crm.Candidate {
	return crm.Candidate{
		CandidateID: id, Name: "Ada Example", RelationshipStatus: "SOURCED", RecruiterID: olga,
		Email: new(id + "@example.com"), LinkedInURL: new("https://www.linkedin.com/in/" + id), Note: new(strings.Repeat("Met. ", 2000)),
	}
}

// The cost of a recruiter's requests and events does not depend on how many candidates, matches and
// calls the recruiter has.
func TestUnitsOfARecruiter(t *testing.T) {
	t.Parallel()
	for _, size := range []int{10, 1000, 5000} {
		b := newTestService(t)
		b.fillLists(size)
		b.putRole("r1", nil, olga)
		c := newCandidate("ada")
		c.AddedAt = contract.At(b.Now().Add(-time.Hour * 24 * 365))
		b.putCandidate(olga, c)
		b.putCall("call1", b.newCall(olga, b.Now().AddDate(-1, 0, 0), "Hello"))
		b.publishIndex()
		var log bytes.Buffer
		b.host.Log = cloud.NewLog(&log, "crm")
		b.restartService(func(_ context.Context, _ cloud.Call, send func() error) error { return send() })
		last := func() (line unitLine) {
			lines := bytes.Split(bytes.TrimSpace(log.Bytes()), []byte("\n"))
			b.must(json.Unmarshal(lines[len(lines)-1], &line))
			return line
		}
		costs := map[string]unitLine{}
		for name, path := range map[string]string{
			"page": candidatesPath, "search": candidatesPath + "?query=ada+example-7", "tags": candidatesPath + "?tags=rust", "detail": candidatesPath + "/ada",
			"matches": matchPath, "resolved matches": matchPath + "?status=submitted", "all matches": matchPath + "?status=all",
			"calls": callsPath, "call": callsPath + "/call1",
		} {
			for _, when := range []string{" first", ""} {
				b.Set(b.Now().Add(10 * time.Second))
				if a := b.get(olga, path); a.Status != 200 {
					t.Fatal(a.Body)
				}
				costs[name+when] = last()
			}
		}
		measure := func(name string, work func(context.Context) error) {
			ctx := cloud.Metered(t.Context())
			b.must(work(ctx))
			b.host.Log.InfoContext(cloud.Finished(ctx), "measured")
			costs[name] = last()
		}
		for i, name := range []string{"candidate added", "candidate changed"} {
			measure(name, func(ctx context.Context) error {
				b.Set(b.Now().Add(time.Second))
				c := newCandidate("eve")
				c.AddedAt = contract.At(b.Now())
				c.Skills = []string{fmt.Sprint("skill ", i)}
				return b.crm.Put(ctx, olga, "eve", b.nextStamp(), &c)
			})
		}
		measure("match", func(ctx context.Context) error {
			m := newMatch(olga, "r1", b.Now())
			return b.matches.Put(ctx, "match1", b.nextStamp(), &m)
		})
		for _, name := range []string{"call added", "call changed"} {
			measure(name, func(ctx context.Context) error {
				c := b.newCall(olga, b.Now(), "Hello")
				for i := range 30 {
					c.Participants = append(c.Participants[:i], contract.CallParticipant{Email: fmt.Sprintf("p%d@example.com", i)})
				}
				return b.recordings.Put(ctx, "call2", b.nextStamp(), &c)
			})
		}
		for name, got := range costs {
			most, known := mostUnits[name]
			t.Logf("%d rows: %s: %+v", size, name, got)
			if !known || got == (unitLine{}) || got.Read > most.Read || got.Write > most.Write || got.Calls > most.Calls {
				t.Errorf("%d rows: %s cost %+v; want at most %+v", size, name, got, most)
			}
		}
	}
}

// mostUnits bounds the units of each kind of work, with any number of rows. A process that has not
// searched a CRM before reads up to 1,000 rows of it.
var mostUnits = map[string]unitLine{
	"page": {2, 2, 1}, "page first": {2, 2, 1}, "search": {3, 22, 1}, "search first": {6, 150, 1}, "tags": {3, 22, 1}, "tags first": {6, 150, 1},
	"detail": {3, 5, 1}, "detail first": {3, 5, 1},
	"matches": {6, 26, 1}, "matches first": {6, 26, 1}, "resolved matches": {6, 26, 1}, "resolved matches first": {6, 26, 1},
	"all matches": {5, 10, 1}, "all matches first": {5, 10, 1},
	"calls": {2, 8, 1}, "calls first": {2, 8, 1}, "call": {3, 2, 1}, "call first": {3, 2, 1},
	"candidate added": {3, 6, 36}, "candidate changed": {3, 6, 42}, "match": {2, 2, 14}, "call added": {6, 64, 84}, "call changed": {7, 64, 30},
}
