package console

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/demo/reset"
	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/agency/changefeed"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// agenciesOf returns the agency that the request names, or all of them if it names none.
func agenciesOf(r *http.Request) []demo.Agency {
	wanted := r.URL.Query().Get("agency")
	return slices.DeleteFunc(demo.Agencies(), func(a demo.Agency) bool { return wanted != "" && a.ID != wanted })
}

// agencyNamed returns the agency with an id; for "", the first one, which has the run's keys. For an unknown id it returns
// an agency without an owner, for whom nobody can act.
func agencyNamed(id string) (found demo.Agency) {
	for _, a := range demo.Agencies() {
		if id == a.ID || id == "" {
			return a
		}
	}
	found.ID = id
	return found
}

func tenantOf(a demo.Agency, r *http.Request) tenant.ID {
	return tenant.Of(a.ID, r.URL.Query().Get("environment"))
}

// readMember returns what is known of a member of an agency of the request since its newest submission, whose resume was read.
func (c *Console) readMember(r *http.Request) (any, error) {
	m, found, err := c.network.Membership(r.Context(), r.PathValue("member"))
	if err != nil {
		return nil, err
	}
	isListed := slices.ContainsFunc(agenciesOf(r), func(a demo.Agency) bool { return tenantOf(a, r) == m.Tenant })
	if !found || !isListed {
		return nil, fault.Missing()
	}
	submissionID := ""
	if place, ok := submission.ParseCopyKey(m.ResumeKey); ok {
		submissionID = submission.NewID(place.Batch, place.Index).String()
	}
	return map[string]any{
		"submissionId": submissionID, "name": m.Name, "title": m.Title, "company": m.Company, "location": m.Location,
		"years":  m.Resume.Years, // of experience; 0: unknown
		"skills": m.Resume.Skills, "languages": m.Resume.Languages,
	}, nil
}

const changesRead = 500

// listChanges returns the changes of the agency's members after a position, or all, and the position to read on from.
func (c *Console) listChanges(r *http.Request) (any, error) {
	t := tenantOf(agencyNamed(r.URL.Query().Get("agency")), r)
	after, _ := changefeed.ParsePosition(t, r.URL.Query().Get("after")) // the beginning, for a text that is none
	types := []contract.ChangeType{
		contract.PreferencesChanged, contract.MarketChanged, contract.FastTrackChanged, contract.CandidateRemoved,
	}
	page, err := c.changes.Read(r.Context(), t, after, changesRead, types)
	all := []map[string]any{}
	for _, m := range page.Changes { // times are in milliseconds
		all = append(all, map[string]any{"type": m.Type, "at": m.At, "candidateUserId": m.CandidateUserID, "status": m.Status})
	}
	return map[string]any{"changes": all, "next": page.Next.Format(t), "more": page.More}, err
}

type resetRequest struct {
	Environment string `json:"environment"`
}

func (c *Console) resetAgency(r *http.Request, in resetRequest) (any, error) {
	if !slices.Contains(apikey.Environments(c.config.Host.Opener()), in.Environment) {
		return nil, fault.New(fault.Invalid, contract.NoCode, "The environment is not served by this system.")
	}
	return reset.Agency(r.Context(), c.config.Host, demo.AgencyID, in.Environment)
}

const batchesShown = 50

type shownSummary struct {
	contract.BatchSummary
	AgencyID string `json:"agencyId"`
}

// listBatches also returns how many items are in flight in the newest batches of all agencies.
func (c *Console) listBatches(r *http.Request) (any, error) {
	all := []shownSummary{}
	inFlight := 0
	now := c.config.Host.Now()
	wanted := r.URL.Query().Get("agency")
	for _, a := range demo.Agencies() {
		page, _, err := c.submissions.ListBatches(r.Context(), tenantOf(a, r), "", batchesShown, now)
		if err != nil {
			return nil, err
		}
		for _, batch := range page {
			inFlight += batch.Counts.Queued + batch.Counts.Processing
			if wanted == "" || wanted == a.ID {
				all = append(all, shownSummary{batch, a.ID})
			}
		}
	}
	slices.SortFunc(all, func(a, b shownSummary) int { return b.CreatedAt.Compare(a.CreatedAt.Time) })
	live, err := c.listInFlight(r)
	return map[string]any{"batches": all[:min(len(all), batchesShown)], "live": live, "inFlight": inFlight}, err
}

