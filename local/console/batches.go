package console

import (
	"net/http"
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

// listBatches returns the newest batches of the demo agency in an environment.
func (c *Console) listBatches(r *http.Request) (any, error) {
	page, _, err := c.submissions.ListBatches(r.Context(), tenantOf(r), "", batchesShown, c.config.Host.Now())
	if page == nil {
		page = []contract.BatchSummary{}
	}
	return page, err
}

// shownBatch is a batch, with when its waiting items are tried again.
type shownBatch struct {
	contract.Batch
	ParkedUntil *time.Time `json:"parkedUntil"`
}

// readBatch returns a batch of the demo agency, with its items as they are now. It names no person.
func (c *Console) readBatch(r *http.Request) (any, error) {
	id, err := uuid.Parse(r.PathValue("batch"))
	if err != nil {
		return nil, fault.Missing()
	}
	batch, parked, err := c.submissions.ReadBatch(r.Context(), tenantOf(r), id, c.config.Host.Now())
	if err != nil {
		return nil, err
	}
	out := shownBatch{Batch: batch}
	if !parked.IsZero() {
		out.ParkedUntil = &parked
	}
	return out, nil
}
