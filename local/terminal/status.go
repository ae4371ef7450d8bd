package terminal

import (
	"context"
	"fmt"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

type statusCommand struct{}

// status is what the settings lead to.
type status struct {
	BaseURL string            `json:"baseUrl"`
	Health  contract.Health   `json:"health"`
	Keys    map[string]keyUse `json:"keys"`
}

// keyUse is the identity a key acts as, or why it cannot be used.
type keyUse struct {
	Identity *contract.Identity `json:"identity,omitempty"`
	Refused  string             `json:"refused,omitempty"`
}

// Run shows whether the system responds, and the identity each key acts as. It fails if the system does not
// respond or refuses a key.
func (statusCommand) Run(c *call) error {
	lookUp, err := c.readSettings()
	if err != nil {
		return err
	}
	at := status{BaseURL: lookUp(baseURLVariable), Keys: map[string]keyUse{}}
	if at.BaseURL == "" {
		return fmt.Errorf("%s is needed: %s", baseURLVariable, c.adviseSettings())
	}
	ctx, stop := interruptible()
	defer stop()
	at.Health, err = client.New(at.BaseURL, "").Health(ctx)
	if err != nil {
		return explain(fmt.Errorf("%s: %w", at.BaseURL, err))
	}
	lines := [][2]string{{"address", at.BaseURL}, {"responds", "yes, version " + at.Health.Version}}
	failed := error(nil)
	for _, variable := range []string{agencyVariable, recruiterVariable} {
		if lookUp(variable) == "" {
			lines = append(lines, [2]string{variable, "none"})
			continue
		}
		use, err := readKeyUse(ctx, client.New(at.BaseURL, lookUp(variable)))
		if err != nil {
			failed = explain(fmt.Errorf("%s: %w", variable, err))
		}
		at.Keys[variable] = use
		lines = append(lines, use.describe(variable)...)
	}
	if err := printOne(c, at, lines...); err != nil {
		return err
	}
	return failed
}

func readKeyUse(ctx context.Context, api *client.Client) (keyUse, error) {
	who, err := api.Identity(ctx)
	if err != nil {
		return keyUse{Refused: err.Error()}, err
	}
	return keyUse{Identity: &who}, nil
}

func (u keyUse) describe(variable string) [][2]string {
	if u.Identity == nil {
		return [][2]string{{variable, "refused"}}
	}
	return append([][2]string{{variable, "accepted"}}, describeIdentity(*u.Identity)...)
}
