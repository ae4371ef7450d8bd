// Package crm serves a recruiter's own data: candidates, hiring managers' matches, and
// recorded calls.
//
// Everything is read from the partition of the recruiter that the key acts as, so the id
// of another's item is answered like one that never existed. What a recruiter may see of
// a role is decided by package role; this package combines its values with the others.
package crm

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/gateway/cursor"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/match"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/notetaker"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

// Service holds what the handlers work with.
type Service struct {
	accounts *account.Store
	crm      *crm.Store
	index    *crm.Index
	matches  *match.Store
	calls    *notetaker.Store
	roles    *role.Store
}

// New opens the function's tables and bucket and mounts its handlers. It fails on a missing or malformed setting.
func New(_ context.Context, h cloud.Host) (http.Handler, error) {
	o := h.Opener()
	entities := entity.Open(o)
	bucket := objectstore.Open(o, topology.MarketplaceBucket)
	candidates := crm.NewStore(entities, h.Now)
	s := &Service{
		accounts: account.Open(o), crm: candidates, index: crm.NewIndex(candidates, bucket, crm.DefaultLimits),
		matches: match.NewStore(entities), calls: notetaker.NewStore(entities, bucket), roles: role.NewStore(entities, bucket),
	}
	return gateway.Open(o, contract.CRM, map[string]gateway.Handler{
		"listCRMCandidates": gateway.Handle(s.ListCandidates).BeginEarly(),
		"getCRMCandidate":   gateway.Handle(s.GetCandidate).PreferEventual().BeginEarly(),
		"listMatches":       gateway.Handle(s.ListMatches).BeginEarly(),
		"listAutoMatches":   gateway.Handle(s.ListMatches).BeginEarly(),
		"listCalls":         gateway.Handle(s.ListCalls).BeginEarly(),
		"getCall":           gateway.Handle(s.GetCall).PreferEventual().BeginEarly(),
	})
}

func distinctIDs[T any](all []T, id func(T) string) []string {
	ids := map[string]bool{}
	for _, one := range all {
		ids[id(one)] = true
	}
	delete(ids, "")
	return slices.Sorted(maps.Keys(ids))
}

// ListCandidates serves GET /recruiter/candidates.
func (s *Service) ListCandidates(
	ctx context.Context, call *gateway.Call, in contract.ListCRMCandidatesRequest,
) (out contract.CRMCandidateList, err error) {
	f := crm.Filter{Query: optional.Value(in.Query), Tags: in.Tags, Statuses: contract.ConvertValues[string](in.RelationshipStatus)}
	page, err := s.index.List(ctx, call.Caller.Principal, f, optional.Value(in.Cursor), int(in.Limit))
	if err != nil {
		return out, err
	}
	for _, r := range page.Rows {
		out.Candidates = append(out.Candidates, contract.CRMCandidateRow{
			CandidateID: r.ID, Name: r.Name, LinkedInURL: r.LinkedInURL, Location: r.Location, OneLiner: r.OneLiner,
			CurrentRole:        contract.Position{Company: optional.NonZero(r.Company), Title: optional.NonZero(r.Title)},
			RelationshipStatus: contract.RelationshipStatus(r.Status), Tags: r.Tags, AddedAt: contract.At(r.Added()),
			FurthestStatus: optional.NonZero(contract.ApplicationStatus(r.Furthest)),
		})
	}
	out.NextCursor = optional.NonZero(page.Next)
	return out, nil
}

// GetCandidate serves GET /recruiter/candidates/{candidateId}. It reads the candidate with its applications, then their roles.
func (s *Service) GetCandidate(
	ctx context.Context, call *gateway.Call, in contract.CRMCandidateRequest,
) (out contract.CRMCandidate, err error) {
	me := call.Caller.Principal
	c, items, err := s.crm.Candidate(ctx, me, in.CandidateID)
	if err != nil {
		return out, err
	}
	applications, err := role.ApplicationsIn(items)
	if err != nil {
		return out, fmt.Errorf("decode the applications: %w", err)
	}
	// Those of one time stay in the order of their ids.
	slices.SortStableFunc(applications, func(a, b role.Application) int { return b.SubmittedAt.Compare(a.SubmittedAt.Time) })
	roles, err := s.roles.ReadForRecruiter(ctx, me, distinctIDs(applications, func(a role.Application) string { return a.RoleID }))
	if err != nil {
		return out, err
	}
	out = contract.CRMCandidate{
		ID: c.CandidateID, CandidateID: c.CandidateID, Name: c.Name, AddedAt: c.AddedAt,
		RelationshipStatus: contract.RelationshipStatus(c.RelationshipStatus),
		OneLiner:           c.OneLiner, Location: c.Location, LinkedInURL: c.LinkedInURL, PersonalURL: c.PersonalURL, GitHubURL: c.GitHubURL,
		YearsOfExperience: c.YearsOfExperience, Tags: c.Tags, Note: c.Note, Resume: contract.ResumeOnFile{OnFile: c.ResumeOnFile},
		Preferences: (*contract.CRMPreferences)(c.NewestPreferences()),
		Experiences: c.Experiences, Education: c.Education,
	}
	for _, a := range applications {
		shown, _ := roles.View(a.RoleID, false, call.Now) // shows nothing if the role does not exist
		summary := shown.Summary()
		out.Applications = append(out.Applications, contract.CRMApplication{
			RoleID: a.RoleID, RoleName: summary.Name, CompanyName: summary.Company.Name, URLs: summary.URLs,
			Status: contract.ApplicationStatus(a.Status), SubmittedAt: a.SubmittedAt,
			CurrentStage: (*contract.Stage)(a.CurrentStage), FurthestStage: (*contract.Stage)(a.FurthestStage),
		})
	}
	return out, nil
}

