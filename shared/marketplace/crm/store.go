// Package crm stores recruiters' own candidates: a thin row for the list, details in an
// item of their own, and how far each candidate's applications have come.
//
// The types are the payloads of the feed's events. A candidate belongs to one
// recruiter; the same person in two recruiters' CRMs is two candidates, and nothing is
// merged. Applications belong to package role; only their furthest status is kept here,
// in step with them.
//
// A small CRM is searched by its rows, a large one by an index that is published from time
// to time, and by the changes since ([Index]).
package crm

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// Store stores candidates. A change is dropped unless it is newer than what is stored, and may be repeated (package entity).
type Store struct {
	entities *entity.Store
	now      func() time.Time
	// Bulk keeps rows out of the log of changes, for a load that publishes the indexes of the CRMs it has
	// changed when it ends. Until then a search by an index does not find the changes.
	Bulk bool
	// NoteLoss is called before a change after which a person leads to a candidate no longer: an erasure of the person
	// does not find the candidate then, but what was published of the CRM still names the person.
	NoteLoss func(ctx context.Context, recruiterID string) error
}

// NewStore returns a store in the marketplace table, which notes no losses. now returns when a row is written, by which
// readers find changes.
func NewStore(entities *entity.Store, now func() time.Time) *Store {
	return &Store{entities: entities, now: now, NoteLoss: func(context.Context, string) error { return nil }}
}

// Put stores a candidate of a recruiter; nil deletes it.
func (s *Store) Put(ctx context.Context, recruiterID, candidateID string, at entity.Stamp, c *Candidate) (err error) {
	defer fault.Wrap(&err, "crm.Put(recruiterID, candidateID)")

	change := entity.Change{
		Key: candidateKey(recruiterID, candidateID), Stamp: at,
		OnDelete: func(entity.State) ([]entity.Action, error) { return nil, s.NoteLoss(ctx, recruiterID) },
	}
	if c != nil {
		change.Persons = entity.PersonHashes(c.Email, c.LinkedInURL)
		change.Next = func(old entity.State) (entity.NewState, error) {
			isLost := func(hash string) bool { return !slices.Contains(change.Persons, hash) }
			if slices.ContainsFunc(old.Persons(), isLost) {
				if err := s.NoteLoss(ctx, recruiterID); err != nil {
					return entity.NewState{}, err
				}
			}
			return s.nextState(ctx, *c)
		}
	}
	_, err = s.entities.Apply(ctx, change)
	return err
}

// Erase erases a candidate if it is still the person with this hash and of no event after at. It reports whether it did.
func (s *Store) Erase(ctx context.Context, recruiterID, candidateID, hash string, at time.Time) (erased bool, err error) {
	defer fault.Wrap(&err, "crm.Erase(recruiterID, candidateID, hash)")

	return s.entities.Erase(ctx, entity.Change{
		Key: candidateKey(recruiterID, candidateID), Stamp: entity.Stamp{At: at}, Persons: []string{hash},
	})
}

// nextState returns the candidate's item and row. The row shows the furthest status of
// the applications, which must not change before the transaction commits.
func (s *Store) nextState(ctx context.Context, c Candidate) (entity.NewState, error) {
	if !c.Listed() {
		return entity.NewState{Body: c}, nil
	}
	k := progressKey(c.RecruiterID, c.CandidateID)
	stored, p, err := entity.Read[progress](ctx, s.entities, k)
	if err != nil {
		return entity.NewState{}, err
	}
	row := c.newRow(p.furthestStatus())
	next := entity.NewState{
		Body: c, Rows: []entity.Row{row.listItem(c.RecruiterID)}, Actions: []entity.Action{s.entities.CheckUnchanged(k, stored)},
	}
	if !s.Bulk { // the log of changes has it by the time at which it was written
		next.Rows = append(next.Rows, entity.RowOf(itemkey.CandidateChange, row, c.RecruiterID, sortableMillis(s.now()), row.ID))
	}
	return next, nil
}

