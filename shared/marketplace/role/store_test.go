package role_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

var (
	ctx = context.Background()
	now = time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
)

func stamp(version int64) entity.Stamp { return entity.Stamp{Version: version, At: now} }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// open makes a store on tables of its own; calls counts what it does.
func open(t testing.TB, hooks ...cloud.Hook) (*role.Store, *cloudtest.Calls) {
	t.Helper()
	calls := &cloudtest.Calls{}
	h := cloudtest.System(t, nil, func() time.Time { return now })
	h.AWS = cloud.WithHook(h.AWS, calls.Hook)
	for _, hook := range hooks {
		h.AWS = cloud.WithHook(h.AWS, hook)
	}
	table := h.Opener().Table(topology.Marketplace)
	bucket := objectstore.Open(h.Opener(), topology.MarketplaceBucket)
	return role.NewStore(entity.NewStore(table, dynamo.New(h.AWS).WriteTx), bucket), calls
}

func at(days int) contract.Time { return contract.At(now.AddDate(0, 0, days)) }

func engineer(company string) role.Role {
	return role.Role{
		Listing: role.Listing{
			Title: "Engineer", CompanyID: company, Status: "ACTIVE", Visibility: "PUBLIC", UpdatedAt: at(0), BrowseURL: "https://app.example.com/1",
		},
		Prose: role.Prose{Description: new("Build things."), Requirements: []role.Requirement{{Description: "Go", Type: "REQUIRED"}}},
	}
}

func works(name string) *role.Company {
	return &role.Company{CompanyFacts: role.CompanyFacts{Name: name, OneLiner: new("We build.")}, CompanyDetails: role.CompanyDetails{Benefits: []string{"Tea"}}}
}

// card is a role as lists show it.
func card(t testing.TB, s *role.Store, id string) (row contract.RoleSummary, found bool) {
	t.Helper()
	roles, err := s.ReadRoles(ctx, []string{id}, role.ReadOptions{Consistent: true})
	must(t, err)
	unredacted, found := roles[id]
	return role.Redact(unredacted, role.Caller{Now: now}).Summary(), found
}

// opened is a role with all that lies with it and its whole company.
func opened(t testing.TB, s *role.Store, id string) (f role.FullRole, found bool) {
	t.Helper()
	f, found, err := s.ReadFull(ctx, id)
	if err == nil && found {
		_, err = s.Complete(ctx, &f, "rec1")
	}
	must(t, err)
	return f, found
}

// TestCompanyReachesItsRoles shows the company on a role whichever comes first,
// when it changes, when the role moves and when the company goes.
func TestCompanyReachesItsRoles(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	companyReachesItsRoles(t, s)
}

func companyReachesItsRoles(t *testing.T, s *role.Store) {
	name := func(want string) {
		t.Helper()
		row, found := card(t, s, "r1")
		if file, there := opened(t, s, "r1"); !there || !found || row.Company.Name != want ||
			role.Redact(file.Unredacted, role.Caller{}).Summary().Company.Name != want {
			t.Errorf("the list shows %q (%v), want %q", row.Company.Name, found, want)
		}
	}
	must(t, s.Put(ctx, "r1", stamp(1), engineer("c1")))
	name("")
	must(t, s.PutCompany(ctx, "c1", stamp(1), works("One")))
	name("One")
	must(t, s.PutCompany(ctx, "c1", stamp(3), works("One of today")))
	must(t, s.PutCompany(ctx, "c1", stamp(2), works("One of yesterday")))
	name("One of today")
	must(t, s.PutCompany(ctx, "c2", stamp(1), works("Two")))
	must(t, s.Put(ctx, "r1", stamp(2), engineer("c2")))
	name("Two")
	must(t, s.PutCompany(ctx, "c1", stamp(9), works("Nobody's")))
	name("Two")
	must(t, s.PutCompany(ctx, "c2", stamp(2), nil))
	name("")
	must(t, s.Delete(ctx, "r1", stamp(3)))
	if _, found := card(t, s, "r1"); found {
		t.Error("a deleted role is listed")
	}
	must(t, s.Put(ctx, "r1", stamp(2), engineer("c2")))
	if _, there := opened(t, s, "r1"); there {
		t.Error("a late event raised the dead")
	}
}