// ListMatches serves GET /recruiter/recommendations and its second spelling: the
// recruiter and the matches in parallel, then the agency and the roles of the matches.
func (s *Service) ListMatches(ctx context.Context, call *gateway.Call, in contract.ListMatchesRequest) (out contract.MatchList, err error) {
	status := optional.Or(in.Status, contract.MatchFilterPending)
	me := call.Caller.Principal
	after, err := cursor.Read(call, in.Cursor, match.ValidSortKey, string(status))
	if err != nil {
		return out, err
	}
	var recruiter account.Recruiter
	var page []match.Listed
	var next string
	err = cloud.InParallel(ctx,
		cloud.Reading(&recruiter, func(ctx context.Context) (account.Recruiter, error) { return s.accounts.Recruiter(ctx, me) }),
		func(ctx context.Context) (err error) {
			page, next, err = s.matches.List(ctx, me, status, after, int(in.Limit), call.Now)
			return err
		})
	if err != nil {
		return out, err
	}
	var standing account.Standing
	var roles role.RolesForRecruiter
	err = cloud.InParallel(ctx,
		cloud.Reading(&standing, func(ctx context.Context) (account.Standing, error) { return s.accounts.StandingOf(ctx, recruiter) }),
		cloud.Reading(&roles, func(ctx context.Context) (role.RolesForRecruiter, error) {
			return s.roles.ReadForRecruiter(ctx, me, distinctIDs(page, func(m match.Listed) string { return m.RoleID }))
		}))
	if err != nil {
		return out, err
	}
	for _, m := range page {
		view, there := roles.View(m.RoleID, standing.FeesHidden(), call.Now)
		if m.StatusAt(call.Now) != contract.MatchStatusPending || there && view.Listing().Status != contract.RoleStatusClosed {
			out.Recommendations = append(out.Recommendations, matchRow(m, view, call.Now))
		}
	}
	if next != "" {
		out.NextCursor = new(cursor.New(next, string(status)))
	}
	return out, nil
}

func matchRow(m match.Listed, v role.View, now time.Time) contract.Match {
	summary := v.Summary()
	out := contract.Match{
		ID: m.ID, SentAt: m.SentAt, DaysUntilExpiry: m.DaysLeft(now),
		Status: m.StatusAt(now), ActionBucket: m.ActionBucket(now),
		ReachedOutToCandidate: m.ReachedOut, HiringManagerNote: v.RedactText(m.HiringManagerNote), HiringManagerName: m.HiringManagerName,
		Candidate: contract.MatchCandidate{
			CandidateID: m.Candidate.CandidateID, Name: m.Candidate.Name, Title: m.Candidate.Title, OneLiner: m.Candidate.OneLiner,
			Location: m.Candidate.Location, LinkedInURL: m.Candidate.LinkedInURL,
		},
		Role: contract.MatchRole{
			ID: m.RoleID, Name: summary.Name, URLs: summary.URLs, Locations: summary.Locations,
			Company: contract.MatchCompany{
				Name: summary.Company.Name, ConfidentialSearch: summary.Company.ConfidentialSearch, AnonymizedName: summary.Company.AnonymizedName,
			},
			Compensation: contract.MatchCompensation{Currency: summary.Compensation.Currency},
			FeePercent:   summary.Fee.PercentOfSalary,
		},
		Application: m.Application(),
	}
	if pay := v.ActiveRow().BaseSalary; pay != nil {
		out.Role.Compensation.SalaryLowerBound = pay.Min
		out.Role.Compensation.SalaryUpperBound = pay.Max
	}
	return out
}

// ListCalls serves GET /recruiter/notetaker-calls.
func (s *Service) ListCalls(ctx context.Context, call *gateway.Call, in contract.ListCallsRequest) (out contract.CallList, err error) {
	page, position, err := s.calls.List(ctx, call.Caller.Principal, optional.Value(in.Cursor), int(in.Limit))
	if err != nil {
		return out, err
	}
	ids := distinctIDs(page, func(l notetaker.Recorded) string { return roleIDOf(l.Call) })
	roles, err := s.roles.ReadForRecruiter(ctx, call.Caller.Principal, ids)
	if err != nil {
		return out, err
	}
	for _, l := range page {
		_, row := showCall(l, roles, call.Now)
		out.Calls = append(out.Calls, row)
	}
	out.NextCursor = optional.NonZero(position)
	return out, nil
}

