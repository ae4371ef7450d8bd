package system_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/functions/feed"
	"github.com/recruiting-marketplace/external-api/functions/publisher"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/demo/market"
	lines "github.com/recruiting-marketplace/external-api/local/operate/bulk"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// roleSystem is a system with roles and a recruiter.
type roleSystem struct {
	*manualSystem
	feeder        *feed.Service
	personal, key string
}

func newRoleSystem(t *testing.T, roles int, hooks ...cloud.Hook) *roleSystem {
	t.Helper()
	s := &roleSystem{manualSystem: newManualSystem(t, hooks...)}
	s.openFeed()
	s.loadDemoRoles(roles)
	return s
}

// loadDemoRoles loads the demo's first roles, and its recruiter's relations to them.
func (s *roleSystem) loadDemoRoles(roles int) {
	s.t.Helper()
	if roles > 0 {
		s.applyEvents(append(slices.Collect(market.RoleEvents(roles, s.now())), market.AssignmentEvents(demo.OwnerID, demo.AgencyID, roles, s.now())...)...)
	}
}

// openFeed opens the feed and creates the keys of the demo's owner.
func (s *roleSystem) openFeed() {
	s.t.Helper()
	var err error
	s.feeder, err = feed.New(s.t.Context(), s.hostWithoutHooks())
	must(s.t, err)
	s.personal = s.newRecruiterKey(demo.OwnerID)
	s.key = s.newAgencyKey()
}

// applyEvents applies events concurrently; none may be refused.
func (s *roleSystem) applyEvents(lines ...market.Event) {
	s.t.Helper()
	refused := make([]string, len(lines))
	errs := make([]error, len(lines))
	limit := make(chan struct{}, 16)
	runConcurrently(len(lines), func(i int) any {
		limit <- struct{}{}
		refused[i], errs[i] = s.feeder.Apply(s.t.Context(), string(lines[i]))
		<-limit
		return nil
	})
	for i := range lines {
		if refused[i] != "" || errs[i] != nil {
			s.t.Fatalf("%.200s: refused %q, %v", lines[i], refused[i], errs[i])
		}
	}
}

// loadInBulk loads many roles as feed load --bulk does, and publishes them.
func (s *roleSystem) loadInBulk(events []market.Event) {
	s.t.Helper()
	h := s.hostWithoutHooks()
	h.AWS = lines.WithoutTokens(h.AWS)
	loader, err := feed.NewBulk(s.t.Context(), h)
	must(s.t, err)
	var source strings.Builder
	for _, line := range events {
		source.WriteString(string(line) + "\n")
	}
	load := lines.Load{
		Apply: loader.Apply, Parallel: 16, Done: func(lines.Position) error { return nil },
		Refused: func(line int, reason string) { s.t.Errorf("line %d is refused: %s", line, reason) },
	}
	end, err := load.Run(s.t.Context(), strings.NewReader(source.String()), lines.Position{})
	must(s.t, err)
	worker, err := publisher.New(s.t.Context(), h)
	must(s.t, err)
	if roles, err := worker.Rebuild(s.t.Context(), nil); err != nil || end.Refused > 0 || roles < len(events) {
		s.t.Fatalf("%d roles of %d lines, %d refused, %v", roles, len(events), end.Refused, err)
	}
}

// applyEvent applies one event with the given data.
func (s *roleSystem) applyEvent(kind, entityID string, version int, data any) {
	s.t.Helper()
	extra := ""
	if data != nil {
		extra = `"data":` + string(encodeBody(s.t, data))
	}
	s.applyEvents(market.Event(s.newEventJSON(kind, entityID, version, extra)))
}

// getJSON decodes the response for a path, which must have status 200, into out.
func (s *roleSystem) getJSON(path, key string, out any) reply {
	s.t.Helper()
	r := s.sendRequest(http.MethodGet, path, key, nil)
	if r.status != http.StatusOK {
		s.t.Fatalf("GET %s: %d %s", path, r.status, r.body)
	}
	must(s.t, json.Unmarshal([]byte(r.body), out))
	return r
}

