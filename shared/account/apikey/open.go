package apikey

import (
	"fmt"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Open returns the checker of a function, by the names in its environment.
func Open(o *cloud.Opener) *Checker { return NewChecker(o.Table(topology.Accounts), Environments(o)) }

// Environments returns the setting KEY_ENVIRONMENTS: the environments in which
// the deployment creates and accepts keys, separated by commas; default "live".
func Environments(o *cloud.Opener) []string {
	names := o.List(topology.SettingKeyEnvironments)
	if names == nil {
		return []string{"live"}
	}
	for _, name := range names {
		if !IsEnvironment(name) {
			o.Note(fmt.Errorf("%s holds %q: %w", topology.SettingKeyEnvironments, name, ErrEnvironment))
		}
	}
	return names
}