// GetCall serves GET /recruiter/notetaker-calls/{callId}: the call is read, then its transcript and its role in parallel.
func (s *Service) GetCall(ctx context.Context, call *gateway.Call, in contract.CallRequest) (out contract.RecordedCall, err error) {
	me := call.Caller.Principal
	found, there, err := s.calls.Call(ctx, me, in.CallID)
	if err != nil {
		return out, err
	}
	if !there {
		return out, fault.Missing()
	}
	var transcript notetaker.Transcript
	var roles role.RolesForRecruiter
	err = cloud.InParallel(ctx,
		cloud.Reading(&transcript, func(ctx context.Context) (notetaker.Transcript, error) { return s.calls.Transcript(ctx, found) }),
		cloud.Reading(&roles, func(ctx context.Context) (role.RolesForRecruiter, error) {
			return s.roles.ReadForRecruiter(ctx, me, distinctIDs([]notetaker.Call{found.Call}, roleIDOf))
		}))
	if err != nil {
		return out, err
	}
	found.Transcript = &transcript
	recorded, row := showCall(found, roles, call.Now)
	out = contract.RecordedCall{CallRow: row, SummaryFull: recorded.SummaryFull, UpdatedAt: recorded.UpdatedAt}
	return out, addTranscript(&out, *recorded.Transcript)
}

func roleIDOf(c notetaker.Call) string { return optional.Value(c.RoleID) }

// showCall returns a call with its texts as the caller may read them, who can be a stranger to the role that it is about,
// and its row, with the role, if that is known. Of a role that is not stored, it is not known what to withhold. A
// transcript is changed in its place.
func showCall(l notetaker.Recorded, roles role.RolesForRecruiter, now time.Time) (notetaker.Call, contract.CallRow) {
	c := l.Call
	about, known := roles.View(roleIDOf(c), false, now)
	if roleIDOf(c) != "" {
		c.Title = optional.Value(about.RedactText(&c.Title))
		c.Summary = about.RedactText(c.Summary)
		c.SummaryFull = about.RedactText(c.SummaryFull)
		for i := range optional.Value(c.Transcript).Segments {
			said := &c.Transcript.Segments[i].Text
			*said = optional.Value(about.RedactText(said))
		}
	}
	row := contract.CallRow{
		CallID: l.ID, Title: c.Title, ScheduledAt: c.ScheduledAt, Platform: c.Platform, URL: c.URL,
		DurationSeconds: c.DurationSeconds, Candidate: (*contract.CallCandidate)(c.Candidate),
		Participants: c.Participants, Summary: c.Summary,
	}
	if known {
		summary := about.Summary()
		row.Role = &contract.CallRole{
			RoleID: summary.ID, Name: summary.Name, CompanyName: summary.Company.Name,
			ConfidentialSearch: summary.Company.ConfidentialSearch, AnonymizedName: summary.Company.AnonymizedName, URLs: summary.URLs,
		}
	}
	return c, row
}

const (
	// maxText is the longest text of a transcript, in bytes (contract, Limits). A response holds it twice.
	maxText = 3_000_000
	// maxAnswer is the longest response in Lambda's encoding, in bytes: Lambda takes 6 MB with the headers. A
	// transcript with many escapes or short segments reaches it before its text is as long as maxText.
	maxAnswer = 6<<20 - 64<<10
)

// addTranscript adds as many whole segments of a transcript to a response as fit, and marks it as truncated if some do not.
func addTranscript(out *contract.RecordedCall, t notetaker.Transcript) error {
	into := &out.Transcript
	into.Language = t.Language
	length, err := escapedLength(out)
	if err != nil {
		return fmt.Errorf("measure the call: %w", err)
	}
	var text bytes.Buffer
	for i, s := range t.Segments {
		segment := contract.CallSegment{
			Index: i, Speaker: s.Speaker, SpeakerEmail: s.SpeakerEmail, StartSeconds: s.StartSeconds, EndSeconds: s.EndSeconds, Text: s.Text,
		}
		line := s.Text
		if i > 0 {
			line = "\n" + line
		}
		added, err := escapedLength([]any{segment, line})
		if err != nil {
			return fmt.Errorf("measure a segment: %w", err)
		}
		length += added - len("[]")
		if length > maxAnswer || text.Len()+len(line) > maxText {
			into.Truncated = new(true)
			break
		}
		text.WriteString(line)
		into.Segments = append(into.Segments, segment)
	}
	into.Text = text.String()
	return nil
}

// escapedLength returns the length in bytes of a value in the function's response to
// Lambda: JSON with JSON in a string as its body, so escapes are escaped twice.
func escapedLength(v any) (int, error) {
	body, err := gateway.Encode(v)
	long := bytes.Count(body, []byte("\u2028")) + bytes.Count(body, []byte("\u2029"))
	return len(body) + bytes.Count(body, []byte(`"`)) + bytes.Count(body, []byte(`\`)) + 3*long, err
}
