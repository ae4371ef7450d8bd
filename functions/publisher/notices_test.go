package publisher_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// putCandidates stores a CRM of so many candidates.
func (p *testPublisher) putCandidates(recruiter string, n int) {
	p.t.Helper()
	for i := range n {
		id := fmt.Sprintf("cand%03d", i)
		must(p.t, p.crm.Put(p.t.Context(), recruiter, id, entity.Stamp{Version: 1, At: p.clock.Now()}, &crm.Candidate{
			RecruiterID: recruiter, CandidateID: id, Name: "Ada Example", RelationshipStatus: "ACTIVE", AddedAt: contract.At(p.clock.Now()),
		}))
	}
}

// TestNoticedPublications fails unless each notice of a large CRM publishes it, the log says so, and a message that is no notice is
// delivered again, alone.
func TestNoticedPublications(t *testing.T) {
	t.Parallel()
	p := newTestPublisher(t, nil)
	p.putCandidates("large", 100)
	p.putCandidates("small", 99)
	notice := func(recruiter string, receipts string) events.SQSMessage {
		n := crm.ChangeNotice{RecruiterID: recruiter, At: noon}
		return events.SQSMessage{MessageId: "m-" + recruiter, Body: n.String(), Attributes: map[string]string{"ApproximateReceiveCount": receipts}}
	}
	broken := events.SQSMessage{MessageId: "m-broken", Body: "{}", Attributes: map[string]string{"ApproximateReceiveCount": "1"}}
	for _, step := range []struct {
		name     string
		messages []events.SQSMessage
		failed   []events.SQSBatchItemFailure
		want     []publication
	}{
		{"all", []events.SQSMessage{notice("large", "1"), broken, notice("small", "1")}, []events.SQSBatchItemFailure{{ItemIdentifier: "m-broken"}},
			[]publication{{"INFO", "book", "large", true, 100, 0}, {"WARN", "book", "", false, 0, 0}, {"INFO", "book", "small", false, 0, 0}}},
		{"one that was published", []events.SQSMessage{notice("large", "1")}, nil, []publication{{"INFO", "book", "large", false, 0, 0}}},
		{"delivered again", []events.SQSMessage{notice("large", "2")}, nil, []publication{{"INFO", "book", "large", true, 100, 0}}},
	} {
		p.clock.Move(time.Hour)
		out, err := p.Handle(t.Context(), events.SQSEvent{Records: step.messages})
		if diff := cmp.Diff(any(events.SQSEventResponse{BatchItemFailures: step.failed}), out); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", step.name, err, diff)
		}
		if diff := cmp.Diff(step.want, p.readLog()); diff != "" {
			t.Errorf("%s: the log (-want +got):\n%s", step.name, diff)
		}
	}
}

// publication is a line of the log.
type publication struct {
	Level, Msg, Recruiter string
	Published             bool
	Candidates, MS        int
}

// readLog returns the lines of the log since the last call.
func (p *testPublisher) readLog() (lines []publication) {
	p.t.Helper()
	for line := range strings.Lines(p.log.String()) {
		var l publication
		must(p.t, json.Unmarshal([]byte(line), &l))
		lines = append(lines, l)
	}
	p.log.Reset()
	return lines
}

// TestPublicationsAfterALoad fails unless the large ones of some CRMs are published, also unchanged, and their candidates counted.
func TestPublicationsAfterALoad(t *testing.T) {
	t.Parallel()
	p := newTestPublisher(t, nil)
	p.putCandidates("rec1", 100)
	p.putCandidates("rec2", 101)
	p.putCandidates("rec3", 99)
	for range 2 {
		p.clock.Move(time.Hour)
		if candidates, err := p.PublishIndexes(t.Context(), []string{"rec1", "rec2", "rec3"}); err != nil || candidates != 201 {
			t.Errorf("got %d candidates, %v, want 201", candidates, err)
		}
	}
}
