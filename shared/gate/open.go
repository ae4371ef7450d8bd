package gate

import (
	"fmt"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/topology"
)

// Open makes the gate of a function: on the accounts table, for the environments
// of the deployment.
func Open(h cloud.Host) (*Gate, error) {
	environments, err := Environments(h)
	if err != nil {
		return nil, err
	}
	table, err := h.Table(topology.Accounts)
	if err != nil {
		return nil, err
	}
	return New(table, environments), nil
}

// Environments reads the setting KEY_ENVIRONMENTS: the environments whose keys
// the deployment creates and accepts, separated by commas; default "live".
func Environments(h cloud.Host) ([]string, error) {
	raw := h.Getenv("KEY_ENVIRONMENTS")
	if raw == "" {
		raw = "live"
	}
	names := strings.Split(raw, ",")
	for i, name := range names {
		names[i] = strings.TrimSpace(name)
		if !IsEnvironment(names[i]) {
			return nil, fmt.Errorf("KEY_ENVIRONMENTS holds %q: %w", name, ErrEnvironment)
		}
	}
	return names, nil
}
