package role

import (
	"context"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// Company is a hiring company as the marketplace sends it: the facts that lists
// show and the rest. Logos and hiring managers' contacts are not kept at all.
type Company struct {
	CompanyFacts
	CompanyDetails
}

// CompanyFacts holds the facts that a list shows of a company. Each role's item has a copy.
type CompanyFacts struct {
	Name string `json:"name" check:"required,min=1,max=300" doc:"The company's name."`
	// Aliases are other names that identify the company.
	Aliases []string `json:"aliases" doc:"Other names of the company, including former ones; not shown to recruiters who are not involved in its stealth roles."`
	// WebsiteURL is a fact because its host identifies the company in texts.
	WebsiteURL   *string  `json:"websiteUrl" plain:"-" check:"nullable,format=uri,max=2048" doc:"The company's website. Strangers to its stealth roles do not see its domain."`
	OneLiner     *string  `json:"oneLiner" check:"nullable,max=1000" doc:"What the company does."`
	Industries   []string `json:"industries" plain:"-" check:"enum=industry" doc:"Industries."`
	Size         *float64 `json:"size" check:"nullable,min=0" doc:"Head count."`
	Tier         *string  `json:"tier" plain:"-" check:"nullable,enum=companyTier" doc:"The marketplace's ranking."`
	FundingRound *string  `json:"fundingRound" plain:"-" check:"nullable,enum=fundingRound" doc:"Last funding round, to filter by."`
	Investors    []string `json:"investors" doc:"Investors' names."`
}

// CompanyDetails is the rest of a company: what the detail and the brief show.
type CompanyDetails struct {
	UpdatedAt          *contract.Time `json:"updatedAt" check:"nullable" doc:"When the company last changed."`
	Description        *string        `json:"description" check:"nullable,max=50000"`
	TeamAbout          *string        `json:"teamAbout" check:"nullable,max=20000"`
	FoundingYear       *float64       `json:"foundingYear" check:"nullable,min=1500,max=2200"`
	Locations          []string       `json:"locations"`
	OfficeLocations    []string       `json:"officeLocations"`
	LinkedInURL        *string        `json:"linkedinUrl" plain:"-" check:"nullable,format=uri,max=2048"`
	FundingAmount      *string        `json:"fundingAmount" check:"nullable,max=300"`
	TotalFundingAmount *string        `json:"totalFundingAmount" check:"nullable,max=300"`
	LastFundingRound   *string        `json:"lastFundingRound" check:"nullable,max=300"`
	FundingInfoURL     *string        `json:"fundingInfoUrl" plain:"-" check:"nullable,format=uri,max=2048"`
	PressURLs          []string       `json:"pressUrls" plain:"-" check:"format=uri"`
	Benefits           []string       `json:"benefits"`
	CultureValues      []string       `json:"cultureValues"`
	TeamImageURLs      []string       `json:"teamImageUrls" plain:"-" check:"format=uri"`
	ProductImageURLs   []string       `json:"productImageUrls" plain:"-" check:"format=uri"`
}

// PutCompany stores a company and copies its facts to the items of its roles;
// nil deletes both.
//
// The copying may be interrupted. On an error the event is redelivered, and every copy is
// conditional on the version, so a repeat writes only the missing copies, and records all roles in
// the log of changes; at 16 concurrent writes an invocation's minute is enough for 100,000 roles.
func (s *Store) PutCompany(ctx context.Context, id string, at entity.Stamp, c *Company) (err error) {
	defer fault.Wrap(&err, "role.PutCompany(id)")

	if err := checkListedSize(optional.Value(c).CompanyFacts); err != nil {
		return err
	}
	if _, err := s.entities.Set(ctx, companyKey(id), at.Version, c); err != nil {
		return err
	}
	known, err := s.readFacts(ctx, id)
	if err != nil || known.version != at.Version {
		return err // a newer version is stored, and its writer copies it
	}
	if s.companies != nil {
		s.companies.Store(id, known)
	}
	return s.copyFactsToRoles(ctx, id, known)
}

const (
	// maxConcurrentCopies bounds the concurrent writes.
	maxConcurrentCopies = 16
	// rolesPerEntry is how many roles of a company one entry of the log names.
	rolesPerEntry = 500
)

// copyFactsToRoles copies a company's facts to all of its roles, and records them in the log part
// by part. It stops when the company changes again: the writer of that change copies it to all.
func (s *Store) copyFactsToRoles(ctx context.Context, id string, company versionedFacts) (err error) {
	defer fault.Wrap(&err, "role.copyFactsToRoles(companyID)")

	ids, err := s.companyRoleIDs(ctx, entity.QueryOf(itemkey.CompanyRole, id))
	if err != nil {
		return err
	}
	for n, some := range slices.Collect(slices.Chunk(ids, rolesPerEntry)) {
		if n > 0 {
			if stored, err := s.entities.Get(ctx, companyKey(id)); err != nil || stored.Version != company.version {
				return err
			}
		}
		err := cloud.EachUntilError(ctx, maxConcurrentCopies, some, func(ctx context.Context, _ int, roleID string) error {
			_, err := s.entities.Set(ctx, withPart(roleKey(roleID), factsPart(id)), company.version, company.facts)
			return err
		})
		if err == nil && s.log != nil {
			err = s.entities.Run(ctx, s.log.NewEntry(Changed{CompanyID: id, First: some[0], Last: some[len(some)-1]}))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ChangedIDs lists the roles that an entry of the log names.
func (s *Store) ChangedIDs(ctx context.Context, c Changed) (_ []string, err error) {
	defer fault.Wrap(&err, "role.ChangedIDs(roleID, companyID)")

	if c.CompanyID == "" {
		return []string{c.RoleID}, nil
	}
	pk, first := itemkey.CompanyRole.Key(c.CompanyID, c.First)
	return s.companyRoleIDs(ctx, entity.Query{PK: pk, From: first, To: itemkey.CompanyRole.SK(c.Last)})
}

func (s *Store) companyRoleIDs(ctx context.Context, q entity.Query) (ids []string, err error) {
	for row, err := range s.entities.Query(ctx, q) {
		if err != nil {
			return nil, err
		}
		values, _ := itemkey.CompanyRole.ParseSK(row.SK)
		ids = append(ids, values[0])
	}
	return ids, nil
}

// copyFacts copies the present facts of a company to one of its roles.
func (s *Store) copyFacts(ctx context.Context, roleID, companyID string) error {
	present, err := s.readFacts(ctx, companyID)
	if err != nil || present.version == 0 {
		return err // the facts of a company that arrives later are copied then
	}
	return setIndexed(ctx, s, roleID, withPart(roleKey(roleID), factsPart(companyID)), present.version, present.facts)
}

// versionedFacts are the facts of a company at a version of it; facts is nil if it does not exist.
type versionedFacts struct {
	version int64
	facts   *CompanyFacts
}

func (s *Store) readFacts(ctx context.Context, companyID string) (versionedFacts, error) {
	stored, facts, err := entity.Read[*CompanyFacts](ctx, s.entities, companyKey(companyID))
	return versionedFacts{stored.Version, facts}, err
}