func (s *roleSystem) listRoles(filters string) (out contract.RoleList) {
	s.t.Helper()
	s.getJSON("/recruiter/roles?"+filters, s.personal, &out)
	return out
}

// object is a JSON object.
type object = map[string]any

// newRoleData returns a minimal role with the fields of change.
func newRoleData(title string, change object) object {
	o := object{
		"title": title, "companyId": "co1", "status": "ACTIVE", "visibility": "PUBLIC", "updatedAt": "2026-01-01T00:00:00Z",
		"postedAt": "2026-01-01T00:00:00Z", "browseUrl": "https://app.example.com/browse/1", "recruitUrl": "https://app.example.com/recruit/1",
	}
	for name, value := range change {
		o[name] = value
	}
	return o
}

// The demo is served by every route.
func TestDemoRoles(t *testing.T) {
	t.Parallel()
	s := newRoleSystem(t, 60)
	page := s.listRoles("")
	if len(page.Roles) != 20 || page.NextCursor == nil {
		t.Fatalf("got %d roles, cursor %v; want a page of 20 and more", len(page.Roles), page.NextCursor)
	}
	var detail contract.RoleDetail
	s.getJSON("/recruiter/roles/"+page.Roles[0].ID, s.personal, &detail)
	if detail.Summary.ID != page.Roles[0].ID || detail.About.Description == nil {
		t.Errorf("got %+v", detail)
	}
	for _, filter := range []string{"", "primaryOnly=true", "activeTrialOnly=true", "singleSubmissionsOnly=true", "autoMatchOnly=true"} {
		var active contract.ActiveRolesResponse
		s.getJSON("/recruiter/active-roles?"+filter, s.personal, &active)
		if len(active.Roles) == 0 {
			t.Errorf("%q: no active role", filter)
		}
	}
	var saved contract.SavedPreferences
	s.getJSON("/recruiter/preferences", s.personal, &saved)
	if len(saved.RoleTypes) != 3 {
		t.Errorf("got %+v", saved)
	}
	var agency, found contract.AgencyRolesResponse
	s.getJSON("/agency/roles?limit=100", s.key, &agency)
	s.getJSON("/agency/roles/search?query=engineer", s.key, &found)
	if len(agency.Roles) < 40 || len(found.Roles) == 0 {
		t.Errorf("got %d and %d roles", len(agency.Roles), len(found.Roles))
	}
	var brief contract.RoleBrief
	s.getJSON("/agency/roles/"+agency.Roles[0].ID+"?recruiterEmail="+url.QueryEscape(demo.OwnerEmail)+"&includeIntakeTranscripts=true", s.key, &brief)
	if brief.ID != agency.Roles[0].ID || brief.IntakeTranscripts == nil {
		t.Errorf("got %+v", brief)
	}
}

