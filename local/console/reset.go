package console

import (
	"net/http"
	"slices"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/demo/reset"
	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// resetRequest names the environment to reset.
type resetRequest struct {
	Environment string `json:"environment"`
}

// resetAgency deletes what the demo agency has in an environment and loads its demo candidates.
func (c *Console) resetAgency(r *http.Request, in resetRequest) (any, error) {
	o := c.config.Host.Opener()
	served := apikey.Environments(o)
	if err := o.Err(); err != nil {
		return nil, err
	}
	if !slices.Contains(served, in.Environment) {
		return nil, fault.New(fault.Invalid, contract.NoCode, "The environment is not served by this system.")
	}
	return reset.Agency(r.Context(), c.config.Host, demo.AgencyID, in.Environment)
}