// TestManyRolesOfACompany changes a company that has more roles than one page.
func TestManyRolesOfACompany(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	const roles = 120
	for i := range roles {
		must(t, s.Put(ctx, fmt.Sprint("r", i), stamp(1), engineer("c1")))
	}
	must(t, s.PutCompany(ctx, "c1", stamp(1), works("One")))
	for i := range roles {
		if row, _ := card(t, s, fmt.Sprint("r", i)); row.Company.Name != "One" {
			t.Errorf("role %d shows %q", i, row.Company.Name)
		}
	}
}

// Copying a company's facts ends at the first failure: the feed repeats the whole event. One that was under way when
// it came may fail, too.
func TestFailedCopiesStopTheOthers(t *testing.T) {
	t.Parallel()
	const roles, atATime = 120, 16
	errDown := errors.New("the table is down")
	var down bool
	var failed atomic.Int64
	s, _ := open(t, func(_ context.Context, call cloud.Call, send func() error) error {
		if down && call.Operation == "UpdateItem" && failed.Add(1) > 1 { // after the company's own item
			return errDown
		}
		return send()
	})
	for i := range roles {
		must(t, s.Put(ctx, fmt.Sprint("r", i), stamp(1), engineer("c1")))
	}
	down = true
	err := s.PutCompany(ctx, "c1", stamp(1), works("One"))
	if !errors.Is(err, errDown) || strings.Count(err.Error(), errDown.Error()) != 1 {
		t.Errorf("got %v; want one failure", err)
	}
	if copies := failed.Load() - 1; copies > 2*atATime {
		t.Errorf("%d copies were tried after the first had failed", copies)
	}
}

// notedLog is a log of changes that lists its entries.
type notedLog struct {
	clock *cloudtest.Clock
	noted []role.Changed
}

func newNotedLog(t *testing.T, s *role.Store) (*role.Store, *notedLog) {
	t.Helper()
	table := cloudtest.Table(t, topology.Changes)
	l := &notedLog{clock: cloudtest.NewClock(now)}
	return s.WithChangeLog(&role.ChangeLog{Now: l.clock.Now, NewEntry: func(c role.Changed) entity.Action {
		l.noted = append(l.noted, c)
		return func(tx *dynamo.WriteTx) {
			tx.Put(table.Put(map[string]string{topology.PK: "D", topology.SK: fmt.Sprint(len(l.noted))}))
		}
	}}), l
}

// A change to a company is entered once for every 500 of its roles, when they have it, and not
// again in the transactions of the roles. Copying an older version stops when a newer one is
// stored, and a repeat enters everything again.
func TestCompanyIsNotedTogether(t *testing.T) {
	t.Parallel()
	const roles, newer = 1100, 3
	var stored *role.Store
	var copies atomic.Int64
	plain, _ := open(t, func(_ context.Context, call cloud.Call, send func() error) error {
		if call.Operation == "UpdateItem" && stored != nil {
			if copies.Add(1) == 501 { // the company's own item, and 500 roles'
				must(t, stored.PutCompany(ctx, "c1", stamp(newer), works("Three")))
			}
		}
		return send()
	})
	s, log := newNotedLog(t, plain)
	var ids []string
	for i := range roles {
		ids = append(ids, fmt.Sprintf("r%04d", i))
	}
	bulk := plain.Bulk()
	for _, id := range ids {
		must(t, bulk.Put(ctx, id, stamp(1), engineer("c1")))
	}
	parts := func(n int) (all []role.Changed) {
		for first := range slices.Chunk(ids, 500) {
			all = append(all, role.Changed{CompanyID: "c1", First: first[0], Last: first[len(first)-1]})
		}
		return all[:n]
	}
	must(t, s.PutCompany(ctx, "c1", stamp(1), works("One")))
	must(t, s.PutCompany(ctx, "c1", stamp(1), works("One")))
	if diff := cmp.Diff(append(parts(3), parts(3)...), log.noted); diff != "" {
		t.Errorf("noted (-want +got):\n%s", diff)
	}
	for _, c := range parts(3) {
		got, err := s.ChangedIDs(ctx, c)
		must(t, err)
		if len(got) == 0 || got[0] != c.First || got[len(got)-1] != c.Last || len(got) > 500 {
			t.Errorf("%+v names %d roles", c, len(got))
		}
	}
	log.noted = nil
	stored = plain
	must(t, s.PutCompany(ctx, "c1", stamp(2), works("Two")))
	stored = nil
	if diff := cmp.Diff(parts(1), log.noted); diff != "" {
		t.Errorf("of the older version are noted (-want +got):\n%s", diff)
	}
	for _, id := range []string{ids[0], ids[roles-1]} {
		if row, _ := card(t, s, id); row.Company.Name != "Three" {
			t.Errorf("role %s shows %q", id, row.Company.Name)
		}
	}
}