// Every row of the list is answered with 200 by the detail, for a caller who is involved in
// roles in every way and for a stranger, whatever the filters.
func TestListedRolesCanBeRead(t *testing.T) {
	t.Parallel()
	s := newRoleSystem(t, 90)
	filters := []string{"", "query=engineer", "matchMyPreferences=true", "minSalary=90000", "maxSalary=120000", "minFeePercent=12", "minYearsExperience=3", "postedWithinDays=60"}
	for _, f := range contract.SchemaOf(reflect.TypeFor[contract.ListRolesRequest]()).Fields {
		values := []string{"true", "false"}
		atOnce := 1
		if f.Schema.Enum != nil {
			values = f.Schema.Enum.Values
		} else if e := itemsOf(f.Schema).Enum; e != nil {
			values = e.Values
			atOnce = 10 // of which a role needs one
		} else if f.Schema.Kind != contract.KindBoolean {
			continue
		}
		for some := range slices.Chunk(values, atOnce) {
			filter := url.Values{f.Name: some}.Encode()
			filters = append(filters, filter, filter+"&recruiterAvailability=not_available")
		}
	}
	for _, key := range []string{s.personal, s.newRecruiterKey(demo.MemberID)} {
		status := map[string]int{}
		closed := 0
		for _, filter := range filters {
			for cursor := ""; ; {
				s.advanceClock(time.Minute) // so that no window of the rate limit fills
				var page contract.RoleList
				r := s.sendRequest(http.MethodGet, "/recruiter/roles?limit=50&"+filter+cursor, key, nil)
				if r.status != http.StatusOK {
					break // the parameter is there twice
				} else if must(t, json.Unmarshal([]byte(r.body), &page)); filter == "recruiterAvailability=not_available" {
					closed += len(page.Roles)
				}
				for _, row := range page.Roles {
					if status[row.ID] == 0 {
						s.advanceClock(time.Minute)
						status[row.ID] = s.sendRequest(http.MethodGet, "/recruiter/roles/"+row.ID, key, nil).status
					}
					if status[row.ID] != http.StatusOK {
						t.Errorf("%s: role %s is listed, and its detail answers %d", filter, row.ID, status[row.ID])
					}
				}
				if page.NextCursor == nil {
					break
				}
				cursor = fmt.Sprint("&cursor=", *page.NextCursor)
			}
		}
		if own := key == s.personal; len(status) < 40 || own != (closed > 0) {
			t.Errorf("%d roles are listed, %d of them closed to self-service", len(status), closed)
		}
	}
}

// itemsOf returns the schema of an array's items; empty for anything else.
func itemsOf(s *contract.Schema) *contract.Schema {
	return cmp.Or(s.Items, &contract.Schema{})
}

// A change to a role is in the next list, before and after a publication.
func TestRolesAreReadAsWritten(t *testing.T) {
	t.Parallel()
	s := newRoleSystem(t, 0)
	s.applyEvent("company.upserted", "co1", 1, object{"name": "Example Works"})
	expect := func(when string, want ...string) {
		t.Helper()
		got := []string{}
		for _, r := range s.listRoles("query=carpenter").Roles {
			got = append(got, r.Name)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q; want %q", when, got, want)
		}
	}
	expect("before")
	for v := range 3 {
		version := 10 * v
		s.applyEvent("role.upserted", "r1", version+1, newRoleData("Carpenter One", nil))
		expect("posted", "Carpenter One")
		s.applyEvent("role.upserted", "r2", version+1, newRoleData("Carpenter Two", nil))
		expect("another", "Carpenter One", "Carpenter Two")
		s.applyEvent("role.upserted", "r1", version+2, newRoleData("Carpenter Won", nil))
		expect("edited", "Carpenter Two", "Carpenter Won")
		s.applyEvent("role.upserted", "r1", version+3, newRoleData("Carpenter Won", object{"status": "PAUSED"}))
		expect("paused", "Carpenter Two")
		s.applyEvent("hiringManagerMetrics.upserted", "r2", version+3, object{"stoppedReviewing": true})
		expect("stopped reviewing", []string{}...)
		s.applyEvent("hiringManagerMetrics.upserted", "r2", version+4, object{"stoppedReviewing": false})
		expect("reviewing again", "Carpenter Two")
		s.applyEvent("role.deleted", "r2", version+5, nil)
		expect("deleted", []string{}...)
		s.advanceClock(2 * time.Minute)
		must(t, s.Publish(t.Context()))
		expect("published", []string{}...)
		if v == 1 {
			s.advanceClock(3 * time.Hour) // the copy is stale and is read anew
		}
	}
}

// sortedRoleIDs are those of a page, sorted.
func sortedRoleIDs(rows []contract.RoleSummary) string {
	all := []string{}
	for _, r := range rows {
		all = append(all, r.ID)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}
