package soak

import (
	"context"
	"fmt"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// accountMaker creates accounts and keys on a running system.
type accountMaker struct {
	accounts *account.Store
	keys     *keys.Service
}

func newAccountMaker(ctx context.Context, c *child) (*accountMaker, error) {
	host, err := c.host()
	if err != nil {
		return nil, err
	}
	service, err := keys.New(ctx, host)
	if err != nil {
		return nil, err
	}
	o := host.Opener()
	return &accountMaker{account.Open(o), service}, o.Err()
}

// createAgency creates an agency with one member and returns keyCount of its keys.
func (m *accountMaker) createAgency(ctx context.Context, name string, keyCount int) ([]string, error) {
	id := "agy_soak_" + name
	owner := "rec_soak_" + name
	err := m.accounts.PutAgency(ctx, account.Agency{
		ID: id, Name: "Agency " + name, APIAccess: true, TalentNetworkAccess: true, TalentNetworkManagement: true, PrimaryOwner: owner, Version: 1,
	}, account.Member{ID: owner, Name: "Owner " + name, Email: owner + "@example.com", Owner: true, Approved: true})
	if err == nil {
		err = m.accounts.PutRecruiter(ctx, account.Recruiter{
			ID: owner, Name: "Owner " + name, Email: owner + "@example.com", AgencyID: id, CanRecruit: true, PersonalKeys: true, Recommendations: true, Version: 1,
		})
	}
	if err != nil {
		return nil, err
	}
	return m.createKeys(ctx, contract.AgencyKey, id, owner, keyCount)
}

// createKeys creates n keys of environment test and returns their secrets.
func (m *accountMaker) createKeys(ctx context.Context, kind contract.KeyType, principal, actor string, n int) (secrets []string, err error) {
	for i := range n {
		out, err := m.keys.Handle(ctx, keys.Request{
			Action: keys.Create, Type: kind, Principal: principal, Actor: actor, Name: fmt.Sprint("soak ", i), Scopes: kind.Scopes(), Environment: "test",
		})
		if err != nil {
			return nil, err
		}
		secrets = append(secrets, out.Secret)
	}
	return secrets, nil
}