// A change to a role is entered in its transaction, and again if the commit took so long that
// readers may look only for later entries.
func TestSlowCommitIsNotedAgain(t *testing.T) {
	t.Parallel()
	for took, want := range map[time.Duration]int{0: 1, entity.PromptCommit: 1, entity.PromptCommit + time.Millisecond: 2} {
		var log *notedLog
		plain, _ := open(t, func(_ context.Context, call cloud.Call, send func() error) error {
			if call.Operation == "TransactWriteItems" && len(log.noted) == 1 {
				log.clock.Move(took)
			}
			return send()
		})
		var s *role.Store
		s, log = newNotedLog(t, plain)
		must(t, s.Put(ctx, "r1", stamp(1), engineer("c1")))
		if len(log.noted) != want || log.noted[want-1] != (role.Changed{RoleID: "r1"}) {
			t.Errorf("a commit of %v is noted by %+v; want %d entries", took, log.noted, want)
		}
	}
}

// TestRead reads all that lies with a role in two calls.
func TestRead(t *testing.T) {
	t.Parallel()
	s, calls := open(t)
	me := role.Readers{RecruiterIDs: []string{"rec1"}}
	others := role.Readers{AgencyIDs: []string{"agy9"}}
	must(t, s.PutMetrics(ctx, "r1", stamp(1), &role.Metrics{ReviewDays: new(4.0)}))
	must(t, s.PutPipeline(ctx, "r1", stamp(1), &role.Pipeline{TotalHired: 2, StageCounts: []role.StageCount{{Stage: "Offer", Count: 1}}}))
	must(t, s.PutAnnouncement(ctx, "n1", stamp(1), &role.Announcement{RoleID: "r1", Message: "Mine", CreatedAt: at(-1), Recipients: me}))
	must(t, s.PutAnnouncement(ctx, "n2", stamp(1), &role.Announcement{RoleID: "r1", Message: "Others'", CreatedAt: at(-2), Recipients: others}))
	must(t, s.PutTranscript(ctx, "t1", stamp(1), &role.Transcript{RoleID: "r1", UpdatedAt: at(0), Text: "old", Readers: me}))
	must(t, s.PutTranscript(ctx, "t1", stamp(2), &role.Transcript{RoleID: "r1", UpdatedAt: at(0), Text: "new", Readers: me}))
	must(t, s.PutTranscript(ctx, "t2", stamp(1), &role.Transcript{RoleID: "r1", UpdatedAt: at(0), Text: "theirs", Readers: others}))
	if _, there := opened(t, s, "r1"); there {
		t.Error("a role is there that never came")
	}
	must(t, s.Put(ctx, "r1", stamp(1), engineer("c1")))
	must(t, s.PutCompany(ctx, "c1", stamp(1), works("One")))
	calls.Reset()
	file, found := opened(t, s, "r1")
	if diff := cmp.Diff([]string{"DynamoDB.Query", "DynamoDB.BatchGetItem"}, calls.Reset()); diff != "" || !found {
		t.Errorf("%v, calls (-want +got):\n%s", found, diff)
	}
	reader := role.Reader{RecruiterID: "rec1"}
	stored, err := s.Transcripts(ctx, file, reader)
	must(t, err)
	v := role.Redact(file.Unredacted, role.Caller{Now: now})
	detail := v.Detail(nil, file.Announcements, reader)
	if len(detail.Pitch.Announcements) != 1 || detail.Pitch.Announcements[0].Message != "Mine" || *detail.About.Description != "Build things." ||
		detail.Company.Benefits[0] != "Tea" || detail.Summary.HiringManager.ResponsivenessDays != 2 || detail.Pipeline.StageCounts[0].Count != 1 {
		t.Errorf("detail is %+v", detail)
	}
	if got := v.Transcripts(stored); len(got) != 1 || got[0].ID != "t1" || got[0].Text != "new" {
		t.Errorf("transcripts are %+v", got)
	}
}

