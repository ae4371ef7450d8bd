package gate

import (
	"fmt"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/topology"
)

// Open makes the gate of a function: on the accounts table, for the environments
// of the deployment.
func Open(o *cloud.Opener) *Gate { return New(o.Table(topology.Accounts), Environments(o)) }

// Environments reads the setting KEY_ENVIRONMENTS: the environments whose keys
// the deployment creates and accepts, separated by commas; default "live".
func Environments(o *cloud.Opener) []string {
	raw := o.Getenv("KEY_ENVIRONMENTS")
	if raw == "" {
		raw = "live"
	}
	names := strings.Split(raw, ",")
	for i, name := range names {
		names[i] = strings.TrimSpace(name)
		if !IsEnvironment(names[i]) {
			o.Note(fmt.Errorf("KEY_ENVIRONMENTS holds %q: %w", name, ErrEnvironment))
		}
	}
	return names
}
