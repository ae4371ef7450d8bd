package console

import (
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// batchesShown is how many batches the console lists.
const batchesShown = 50

// tenantOf returns the demo agency in the environment that the request names.
func tenantOf(r *http.Request) tenant.ID {
	return tenant.Of(demo.AgencyID, r.URL.Query().Get("environment"))
}

// shownBatches are the newest batches, with those of all items that are in flight.
type shownBatches struct {
	Batches []contract.BatchSummary `json:"batches"`
	Live    []liveItem              `json:"live"`
}

// listBatches returns the newest batches of the demo agency in an environment.
func (c *Console) listBatches(r *http.Request) (any, error) {
	page, _, err := c.submissions.ListBatches(r.Context(), tenantOf(r), "", batchesShown, c.config.Host.Now())
	if err != nil {
		return nil, err
	}
	if page == nil {
		page = []contract.BatchSummary{}
	}
	live, err := c.listLive(r.Context(), tenantOf(r))
	return shownBatches{page, live}, err
}

// shownBatch is a batch, with its items in flight and when those that wait are tried again.
type shownBatch struct {
	contract.Batch
	ParkedUntil *time.Time `json:"parkedUntil"`
	Live        []liveItem `json:"live"`
}

// readBatch returns a batch of the demo agency, with its items as they are now.
func (c *Console) readBatch(r *http.Request) (any, error) {
	id, err := uuid.Parse(r.PathValue("batch"))
	if err != nil {
		return nil, fault.Missing()
	}
	batch, parked, err := c.submissions.ReadBatch(r.Context(), tenantOf(r), id, c.config.Host.Now())
	if err != nil {
		return nil, err
	}
	out := shownBatch{Batch: batch, Live: []liveItem{}}
	if !parked.IsZero() {
		out.ParkedUntil = &parked
	}
	if !slices.ContainsFunc(batch.Items, isInFlight) {
		return out, nil
	}
	live, err := c.listLive(r.Context(), tenantOf(r))
	out.Live = append(out.Live, slices.DeleteFunc(live, func(l liveItem) bool { return l.BatchID != batch.BatchID })...)
	return out, err
}

func isInFlight(item contract.BatchItem) bool { return !item.Status.Terminal() }
