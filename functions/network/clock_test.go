package network_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/functions/ingest"
	"github.com/recruiting-marketplace/external-api/functions/submissions"
	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// lag is by how much the clock of one process is behind that of the others.
const lag = 10 * time.Minute

// behind returns the service as another process serves it, whose clock is behind.
func (b *testService) behind() *testService {
	late := *b
	late.host.Now = func() time.Time { return b.Now().Add(-lag) }
	late.Handler = late.openHandler(late.host)
	return &late
}

// Calls that a process with a clock behind serves come after those that were answered before them:
// each has its effect, and the feed of changes tells them in this order.
func TestCallsByAClockThatIsBehind(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	late := b.behind()
	id := b.mustIngest(newCandidate(olga, 1))
	feed := apitest.DecodeOK[contract.ChangeList](t, b.sendRequest(http.MethodGet, "/talent-network/changes?cursor=latest", "")).NextCursor
	for _, service := range []*testService{late, b, late} {
		wantResults(t, "off", service.postMarket("off-market", byID(id)), "off_market "+id)
		b.checkShown(id, contract.OffMarket)
		wantResults(t, "back", service.postMarket("re-enable", byID(id)), "on_market "+id)
		b.checkShown(id, contract.OnMarket)
	}
	wantResults(t, "off by the one", b.postMarket("off-market", byID(id)), "off_market "+id)
	wantResults(t, "back by the other", late.postMarket("re-enable", byID(id)), "on_market "+id)
	for n, service := range []*testService{b, late, b, late} {
		put := service.sendRequest(http.MethodPut, pathOf(id, "preferences"), sentPreferences(int64(1000+n)))
		if got := b.sendRequest(http.MethodGet, pathOf(id, "preferences"), ""); got.Body != put.Body || !strings.Contains(got.Body, fmt.Sprint(`"salaryMin":`, 1000+n)) {
			t.Errorf("preferences %d: put %s, then got %s", n, put.Body, got.Body)
		}
		service.sendRequest(http.MethodPut, pathOf(id, "fast-track"), fmt.Sprintf(`{"fastTrack":%t}`, n%2 == 0))
		if got := apitest.DecodeOK[contract.FastTrack](t, b.sendRequest(http.MethodGet, pathOf(id, "fast-track"), "")); got.FastTrack != (n%2 == 0) {
			t.Errorf("fast-track %d: got %+v", n, got)
		}
	}
	var told []string
	for _, c := range apitest.DecodeOK[contract.ChangeList](t, b.sendRequest(http.MethodGet, "/talent-network/changes?type=candidate.market_changed&cursor="+feed, "")).Changes {
		told = append(told, string(c.Status))
	}
	if want := strings.Fields(strings.Repeat("off_market on_market ", 4)); !cmp.Equal(want, told) {
		t.Errorf("the feed tells %v, want %v", told, want)
	}
}

// A pre-exclusion by a clock behind stands against a submission that was ingested before it, and
// falls with one that is sent later.
func TestPreExclusionByAClockThatIsBehind(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	id := b.mustIngest(newCandidate(ben, 1))
	b.changeMember(ben, func(m *account.Member) { m.Deactivated = true })
	wantResults(t, "excluded", b.behind().postMarket("off-market", byEmail(1)), "pre_excluded")
	b.changeMember(ben, func(m *account.Member) { m.Deactivated = false })
	b.checkShown(id, contract.OffMarket)
	wantResults(t, "not restored", b.postMarket("re-enable", byEmail(1)), "!pre_excluded "+id)
	b.Move(time.Second)
	b.mustIngest(newCandidate(ben, 1))
	b.checkShown(id, contract.OnMarket)
	b.changeMember(ben, func(m *account.Member) { m.Deactivated = true })
	wantResults(t, "excluded after it was restored", b.behind().postMarket("off-market", byEmail(1)), "pre_excluded")
	wantResults(t, "not restored", b.postMarket("re-enable", byEmail(1)), "!pre_excluded")
}

// A submission has the time at which it was accepted. If that clock was behind, statements that
// were made before can be newer: they stand, the item succeeds, and the log says which they are.
func TestASubmissionAcceptedByAClockThatIsBehind(t *testing.T) {
	t.Parallel()
	c := newClient(newTestServiceOn(t, cloudtest.System), 0, nil)
	var log bytes.Buffer
	c.startBehind(&log)
	id := c.mustIngest(newCandidate(olga, c.first))
	put := c.sendRequest(http.MethodPut, pathOf(id, "preferences"), sentPreferences(1))
	c.postMarket("off-market", byID(id))
	for n, tt := range []struct {
		id     string
		status contract.MarketStatus
		kept   string
	}{{id, contract.OffMarket, `"kept":["resume","preferences","market"]`}, {"", contract.OnMarket, ""}} {
		log.Reset()
		batch := c.real.sendBulk([]flight{{candidate: newCandidate(olga, c.first+n)}})
		c.real.ingestAtOnce()
		item := apitest.DecodeOK[contract.Batch](t, c.real.ask(http.MethodGet, "/talent-network/batches/"+batch, "")).Items[0]
		if item.Status != contract.Succeeded || tt.id != "" && item.CandidateUserID != id {
			t.Errorf("submission %d: got %+v", n, item)
		}
		c.checkShown(item.CandidateUserID, tt.status)
		line := fmt.Sprintf(`"ingest: newer statements kept","submission":%q,%s`, item.SubmissionID, tt.kept)
		if told := strings.Contains(log.String(), line); told != (tt.kept != "") {
			t.Errorf("submission %d: the log has %s; want %t of %s", n, log.String(), tt.kept != "", line)
		}
	}
	if got := c.sendRequest(http.MethodGet, pathOf(id, "preferences"), ""); got.Body != put.Body {
		t.Errorf("got %s, want %s", got.Body, put.Body)
	}
}

// startBehind makes submissions be accepted by a process whose clock is behind, and the worker
// write its log to log.
func (c *client) startBehind(log *bytes.Buffer) {
	c.t.Helper()
	host := c.host
	host.AWS = cloud.WithHook(host.AWS, c.real.keep)
	host.Now = func() time.Time { return c.Now().Add(-lag) }
	var err error
	c.real.Handler, err = submissions.New(c.t.Context(), host)
	c.must(err)
	host.Now = c.Now
	host.Log = cloud.NewLog(log, "test")
	c.real.worker, err = ingest.New(c.t.Context(), host)
	c.must(err)
}