// Candidate reads a recruiter's candidate and, in the same call, the candidate's applications, as
// items in the order of their ids. It returns fault.Missing if there is none of the id, or if it is hidden or archived.
func (s *Store) Candidate(ctx context.Context, recruiterID, candidateID string) (c Candidate, applications []entity.Item, err error) {
	defer fault.Wrap(&err, "crm.Candidate(recruiterID, candidateID)")

	pk, first := itemkey.CandidateApplication.PartialKey(recruiterID, candidateID)
	for item, err := range s.entities.Query(ctx, entity.Query{PK: pk, From: first, To: itemkey.Candidate.SK()}) {
		switch {
		case err != nil:
		case itemkey.CandidateApplication.Has(item.PK, item.SK):
			applications = append(applications, item)
		default:
			err = item.Into(&c)
		}
		if err != nil {
			return c, nil, err
		}
	}
	if c.CandidateID == "" || !c.Listed() {
		return c, nil, fault.Missing()
	}
	return c, applications, nil
}

// NewestPreferences returns the newest preferences that a person entered, else the newest inferred ones, else nil.
func (c Candidate) NewestPreferences() *Preferences {
	var newest *Preferences
	for i, p := range c.Preferences {
		if newest == nil || p.goesBefore(*newest) {
			newest = &c.Preferences[i]
		}
	}
	return newest
}

// goesBefore reports whether p is shown rather than q.
func (p Preferences) goesBefore(q Preferences) bool {
	if typed := p.Source != contract.PreferenceSourceInferred; typed != (q.Source != contract.PreferenceSourceInferred) {
		return typed
	}
	return p.UpdatedAt.After(q.UpdatedAt.Time)
}

// Candidate is one of a recruiter's candidates.
type Candidate struct {
	RecruiterID string `json:"recruiterId" check:"required,format=id"`
	CandidateID string `json:"candidateId" check:"required,format=id"`
	Name        string `json:"name" check:"required,min=1,max=300"`
	// Email is used for erasure alone; no response contains it.
	Email              *string                  `json:"email" check:"nullable,format=email"`
	LinkedInURL        *string                  `json:"linkedinUrl" check:"nullable,max=2048"`
	PersonalURL        *string                  `json:"personalUrl" check:"nullable,max=2048"`
	GitHubURL          *string                  `json:"githubUrl" check:"nullable,max=2048"`
	Location           *string                  `json:"location" check:"nullable,max=300"`
	OneLiner           *string                  `json:"oneLiner" check:"nullable,max=1000" doc:"Headline."`
	CurrentRole        contract.Position        `json:"currentRole"`
	RelationshipStatus string                   `json:"relationshipStatus" check:"required,enum=relationshipStatus"`
	Tags               []string                 `json:"tags"`
	AddedAt            contract.Time            `json:"addedAt" check:"required"`
	Hidden             bool                     `json:"hidden"`
	Archived           bool                     `json:"archived"`
	YearsOfExperience  *float64                 `json:"yearsOfExperience" check:"nullable,min=0,max=100"`
	Note               *string                  `json:"note" check:"nullable,max=50000"`
	ResumeOnFile       bool                     `json:"resumeOnFile"`
	Preferences        []Preferences            `json:"preferences" check:"max=20" doc:"All that are saved; the newest typed ones go first in answers."`
	Experiences        []contract.CRMExperience `json:"experiences"`
	Education          []contract.CRMEducation  `json:"education"`
	Skills             []string                 `json:"skills" check:"max=300"`
}

// Listed reports whether lists and details show the candidate.
func (c Candidate) Listed() bool { return !c.Hidden && !c.Archived }

// Preferences are a candidate's, from one source.
type Preferences struct {
	Source             contract.PreferenceSource `json:"source" check:"required,enum=preferenceSource"`
	UpdatedAt          contract.Time             `json:"updatedAt" check:"required"`
	Locations          []string                  `json:"locations" check:"enum=location"`
	SalaryMin          *int64                    `json:"salaryMin" check:"nullable,min=0,max=9007199254740991"`
	SalaryMax          *int64                    `json:"salaryMax" check:"nullable,min=0,max=9007199254740991"`
	OTE                *int64                    `json:"ote" check:"nullable,min=0,max=9007199254740991"`
	Workplace          []string                  `json:"workplace" check:"enum=workplaceType"`
	RoleTypes          []string                  `json:"roleTypes" check:"enum=roleType"`
	FundingRounds      []string                  `json:"fundingRounds" check:"enum=fundingRound"`
	Visa               []string                  `json:"visa"`
	VisaAuthorization  []string                  `json:"visaAuthorization" check:"enum=visaAuthorization"`
	ExcludedIndustries []string                  `json:"excludedIndustries" check:"enum=industry"`
	CompanySizes       []string                  `json:"companySizes" check:"enum=companySize"`
}

