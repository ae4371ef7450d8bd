package console

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

const batchesShown = 50

type shownSummary struct {
	contract.BatchSummary
	AgencyID string `json:"agencyId"`
}

// listBatches returns the newest batches of an agency, or of all of them, in an environment, their items in flight, and how many
// items are in flight in the newest batches of each agency.
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
	live, err := c.listLive(r)
	return map[string]any{"batches": all[:min(len(all), batchesShown)], "live": live, "inFlight": inFlight}, err
}

type shownBatch struct {
	contract.Batch
	ParkedUntil *time.Time `json:"parkedUntil"`
	Live        []liveItem `json:"live"`
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
	out := shownBatch{Batch: batch, Live: []liveItem{}}
	if !parked.IsZero() {
		out.ParkedUntil = &parked
	}
	if batch.Terminal() {
		return out, nil
	}
	live, err := c.listLive(r)
	out.Live = append(out.Live, slices.DeleteFunc(live, func(l liveItem) bool { return l.BatchID != batch.BatchID })...)
	return out, err
}

// liveItem is a submission that is queued or processing, with data that no caller of the API sees: its attempts.
type liveItem struct {
	SubmissionID string `json:"submissionId"`
	BatchID      string `json:"batchId"`
	Name         string `json:"name"`
	// Attempt is the number of the present attempt, or of the last one; 0 before the first.
	Attempt     int `json:"attempt"`
	MaxAttempts int `json:"maxAttempts"`
	// RunningUntil is when the present attempt is given up; nil if there is none.
	RunningUntil *time.Time `json:"runningUntil"`
	// NextAt is when the next attempt is due; nil during an attempt.
	NextAt   *time.Time `json:"nextAt"`
	Deadline time.Time  `json:"deadline"`
}

type storedLive struct {
	PK       string `dynamo:"pk"`
	SK       string `dynamo:"sk"`
	Payload  []byte `dynamo:"payload"`
	Attempts int    `dynamo:"attempts"`
	Parks    int    `dynamo:"parks"`
	Lease    int64  `dynamo:"lease"`
	Due      int64  `dynamo:"due"`
}

// listLive returns what the agencies of the request have in flight, in the order of submission. It reads the whole
// index of due items, which on this machine is small.
func (c *Console) listLive(r *http.Request) ([]liveItem, error) {
	ctx := r.Context()
	var owners []tenant.ID
	for _, a := range agenciesOf(r) {
		owners = append(owners, tenantOf(a, r))
	}
	var due []storedLive
	if err := c.table.Scan().Index(topology.DueIndex.Name).All(ctx, &due); err != nil {
		return nil, err
	}
	var keys []dynamo.Keyed
	for _, item := range due {
		if _, ok := itemkey.LiveItem.Parse(item.PK, item.SK); ok {
			keys = append(keys, dynamo.Keys{item.PK, item.SK})
		}
	}
	found, err := cloud.GetItems[storedLive](ctx, c.table, keys, true)
	if err != nil {
		return nil, err
	}
	all := []liveItem{}
	for _, stored := range found {
		var sub submission.Submission
		if err := json.Unmarshal(stored.Payload, &sub); err != nil {
			return nil, err
		}
		if !slices.Contains(owners, sub.Tenant()) {
			continue
		}
		live := liveItem{
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
	slices.SortFunc(all, func(a, b liveItem) int { return cmp.Compare(a.SubmissionID, b.SubmissionID) })
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
