package console

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

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

// storedLive are the attributes of a live item that are shown.
type storedLive struct {
	PK       string `dynamo:"pk"`
	SK       string `dynamo:"sk"`
	Payload  []byte `dynamo:"payload"`
	Attempts int    `dynamo:"attempts"`
	Parks    int    `dynamo:"parks"`
	Lease    int64  `dynamo:"lease"`
	Due      int64  `dynamo:"due"`
}

func (s storedLive) describe(now time.Time) (live liveItem, of tenant.ID, err error) {
	var sub submission.Submission
	if err := json.Unmarshal(s.Payload, &sub); err != nil {
		return live, "", err
	}
	live = liveItem{
		SubmissionID: sub.ID.String(), BatchID: sub.BatchID.String(), Name: sub.Name,
		Attempt: s.Attempts - s.Parks, MaxAttempts: submission.MaxAttempts, Deadline: sub.Deadline,
	}
	if s.Lease > now.UnixMilli() {
		live.RunningUntil = new(time.UnixMilli(s.Lease).UTC())
	} else {
		live.NextAt = new(time.UnixMilli(s.Due).UTC())
	}
	return live, sub.Tenant(), nil
}

// listLive returns what the agencies of the request have in flight, in the order of submission. It reads the whole
// index of due items, which on this machine is small.
func (c *Console) listLive(r *http.Request) ([]liveItem, error) {
	ctx := r.Context()
	var owners []tenant.ID
	for _, a := range agenciesOf(r) {
		owners = append(owners, a.tenantIn(r))
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
		live, owner, err := stored.describe(c.config.Host.Now())
		if err != nil {
			return nil, err
		}
		if slices.Contains(owners, owner) {
			all = append(all, live)
		}
	}
	slices.SortFunc(all, func(a, b liveItem) int { return cmp.Compare(a.SubmissionID, b.SubmissionID) })
	return all, nil
}

// peopleShown is how many members of an agency the console knows by name.
const peopleShown = 500

// listPeople returns the names of the agencies' newest members by candidateUserId.
func (c *Console) listPeople(r *http.Request) (any, error) {
	names := map[string]string{}
	page := network.Page{Limit: peopleShown, Now: c.config.Host.Now()}
	for _, a := range agenciesOf(r) {
		rows, _, err := c.network.List(r.Context(), a.tenantIn(r), network.Filter{}, page, demo.EveryOwner)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			names[row.ID] = row.Name
		}
	}
	return names, nil
}
