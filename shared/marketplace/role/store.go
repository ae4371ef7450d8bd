package role

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// Store keeps roles and what belongs to them. Puts and Delete drop what is not newer, and may be repeated (package entity).
type Store struct {
	entities *entity.Store
	texts    objectstore.Bucket
	log      *ChangeLog // nil notes no changes
	// companies has the versionedFacts of companies that a bulk load knows, by id; nil without a load.
	companies *sync.Map
}

// NewStore works on the marketplace table; texts holds the transcripts.
func NewStore(entities *entity.Store, texts objectstore.Bucket) *Store {
	return &Store{entities: entities, texts: texts}
}

// maxListedSize bounds what every list reads of a role, its card, its pipeline and its
// company's facts each, in bytes of JSON. Together they fit an item.
const maxListedSize = 32 << 10

// checkListedSize refuses content that no list can read, as entity.ErrTooLarge.
func checkListedSize(body any) error {
	raw, err := json.Marshal(body)
	if err == nil && len(raw) > maxListedSize {
		err = fmt.Errorf("%w: %d bytes", entity.ErrTooLarge, len(raw))
	}
	return err
}

// Put stores a role with its prose, and a copy of its company's facts as far as they are known.
func (s *Store) Put(ctx context.Context, id string, at entity.Stamp, r Role) (err error) {
	defer fault.Wrap(&err, "role.Put(id)")

	if err := checkListedSize(r.Listing); err != nil {
		return err
	}
	if s.companies != nil {
		return s.putNew(ctx, id, at, r)
	}
	if err := s.applyInTime(ctx, id, roleKey(id), at, &entity.NewState{Body: r.Listing, Rows: r.newRows(id)}); err != nil {
		return err
	}
	// The role is in its company's list by now, so a company that changes later finds it there. What the
	// company is at this moment is copied here, again when the event is repeated.
	return s.copyFacts(ctx, id, r.CompanyID)
}

// Delete removes a role. Data from other events about it stays, because the role may return.
func (s *Store) Delete(ctx context.Context, id string, at entity.Stamp) (err error) {
	defer fault.Wrap(&err, "role.Delete(id)")

	return s.applyInTime(ctx, id, roleKey(id), at, nil)
}

// PutMetrics stores a role's metrics; nil deletes them.
func (s *Store) PutMetrics(ctx context.Context, roleID string, at entity.Stamp, m *Metrics) (err error) {
	defer fault.Wrap(&err, "role.PutMetrics(roleID)")

	return setIndexed(ctx, s, roleID, withPart(roleKey(roleID), metricsPart), at.Version, m)
}

// PutPipeline stores a role's pipeline; nil deletes it.
func (s *Store) PutPipeline(ctx context.Context, roleID string, at entity.Stamp, p *Pipeline) (err error) {
	defer fault.Wrap(&err, "role.PutPipeline(roleID)")

	if err := checkListedSize(p); err != nil {
		return err
	}
	_, err = s.entities.Set(ctx, withPart(roleKey(roleID), pipelinePart), at.Version, p)
	return err
}

// PutAssignment stores a recruiter's assignment to a role; nil deletes it. The change is counted
// whether or not it is new: an earlier delivery may have died before it was counted.
func (s *Store) PutAssignment(ctx context.Context, roleID, recruiterID string, version int64, a *Assignment) (err error) {
	defer fault.Wrap(&err, "role.PutAssignment(roleID, recruiterID)")

	if a != nil {
		a = new(*a)
		a.RoleID = ""
		a.RecruiterID = "" // the key says it
	}
	if _, err := s.entities.Set(ctx, withPart(involvementKey(recruiterID, roleID), assignmentPart), version, a); err != nil {
		return err
	}
	return s.countInvolvementChange(ctx, recruiterID)
}

// countInvolvementChange counts a change to a recruiter's involvement in roles. It runs after the change, so
// who has read the roles before it also has the count before it, and reads the roles again.
func (s *Store) countInvolvementChange(ctx context.Context, recruiterID string) error {
	return s.entities.CountChange(ctx, withPart(preferencesKey(recruiterID), changesPart))
}

