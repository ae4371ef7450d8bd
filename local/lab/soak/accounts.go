package soak

import (
	"context"
	"fmt"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// CreateKeys creates n keys for an agency of the demo, of the host's environment, and returns their secrets.
func CreateKeys(ctx context.Context, host cloud.Host, agency, owner string, n int) (secrets []string, err error) {
	service, err := keys.New(ctx, host)
	if err != nil {
		return nil, err
	}
	for i := range n {
		out, err := service.Handle(ctx, keys.Request{
			Action: keys.Create, Type: contract.AgencyKey, Principal: agency, Actor: owner,
			Name: fmt.Sprint("soak ", i), Scopes: contract.AgencyKey.Scopes(),
			Environment: host.Getenv(topology.SettingKeyEnvironments),
		})
		if err != nil {
			return nil, err
		}
		secrets = append(secrets, out.Secret)
	}
	return secrets, nil
}
