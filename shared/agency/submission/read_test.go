package submission_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/agency/changefeed"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

func TestWhoReadsABatchAndUntilWhen(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	s, _ := d.acceptOne("ada", start)
	end := start.Add(submission.Retention)
	for name, c := range map[string]struct {
		tenant tenant.ID
		batch  uuid.UUID
		at     time.Time
		found  bool
	}{
		"its agency":             {agency, s.BatchID, start, true},
		"another agency":         {"agy_2", s.BatchID, start, false},
		"its agency's test keys": {tenant.Of(agency, "test"), s.BatchID, start, false},
		"no agency":              {"", s.BatchID, start, false},
		"another batch":          {agency, uuid.Must(uuid.NewV7()), start, false},
		"on the last day":        {agency, s.BatchID, end.Add(-time.Second), true},
		"after the retention":    {agency, s.BatchID, end, false},
	} {
		_, _, err := d.ReadBatch(context.Background(), c.tenant, c.batch, c.at)
		if found := err == nil; found != c.found {
			t.Errorf("%s: found %v (%v), want %v", name, found, err, c.found)
		}
		if err != nil && fault.As(err).Kind != fault.NotFound {
			t.Errorf("%s: got %v, want it missing", name, err)
		}
	}
}

// A crash may leave rows whose header was never written: no batch.
func TestRowsWithoutAHeaderAreNoBatch(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	s, _ := d.acceptOne("ada", start)
	must(t, d.table.Delete(topology.PK, "B#"+s.BatchID.String()).Range(topology.SK, "H").Run(context.Background()))
	for _, who := range []tenant.ID{agency, ""} {
		if _, _, err := d.ReadBatch(context.Background(), who, s.BatchID, start); err == nil || fault.As(err).Kind != fault.NotFound {
			t.Errorf("agency %q: got %v, want it missing", who, err)
		}
	}
}

func TestUpdatedAtIsTheLastTransition(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	s, wakeUp := d.acceptOne("ada", start)
	at := func(minutes int) time.Time { return start.Add(time.Duration(minutes) * time.Minute) }
	c := d.mustClaim(wakeUp, at(1))
	wantUpdatedAt(t, d, s, at(1))
	must(t, d.Requeue(context.Background(), c, at(2), 0))
	wantUpdatedAt(t, d, s, at(2))
	d.sweepAt(at(3)) // queued stays queued: no transition
	wantUpdatedAt(t, d, s, at(2))
	c = d.mustClaim(wakeUp, at(4))
	must(t, d.succeedAt(c, at(5)))
	wantUpdatedAt(t, d, s, at(5))
}

func wantUpdatedAt(t *testing.T, d *testStore, s submission.Submission, want time.Time) {
	t.Helper()
	if got := d.readItem(s, want).UpdatedAt; !got.Equal(want) {
		t.Errorf("updated at %v, want %v", got, want)
	}
}

func TestRowsAreThin(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	subs, wakeUps := d.acceptNew(5, "ada", start)
	must(t, d.succeedAt(d.mustClaim(wakeUps[0], start), start))
	must(t, d.exhaust(context.Background(), d.mustClaim(wakeUps[1], start), start))
	_, err := d.FailEnqueue(context.Background(), subs[2], start)
	must(t, err)
	d.mustClaim(wakeUps[3], start)
	d.sweepAt(subs[4].Deadline)
	var items []dynamo.Item
	must(t, d.table.Get(topology.PK, "B#"+subs[0].BatchID.String()).All(context.Background(), &items))
	if len(items) != 6 {
		t.Fatalf("got %d items, want the header and five rows", len(items))
	}
	for _, item := range items {
		if size := itemSize(item); size > 250 {
			t.Errorf("%s %s is %d bytes, above 250", item["sk"].(*types.AttributeValueMemberS).Value, statusOf(item), size)
		}
	}
}

func statusOf(item dynamo.Item) string {
	if s, ok := item["status"].(*types.AttributeValueMemberS); ok {
		return s.Value
	}
	return ""
}

// itemSize is an item's size as DynamoDB counts it: names and values in bytes, a
// number's digits two to a byte and one more.
func itemSize(item dynamo.Item) int {
	n := 0
	for name, value := range item {
		n += len(name)
		switch v := value.(type) {
		case *types.AttributeValueMemberS:
			n += len(v.Value)
		case *types.AttributeValueMemberN:
			n += (len(v.Value)+1)/2 + 1
		case *types.AttributeValueMemberB:
			n += len(v.Value)
		default:
			panic(fmt.Sprintf("%s is a %T", name, v))
		}
	}
	return n
}

func TestASubmissionSurvivesStorage(t *testing.T) {
	t.Parallel()
	for name, who := range map[string]string{
		"Latin": "Zoë Łukasiewicz-O'Neill", "Cyrillic": "Анна Пример", "Arabic": "مثال مريم", "Han": "山田花子",
		"Devanagari": "उदाहरण", "emoji": "👩🏽‍💻 Ex", "decomposed": "Zoe\u0308", "long": strings.Repeat("長", 300), "markup": `<b>"\u0000&`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTestStore(t)
			b, subs := d.newBatch(1, "ada", start)
			top := int64(1) << 62
			subs[0].Name = who
			subs[0].ScreeningCallLink = "https://example.com/call?a=1&b=<2>"
			subs[0].FileName = who + ".pdf"
			subs[0].Preferences = contract.WorkPreferences{Locations: []contract.Location{"texas"}, SalaryMin: top, OTE: &top, CompanySizePreferences: []contract.CompanySize{"< 10 employees"}}
			c := d.mustClaim(d.mustAccept(b, subs)[0].WakeUp.Body, start)
			wantSame(t, subs[0], c.Submission)
		})
	}
}

// ReferencesOf finds the reference of each change's item, also of one that only a later attempt
// accepted, and makes no call where no submission has one.
func TestReferencesOfChanges(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	b, subs := d.newBatch(60, "ada", start)
	for _, i := range []int{0, 7, 55} {
		subs[i].ClientReferenceID = fmt.Sprint("ats-", i)
	}
	d.mustAccept(b, []submission.Submission{subs[0], subs[8]})
	d.mustAccept(b, subs)
	var changes []changefeed.Change
	var want []string
	for i, sub := range subs[:56] {
		c := changefeed.Change{BatchID: b.ID.String()}
		if sub.ClientReferenceID != "" {
			c.ReferredItem = i + 1
		}
		changes = append(changes, c)
		want = append(want, sub.ClientReferenceID)
	}
	got, err := d.ReferencesOf(t.Context(), changes)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	d.calls.Reset()
	got, err = d.ReferencesOf(t.Context(), changes[1:7])
	if diff := cmp.Diff(make([]string, 6), got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if calls := d.calls.Reset(); len(calls) > 0 {
		t.Errorf("got the calls %q, want none", calls)
	}
}