// PutPreferences stores a recruiter's saved preferences; nil deletes them.
func (s *Store) PutPreferences(ctx context.Context, recruiterID string, at entity.Stamp, p *SavedPreferences) (err error) {
	defer fault.Wrap(&err, "role.PutPreferences(recruiterID)")

	_, err = s.entities.Set(ctx, preferencesKey(recruiterID), at.Version, p)
	return err
}

// PutAnnouncement stores an announcement; nil deletes it.
func (s *Store) PutAnnouncement(ctx context.Context, id string, at entity.Stamp, a *Announcement) (err error) {
	defer fault.Wrap(&err, "role.PutAnnouncement(id)")

	c := entity.Change{Key: entity.KeyOf(itemkey.Announcement, id), Stamp: at}
	if a != nil {
		rows := []entity.Row{entity.RowOf(itemkey.RoleAnnouncement, a, a.RoleID, sortableTime(a.CreatedAt), id)}
		c.Next = func(entity.State) (entity.NewState, error) { return entity.NewState{Rows: rows}, nil }
	}
	_, err = s.entities.Apply(ctx, c)
	return err
}

// MaxText is the longest text of an intake transcript, in characters.
const MaxText = 4 << 20

// PutTranscript stores an intake transcript, its text in the bucket; nil deletes both.
func (s *Store) PutTranscript(ctx context.Context, id string, at entity.Stamp, t *Transcript) (err error) {
	defer fault.Wrap(&err, "role.PutTranscript(id)")

	c := entity.Change{Key: entity.KeyOf(itemkey.Transcript, id), Stamp: at}
	var text *entity.Text
	if t != nil {
		stored := StoredTranscript{Transcript: *t, TextKey: "transcripts/intake/" + id + "/" + strconv.FormatInt(at.Version, 10)}
		stored.Text = ""
		text = &entity.Text{Key: stored.TextKey, Type: "text/plain; charset=utf-8", Content: []byte(t.Text)}
		recorded := optional.Or(t.RecordedAt, t.UpdatedAt)
		rows := []entity.Row{entity.RowOf(itemkey.RoleTranscript, stored, t.RoleID, sortableTime(recorded), id)}
		c.Next = func(entity.State) (entity.NewState, error) { return entity.NewState{Rows: rows}, nil }
	}
	_, err = s.entities.Objects(s.texts).Apply(ctx, c, text)
	return err
}

// ChangeLog records changes to the data by which roles are found.
type ChangeLog struct {
	// Now is the clock of the entries.
	Now func() time.Time
	// NewEntry returns the action that adds an entry with the present time.
	NewEntry func(Changed) entity.Action
}

// Changed identifies roles that changed: one by its id, or roles of a company by the first and last of their ids.
type Changed struct {
	RoleID                 string
	CompanyID, First, Last string
}

// WithChangeLog returns the store that records in log each change to the data by which a role is found; nil records
// none. The entry of one role is in the transaction of the change. The entry of a company's roles follows their
// changes; if the writer is interrupted before that, its repeat makes all of them again.
func (s *Store) WithChangeLog(log *ChangeLog) *Store {
	return &Store{entities: s.entities, texts: s.texts, log: log}
}

func (s *Store) logChange(roleID string) []entity.Action {
	if s.log == nil {
		return nil
	}
	return []entity.Action{s.log.NewEntry(Changed{RoleID: roleID})}
}

// applyInTime stores data by which a role is found, or deletes it if next is nil, in time or not at all. If the commit
// took long, readers may no longer have asked for the entry when it became visible, so it is added again.
func (s *Store) applyInTime(ctx context.Context, roleID string, k entity.Key, at entity.Stamp, next *entity.NewState) error {
	c := entity.Change{Key: k, Stamp: at, OnDelete: func(entity.State) ([]entity.Action, error) { return s.logChange(roleID), nil }}
	if next != nil {
		c.Next = func(entity.State) (entity.NewState, error) {
			next.Actions = s.logChange(roleID)
			return *next, nil
		}
	}
	if s.log == nil {
		_, err := s.entities.Apply(ctx, c)
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, entity.CommitBound)
	defer cancel()
	begun := s.log.Now()
	if _, err := s.entities.Apply(ctx, c); err != nil || s.log.Now().Sub(begun) <= entity.PromptCommit {
		return err
	}
	return s.entities.Run(ctx, s.logChange(roleID)...)
}