// A transcript that was replaced after its row was read is returned as it is now, to those who may read it now; one that was deleted is
// left out.
func TestReplacedTranscriptsAreReadAgain(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	me := role.Readers{RecruiterIDs: []string{"rec1"}}
	others := role.Readers{AgencyIDs: []string{"agy9"}}
	put := func(id string, version int64, text string, readers role.Readers) {
		t.Helper()
		must(t, s.PutTranscript(ctx, id, stamp(version), &role.Transcript{RoleID: "r1", UpdatedAt: at(int(version)), Text: text, Readers: readers}))
	}
	must(t, s.Put(ctx, "r1", stamp(1), engineer("c1")))
	for _, id := range []string{"replaced", "deleted", "withdrawn"} {
		put(id, 1, "old", me)
	}
	file, _ := opened(t, s, "r1")
	put("replaced", 2, "new", me)
	must(t, s.PutTranscript(ctx, "deleted", stamp(2), nil))
	put("withdrawn", 2, "secret", others)
	got, err := s.Transcripts(ctx, file, role.Reader{RecruiterID: "rec1"})
	if must(t, err); len(got) != 1 || got[0].ID != "replaced" || got[0].Text != "new" || !got[0].UpdatedAt.Equal(at(2).Time) {
		t.Errorf("got %+v", got)
	}
}

func application(status string, day int) *role.Application {
	return &role.Application{
		RoleID: "r1", RecruiterID: "rec1", AgencyID: new("agy1"), CandidateID: "cand1", CandidateName: fmt.Sprint("Candidate ", day),
		Status: status, SubmittedAt: at(day), AutoMatch: day%2 == 0,
	}
}

func alone(context.Context, *role.Application, *role.Application) ([]entity.Action, error) {
	return nil, nil
}

// TestMine counts a recruiter's own applications, including those that ended.
func TestMine(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	for i, status := range []string{"SUBMITTED", "IN_REVIEW", "INTERVIEWING", "OFFER", "HIRED", "REJECTED", "WITHDRAWN"} {
		must(t, s.PutApplication(ctx, fmt.Sprint("a", i), stamp(2), application(status, i), alone))
	}
	want := role.Counts{Submitted: 2, Interviewing: 2, Hired: 1, Total: 7, Active: 4, AutoMatch: 2}
	mine := func() role.Involvement {
		t.Helper()
		desk, err := s.RecruiterRoles(ctx, "rec1")
		must(t, err)
		if len(desk.Roles) != 1 {
			t.Errorf("%d roles are on the desk", len(desk.Roles))
		}
		return desk.Roles["r1"]
	}
	if got := mine(); got.Counts != want || got.Assignment != nil || !got.Involved() {
		t.Errorf("got %+v", got)
	}
	must(t, s.PutApplication(ctx, "a0", stamp(3), application("HIRED", 0), alone))
	must(t, s.PutApplication(ctx, "a0", stamp(1), application("SUBMITTED", 0), alone))
	must(t, s.PutApplication(ctx, "a1", stamp(3), nil, alone))
	must(t, s.PutAssignment(ctx, "r1", "rec1", 1, &role.Assignment{ApprovalStatus: new(contract.ApprovalStatusApproved), AccessLevel: new(contract.AccessLevelFull)}))
	want = role.Counts{Interviewing: 2, Hired: 2, Total: 6, Active: 2, AutoMatch: 1}
	if got := mine(); got.Counts != want || !got.Primary() {
		t.Errorf("got %+v", got)
	}
	must(t, s.PutAssignment(ctx, "r1", "rec1", 2, nil))
	if got := mine(); got.Assignment != nil {
		t.Errorf("a deleted assignment is there: %+v", got.Assignment)
	}
}