func candidateKey(recruiterID, candidateID string) entity.Key {
	return entity.KeyOf(itemkey.Candidate, recruiterID, candidateID)
}

// progress counts a candidate's applications by the status that they have reached.
type progress map[string]int

// pipelineOrder lists the statuses from the furthest on.
var pipelineOrder = []string{"HIRED", "OFFER", "INTERVIEWING", "IN_REVIEW", "SUBMITTED"}

// stageStatuses are the statuses that an application at a stage has reached.
var stageStatuses = map[string]string{
	"Submitted": "SUBMITTED", "First round": "INTERVIEWING", "Mid round": "INTERVIEWING", "Final round": "INTERVIEWING",
	"Offer": "OFFER", "Hired": "HIRED",
}

// ReachedStatus returns the furthest status that an application has reached, by its status and its stages (nil:
// unknown). A rejected or withdrawn one has reached its furthest stage, and was submitted in any case.
func ReachedStatus(status string, stage ...*string) string {
	p := progress{"SUBMITTED": 1, status: 1}
	for _, s := range stage {
		p[stageStatuses[optional.Value(s)]] = 1
	}
	return p.furthestStatus()
}

func progressKey(recruiterID, candidateID string) entity.Key {
	return entity.KeyOf(itemkey.CandidateProgress, recruiterID, candidateID)
}

func (p progress) furthestStatus() string {
	for _, status := range pipelineOrder {
		if p[status] > 0 {
			return status
		}
	}
	return ""
}

// ApplicationChange is an application of a candidate that is added or removed.
type ApplicationChange struct {
	RecruiterID, CandidateID string
	// Status is what [ReachedStatus] returns for the application.
	Status string
	// Delta is 1 for an application that is added, -1 for one that is removed.
	Delta int
}

// ProgressActions returns the actions of a transaction that keep candidates' rows in step
// with their applications. The transaction fails if the rows change before it commits.
func (s *Store) ProgressActions(ctx context.Context, changes []ApplicationChange) (_ []entity.Action, err error) {
	defer fault.Wrap(&err, "crm.ProgressActions(recruiterID, crmCandidateID)")

	byCandidate := map[entity.Key][]ApplicationChange{}
	for _, c := range changes {
		k := progressKey(c.RecruiterID, c.CandidateID)
		byCandidate[k] = append(byCandidate[k], c)
	}
	var actions []entity.Action
	for k, mine := range byCandidate {
		stored, was, err := entity.Read[progress](ctx, s.entities, k)
		if err != nil {
			return nil, err
		}
		p := progress{}
		maps.Copy(p, was)
		for _, c := range mine {
			p[c.Status] += c.Delta
		}
		maps.DeleteFunc(p, func(_ string, count int) bool { return count == 0 })
		counted, err := s.entities.Replace(k, stored, p)
		actions = append(actions, counted)
		if furthest := p.furthestStatus(); err == nil && furthest != was.furthestStatus() {
			actions, err = s.showFurthest(ctx, actions, candidateKey(mine[0].RecruiterID, mine[0].CandidateID), furthest)
		}
		if err != nil {
			return nil, err
		}
	}
	return actions, nil
}

// showFurthest adds the actions that put the furthest status on the candidate's row, if any.
func (s *Store) showFurthest(ctx context.Context, actions []entity.Action, k entity.Key, furthest string) ([]entity.Action, error) {
	stored, c, err := entity.Read[Candidate](ctx, s.entities, k)
	actions = append(actions, s.entities.CheckUnchanged(k, stored))
	hasRow := stored.Live() && c.Listed()
	if err != nil || !hasRow {
		return actions, err
	}
	put, err := s.entities.PutRow(c.newRow(furthest).listItem(c.RecruiterID)) // searches do not depend on it
	return append(actions, put), err
}