// setIndexed is [entity.Store.Set] for the data by which a role is found.
func setIndexed[T any](ctx context.Context, s *Store, roleID string, k entity.Key, version int64, body *T) error {
	if s.log == nil {
		_, err := s.entities.Set(ctx, k, version, body)
		return err
	}
	if body == nil {
		return s.applyInTime(ctx, roleID, k, entity.Stamp{Version: version}, nil)
	}
	return s.applyInTime(ctx, roleID, k, entity.Stamp{Version: version}, &entity.NewState{Body: body})
}

// Bulk is the store for loading many roles, most of them new: it notes no changes,
// expects that a role is not stored yet, and writes what it knows of the company
// into the role's own item. FinishBulk must be called before the load is said to be done.
func (s *Store) Bulk() *Store {
	return &Store{entities: s.entities, texts: s.texts, companies: &sync.Map{}}
}

// knownFacts returns a company's facts as the load knows them: as they were first read, or last written.
// FinishBulk copies newer ones to the roles that have these.
func (s *Store) knownFacts(ctx context.Context, companyID string) (versionedFacts, error) {
	if known, ok := s.companies.Load(companyID); ok {
		return known.(versionedFacts), nil
	}
	read, err := s.readFacts(ctx, companyID)
	if err != nil {
		return versionedFacts{}, err
	}
	known, _ := s.companies.LoadOrStore(companyID, read)
	return known.(versionedFacts), nil
}

// putNew is Put in a bulk load: one write for a role that is new.
func (s *Store) putNew(ctx context.Context, id string, at entity.Stamp, r Role) error {
	company, err := s.knownFacts(ctx, r.CompanyID)
	if err != nil {
		return err
	}
	fresh := false
	change := entity.Change{Key: roleKey(id), Stamp: at, ExpectNew: true}
	change.Next = func(old entity.State) (entity.NewState, error) {
		fresh = old.Version == 0
		next := entity.NewState{Body: r.Listing, Rows: r.newRows(id)}
		if company.facts != nil {
			next.FirstPart = &entity.Part{Name: factsPart(r.CompanyID), Version: company.version, Body: company.facts}
		}
		return next, nil
	}
	applied, err := s.entities.Apply(ctx, change)
	if err != nil {
		return err
	}
	// A company that this load changed concurrently did not find the role in its list yet.
	now, err := s.knownFacts(ctx, r.CompanyID)
	if err != nil || applied && fresh && now.version == company.version {
		return err
	}
	return s.copyFacts(ctx, id, r.CompanyID)
}

// FinishBulk copies the facts of companies that others have changed, and forgets what the load knows. No Put may run beside it.
func (s *Store) FinishBulk(ctx context.Context) (err error) {
	defer fault.Wrap(&err, "role.FinishBulk")

	if s.companies == nil {
		return nil
	}
	var keys []entity.Key
	for id := range s.companies.Range {
		keys = append(keys, companyKey(id.(string)))
	}
	items, err := s.entities.Items(ctx, keys, true)
	if err != nil {
		return err
	}
	for _, item := range items {
		values, _ := itemkey.Company.Parse(item.PK, item.SK)
		known, _ := s.companies.Load(values[0])
		stored, err := item.State("")
		if err != nil {
			return err
		}
		if stored.Version == known.(versionedFacts).version {
			continue
		}
		facts, err := entity.Decode[*CompanyFacts](stored)
		if err != nil {
			return err
		}
		if err := s.copyFactsToRoles(ctx, values[0], versionedFacts{stored.Version, facts}); err != nil {
			return err
		}
	}
	s.companies.Clear()
	return nil
}
