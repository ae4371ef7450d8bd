package console

import (
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// batchesShown is how many batches the console lists.
const batchesShown = 50

// shownBatches are the newest batches, with those of all items that are in flight.
type shownBatches struct {
	Batches []shownSummary `json:"batches"`
	Live    []liveItem     `json:"live"`
	// InFlight is how many items are in flight in the newest batches of each agency.
	InFlight int `json:"inFlight"`
}

// shownSummary is a batch without its items, and whose it is.
type shownSummary struct {
	contract.BatchSummary
	AgencyID string `json:"agencyId"`
}

// listBatches returns the newest batches of an agency, or of all of them, in an environment.
func (c *Console) listBatches(r *http.Request) (any, error) {
	out := shownBatches{Batches: []shownSummary{}}
	now := c.config.Host.Now()
	wanted := agenciesOf(r)
	for _, a := range agencies() {
		page, _, err := c.submissions.ListBatches(r.Context(), a.tenantIn(r), "", batchesShown, now)
		if err != nil {
			return nil, err
		}
		for _, batch := range page {
			out.InFlight += batch.Counts.Queued + batch.Counts.Processing
			if slices.Contains(wanted, a) {
				out.Batches = append(out.Batches, shownSummary{batch, a.ID})
			}
		}
	}
	slices.SortFunc(out.Batches, func(a, b shownSummary) int { return b.CreatedAt.Compare(a.CreatedAt.Time) })
	out.Batches = out.Batches[:min(len(out.Batches), batchesShown)]
	var err error
	out.Live, err = c.listLive(r)
	return out, err
}

// shownBatch is a batch, with its items in flight and when those that wait are tried again.
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
	batch, parked, err := c.findBatch(r, id)
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

// findBatch looks for a batch in one agency after the other.
func (c *Console) findBatch(r *http.Request, id uuid.UUID) (batch contract.Batch, parked time.Time, err error) {
	err = fault.Missing()
	for _, a := range agenciesOf(r) {
		batch, parked, err = c.submissions.ReadBatch(r.Context(), a.tenantIn(r), id, c.config.Host.Now())
		if !fault.IsMissing(err) {
			break
		}
	}
	return batch, parked, err
}
