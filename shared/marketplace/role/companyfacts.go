package role

import (
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// PutCompany stores a company and copies its facts to the items of its roles;
// nil deletes both.
//
// The copying may be interrupted. On an error the event is redelivered, and every
// copy is conditional on the version, so a repeat only writes what is missing;
// at 16 concurrent writes an invocation's minute is enough for 100,000 roles.
func (s *Store) PutCompany(ctx context.Context, id string, at entity.Stamp, c *Company) error {
	if c != nil {
		if err := checkListedSize(c.CompanyFacts); err != nil {
			return err
		}
	}
	if err := setBody(ctx, s, companyKey(id), at.Version, c); err != nil {
		return err
	}
	stored, err := s.entities.Get(ctx, companyKey(id))
	if err != nil || stored.Version != at.Version {
		return err // a newer one is stored, and copies itself
	}
	if err := s.companies.rememberWritten(id, stored); err != nil {
		return err
	}
	return s.copyFactsToRoles(ctx, id, stored)
}

// maxConcurrentCopies bounds the concurrent writes.
const maxConcurrentCopies = 16

// copyFactsToRoles copies a company's facts to all of its roles.
func (s *Store) copyFactsToRoles(ctx context.Context, id string, company entity.State) error {
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(maxConcurrentCopies)
	for row, err := range s.entities.Query(ctx, entity.QueryOf(itemkey.CompanyRole, id)) {
		if err != nil {
			return err
		}
		values, _ := itemkey.CompanyRole.ParseSK(row.SK)
		g.Go(func() error { return s.putFacts(gctx, values[0], id, company) })
	}
	return g.Wait()
}

// copyFacts copies what a company is at this moment to one of its roles.
func (s *Store) copyFacts(ctx context.Context, roleID, companyID string) error {
	company, err := s.entities.Get(ctx, companyKey(companyID))
	if err != nil || company.Version == 0 {
		return err // a company that comes later copies itself
	}
	return s.putFacts(ctx, roleID, companyID, company)
}

func (s *Store) putFacts(ctx context.Context, roleID, companyID string, company entity.State) error {
	facts, err := factsOf(company)
	if err != nil {
		return err
	}
	return setIndexed(ctx, s, roleID, withPart(roleKey(roleID), factsPart(companyID)), company.Version, facts)
}

// factsOf returns a company's facts, or nil if the company does not exist.
func factsOf(company entity.State) (*CompanyFacts, error) {
	if !company.Live() {
		return nil, nil
	}
	facts := &CompanyFacts{}
	return facts, company.Into(facts)
}