// An application counts under the channel its event names, or else under that of the
// recruiter's access level when it arrived; a later level changes nothing.
func TestSubmissionsCountByTheirWay(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	version := int64(0)
	put := func(id, status string, via *contract.ApplicationVia) {
		t.Helper()
		version++
		a := application(status, 1)
		a.Via = via
		must(t, s.PutApplication(ctx, id, stamp(version), a, alone))
	}
	expect := func(when string, want role.Counts, single int) {
		t.Helper()
		all, err := s.RecruiterRoles(ctx, "rec1")
		must(t, err)
		if got := all.Roles["r1"]; got.Counts != want || got.ActiveSingle() != single {
			t.Errorf("%s: got %+v, %d single; want %+v, %d", when, got.Counts, got.ActiveSingle(), want, single)
		}
	}
	level := func(l contract.AccessLevel) {
		t.Helper()
		version++
		must(t, s.PutAssignment(ctx, "r1", "rec1", version, &role.Assignment{ApprovalStatus: new(contract.ApprovalStatusApproved), AccessLevel: &l}))
	}
	put("early", "SUBMITTED", nil)
	expect("before any level", role.Counts{Submitted: 1, Total: 1, Active: 1}, 0)
	level(contract.AccessLevelCrossSubmit)
	expect("with a level", role.Counts{Submitted: 1, Total: 1, Active: 1}, 1)
	put("early", "IN_REVIEW", nil)
	put("named", "SUBMITTED", new(contract.ApplicationViaPrimary))
	put("asked", "SUBMITTED", new(contract.ApplicationViaRequest))
	put("auto", "SUBMITTED", new(contract.ApplicationViaAutoMatch))
	put("later", "OFFER", nil)
	put("over", "REJECTED", new(contract.ApplicationViaSingle))
	expect("single", role.Counts{Submitted: 4, Interviewing: 1, Total: 6, Active: 5, AutoMatch: 1, Single: 2, Other: 2}, 2)
	level(contract.AccessLevelFull)
	put("later", "INTERVIEWING", nil)
	put("primary", "SUBMITTED", nil)
	expect("promoted", role.Counts{Submitted: 5, Interviewing: 1, Total: 7, Active: 6, AutoMatch: 1, Single: 2, Other: 3}, 2)
	put("early", "HIRED", nil)
	put("named", "SUBMITTED", new(contract.ApplicationViaSingle))
	expect("corrected", role.Counts{Submitted: 4, Interviewing: 1, Hired: 1, Total: 7, Active: 5, AutoMatch: 1, Single: 2, Other: 2}, 2)
}

// TestSubmissions lists the newest thirty, one's own and the agency's.
func TestSubmissions(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	for i := range 35 {
		a := application("SUBMITTED", i)
		if i%5 == 0 {
			a.RecruiterID = "rec2"
		}
		must(t, s.PutApplication(ctx, fmt.Sprint("a", i), stamp(1), a, alone))
	}
	own, err := s.SubmissionsFor(ctx, "r1", "rec1", "")
	must(t, err)
	agency, err := s.SubmissionsFor(ctx, "r1", "rec1", "agy1")
	must(t, err)
	if len(own) != 28 || own[0].CandidateName != "Candidate 34" || len(agency) != 30 || agency[29].CandidateName != "Candidate 5" {
		t.Errorf("%d own from %q, %d of the agency", len(own), own[0].CandidateName, len(agency))
	}
}