type shownBatch struct {
	contract.Batch
	ParkedUntil *time.Time     `json:"parkedUntil"`
	Live        []inFlightItem `json:"live"`
}

// readBatch returns a batch of any agency, with its items as they are now.
func (c *Console) readBatch(r *http.Request) (any, error) {
	id, err := uuid.Parse(r.PathValue("batch"))
	if err != nil {
		return nil, fault.Missing()
	}
	var batch contract.Batch
	var parked time.Time
	err = fault.Missing()
	for _, a := range agenciesOf(r) {
		batch, parked, err = c.submissions.ReadBatch(r.Context(), tenantOf(a, r), id, c.config.Host.Now())
		if !fault.IsMissing(err) {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	out := shownBatch{Batch: batch, Live: []inFlightItem{}}
	if !parked.IsZero() {
		out.ParkedUntil = &parked
	}
	if batch.Terminal() {
		return out, nil
	}
	live, err := c.listInFlight(r)
	out.Live = append(out.Live, slices.DeleteFunc(live, func(l inFlightItem) bool { return l.BatchID != batch.BatchID })...)
	return out, err
}

// inFlightItem is a submission that is queued or processing, with data that no caller of the API sees: its attempts.
type inFlightItem struct {
	SubmissionID string     `json:"submissionId"`
	BatchID      string     `json:"batchId"`
	Name         string     `json:"name"`
	Attempt      int        `json:"attempt"` // the present one, or the last one; 0 before the first
	MaxAttempts  int        `json:"maxAttempts"`
	RunningUntil *time.Time `json:"runningUntil"` // when the present attempt is given up; nil if there is none
	NextAt       *time.Time `json:"nextAt"`       // when the next attempt is due; nil during one
	Deadline     time.Time  `json:"deadline"`
}

type storedInFlight struct {
	PK       string `dynamo:"pk"`
	SK       string `dynamo:"sk"`
	Payload  []byte `dynamo:"payload"`
	Attempts int    `dynamo:"attempts"`
	Parks    int    `dynamo:"parks"`
	Lease    int64  `dynamo:"lease"`
	Due      int64  `dynamo:"due"`
}

// listInFlight reads the whole index of due items, which on this machine is small.
func (c *Console) listInFlight(r *http.Request) ([]inFlightItem, error) {
	ctx := r.Context()
	agencies := agenciesOf(r)
	var due []storedInFlight
	if err := c.table.Scan().Index(topology.DueIndex.Name).All(ctx, &due); err != nil {
		return nil, fmt.Errorf("find the in-flight items: %w", err)
	}
	var keys []dynamo.Keyed
	for _, item := range due {
		if _, ok := itemkey.InFlightItem.Parse(item.PK, item.SK); ok {
			keys = append(keys, dynamo.Keys{item.PK, item.SK})
		}
	}
	found, err := cloud.GetItems[storedInFlight](ctx, c.table, keys, true)
	if err != nil {
		return nil, err
	}
	all := []inFlightItem{}
	for _, stored := range found {
		var sub submission.Submission
		if err := json.Unmarshal(stored.Payload, &sub); err != nil {
			return nil, fmt.Errorf("decode an in-flight item: %w", err)
		}
		if !slices.ContainsFunc(agencies, func(a demo.Agency) bool { return tenantOf(a, r) == sub.Tenant() }) {
			continue
		}
		live := inFlightItem{
			SubmissionID: sub.ID.String(), BatchID: sub.BatchID.String(), Name: sub.Name,
			Attempt: stored.Attempts - stored.Parks, MaxAttempts: submission.MaxAttempts, Deadline: sub.Deadline,
		}
		if stored.Lease > c.config.Host.Now().UnixMilli() {
			live.RunningUntil = new(time.UnixMilli(stored.Lease).UTC())
		} else {
			live.NextAt = new(time.UnixMilli(stored.Due).UTC())
		}
		all = append(all, live)
	}
	slices.SortFunc(all, func(a, b inFlightItem) int { return cmp.Compare(a.SubmissionID, b.SubmissionID) })
	return all, nil
}

const peopleShown = 500

func (c *Console) listPeople(r *http.Request) (any, error) {
	names := map[string]string{}
	page := network.Page{Limit: peopleShown, Now: c.config.Host.Now()}
	for _, a := range agenciesOf(r) {
		rows, _, err := c.network.List(r.Context(), tenantOf(a, r), network.Filter{}, page, demo.EveryOwner)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			names[row.ID] = row.Name
		}
	}
	return names, nil
}
