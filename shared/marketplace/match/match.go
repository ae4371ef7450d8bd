// Package match stores hiring managers' requests for candidates: matches, in the order in
// which they were sent to a recruiter, and by the time at which they expire.
//
// The type is the payload of the feed's events. A pending match expires seven days after
// it was sent: readers compute that, the scheduled function stores it, and a later event
// of the marketplace still replaces it. How a match's role is shown is up to package role.
package match

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// Match is a hiring manager's request for a candidate on a role.
type Match struct {
	RecruiterID string               `json:"recruiterId" check:"required,format=id"`
	RoleID      string               `json:"roleId" check:"required,format=id"`
	Status      contract.MatchStatus `json:"status" check:"required,enum=matchStatus"`
	SentAt      contract.Time        `json:"sentAt" check:"required"`
	// ReachedOut says that the recruiter marked the candidate as contacted.
	ReachedOut         bool      `json:"reachedOutToCandidate"`
	HiringManagerName  string    `json:"hiringManagerName" check:"max=300"`
	HiringManagerNote  *string   `json:"hiringManagerNote" check:"nullable,max=5000"`
	Candidate          Candidate `json:"candidate" check:"required"`
	ProgressLabel      *string   `json:"progressLabel" check:"nullable,enum=progressLabel"`
	RejectedAfterStage *string   `json:"rejectedAfterStage" check:"nullable,enum=progressLabel"`
}

// Candidate is the person that the hiring manager asks for. An erasure deletes it.
type Candidate struct {
	CandidateID string  `json:"candidateId" check:"required,format=id"`
	Name        string  `json:"name" check:"required,max=300"`
	Title       *string `json:"title" check:"nullable,max=300"`
	OneLiner    *string `json:"oneLiner" check:"nullable,max=1000"`
	Location    *string `json:"location" check:"nullable,max=300"`
	LinkedInURL *string `json:"linkedinUrl" check:"nullable,max=2048"`
	// Email is used for erasure alone.
	Email *string `json:"email" check:"nullable,format=email"`
}

// Key returns the key of a match's item.
func Key(id string) entity.Key { return entity.KeyOf(itemkey.Match, id) }

func (m Match) entityRows(id string) []entity.Row {
	rows := []entity.Row{
		entity.RowOf(itemkey.RecruiterMatch, m, m.RecruiterID, formatSortTime(m.SentAt.Time), id),
		entity.RowOf(itemkey.RoleMatch, nil, m.RecruiterID, m.RoleID, id),
	}
	if row, isOpen := m.unresolvedRow(id); isOpen {
		rows = append(rows, row)
	}
	return rows
}

// Store stores matches. A change is dropped unless it is newer than what is stored, and may be repeated (package entity).
type Store struct{ entities *entity.Store }

// NewStore returns a store in the marketplace table.
func NewStore(entities *entity.Store) *Store { return &Store{entities} }

// Put stores a match; nil deletes it.
func (s *Store) Put(ctx context.Context, id string, at entity.Stamp, m *Match) (err error) {
	defer fault.Wrap(&err, "match.Put(id)")

	c := s.newChange(id, at)
	if m != nil {
		c.Persons = entity.PersonHashes(m.Candidate.Email, m.Candidate.LinkedInURL)
		c.Next = func(old entity.State) (entity.NewState, error) {
			actions, err := s.pauseDueActions(old, m)
			next := entity.NewState{Body: m, Rows: m.entityRows(id), Actions: actions}
			if m.Status == contract.MatchStatusPending {
				next.Due = m.ExpiresAt()
			}
			return next, err
		}
	}
	_, err = s.entities.Apply(ctx, c)
	return err
}

// Erase deletes a match of an erased person and reports whether it did: a match with events after at stays.
func (s *Store) Erase(ctx context.Context, id string, at time.Time) (erased bool, err error) {
	defer fault.Wrap(&err, "match.Erase(id)")

	return s.entities.Erase(ctx, s.newChange(id, entity.Stamp{At: at}))
}

// newChange returns a change that deletes a match, unless it is filled in.
func (s *Store) newChange(id string, at entity.Stamp) entity.Change {
	onDelete := func(old entity.State) ([]entity.Action, error) { return s.pauseDueActions(old, nil) }
	return entity.Change{Key: Key(id), Stamp: at, OnDelete: onDelete}
}

// pauseDueActions returns the actions that make the sweeper reconsider the pauses of the
// recruiters for which the number of unresolved matches may change with the match old.
func (s *Store) pauseDueActions(old entity.State, next *Match) (actions []entity.Action, err error) {
	was, err := entity.Decode[Match](old)
	if err != nil {
		return nil, err
	}
	is := optional.Value(next)
	before, wasOpen := was.unresolvedRow("")
	after, isOpen := is.unresolvedRow("")
	if wasOpen == isOpen && before == after {
		return nil, nil
	}
	recruiters := map[string]bool{was.RecruiterID: wasOpen}
	recruiters[is.RecruiterID] = recruiters[is.RecruiterID] || is.Status == contract.MatchStatusExpired
	for id, changed := range recruiters {
		if changed {
			actions = append(actions, s.entities.MarkDue(pauseKey(id)))
		}
	}
	return actions, nil
}

// ExpiryPeriod is how long a match stays pending.
const ExpiryPeriod = 7 * 24 * time.Hour

// ExpiresAt returns when the match expires if it is still pending.
func (m Match) ExpiresAt() time.Time { return m.SentAt.Add(ExpiryPeriod) }

// StatusAt returns the match's status at a time: a pending one past its expiry is expired, even if that is not stored yet.
func (m Match) StatusAt(now time.Time) contract.MatchStatus {
	if m.Status == contract.MatchStatusPending && !now.Before(m.ExpiresAt()) {
		return contract.MatchStatusExpired
	}
	return m.Status
}

// ActionBucket returns what the match asks of the recruiter at a time.
func (m Match) ActionBucket(now time.Time) contract.ActionBucket {
	switch status := m.StatusAt(now); {
	case status == contract.MatchStatusExpired:
		return contract.ActionBucketExpired
	case status != contract.MatchStatusPending:
		return contract.ActionBucketClosed
	case m.ReachedOut:
		return contract.ActionBucketNeedsSubmission
	}
	return contract.ActionBucketNew
}

// DaysLeft returns the whole days until a pending match expires, or nil if it is not pending.
func (m Match) DaysLeft(now time.Time) *int64 {
	if m.StatusAt(now) != contract.MatchStatusPending {
		return nil
	}
	return new(int64(m.ExpiresAt().Sub(now) / (24 * time.Hour)))
}

// Application returns how far the candidate has come: a label once submitted, and after a rejection the stage before it.
func (m Match) Application() contract.MatchApplication {
	var a contract.MatchApplication
	if m.Status != contract.MatchStatusSubmitted {
		return a
	}
	a.ProgressLabel = (*contract.ProgressLabel)(m.ProgressLabel)
	if a.ProgressLabel == nil {
		a.ProgressLabel = new(contract.ProgressLabelSubmitted)
	}
	if *a.ProgressLabel == contract.ProgressLabelRejected {
		a.RejectedAfterStage = (*contract.ProgressLabel)(m.RejectedAfterStage)
	}
	return a
}

// Listed is a match with its id.
type Listed struct {
	ID string
	Match
}

// maxExamined bounds the matches that are read for a page, which is short if few of them pass the filter.
const maxExamined = 500

// List returns a page of at most limit of a recruiter's matches that are in a status at now, oldest
// first, after a sort key; "" is before the first. next is the sort key after which the next page
// begins, "" on the last page.
//
// A sort key is when a match was sent and its id, so a change of a match's status between
// pages causes no other to be skipped or repeated.
func (s *Store) List(ctx context.Context, recruiterID string, status contract.MatchFilter, after string, limit int, now time.Time) (
	page []Listed, next string, err error,
) {
	defer fault.Wrap(&err, "match.List(recruiterID, after)")

	if status == contract.MatchFilterPending {
		after = max(after, formatSortTime(now.Add(-ExpiryPeriod))) // what was sent before has expired
	}
	query := entity.QueryOf(itemkey.RecruiterMatch, recruiterID)
	if after != "" {
		query.After = query.Prefix + after
	}
	for look, examined := limit+1, 0; ; look = min(4*examined, maxExamined-examined) {
		rows, more, err := s.entities.QueryPage(ctx, query, look)
		if err != nil {
			return nil, "", err
		}
		for _, row := range rows {
			var m Listed
			if err := row.Into(&m.Match); err != nil {
				return nil, "", err
			}
			if status != contract.MatchFilterAll && m.StatusAt(now) != contract.MatchStatus(status) {
				continue
			}
			if len(page) == limit {
				return page, next, nil
			}
			next = strings.TrimPrefix(row.SK, query.Prefix)
			_, m.ID, _ = strings.Cut(next, "#")
			page = append(page, m)
		}
		if !more {
			return page, "", nil
		}
		query.After = rows[len(rows)-1].SK
		examined += len(rows)
		if examined >= maxExamined {
			return page, strings.TrimPrefix(query.After, query.Prefix), nil
		}
	}
}

// ValidSortKey reports whether text is the sort key of a match in the list.
func ValidSortKey(text string) bool {
	at, id, _ := strings.Cut(text, "#")
	_, err := time.Parse(sortTimeLayout, at)
	isID := id != "" && len(id) <= 128 && !strings.Contains(id, "#")
	return err == nil && isID
}

const sortTimeLayout = "20060102T150405.000"

// formatSortTime formats a time for sort keys, which sort as the times do.
func formatSortTime(t time.Time) string { return t.UTC().Format(sortTimeLayout) }

// MatchedRoles returns the roles on which a recruiter was ever sent a match, each once. It reads 10,000 matches in a call.
func (s *Store) MatchedRoles(ctx context.Context, recruiterID string) (roleIDs []string, err error) {
	defer fault.Wrap(&err, "match.MatchedRoles(recruiterID)")

	for row, err := range s.entities.Query(ctx, entity.QueryOf(itemkey.RoleMatch, recruiterID)) {
		if err != nil {
			return nil, err
		}
		values, _ := itemkey.RoleMatch.ParseSK(row.SK)
		roleIDs = append(roleIDs, values[0])
	}
	return slices.Compact(roleIDs), nil
}

// WasSent reports, by reading one row, whether a recruiter was ever sent a match on a role.
func (s *Store) WasSent(ctx context.Context, recruiterID, roleID string) (_ bool, err error) {
	defer fault.Wrap(&err, "match.WasSent(recruiterID, roleID)")

	rows, _, err := s.entities.QueryPage(ctx, entity.QueryOf(itemkey.RoleMatch, recruiterID, roleID), 1)
	return len(rows) > 0, err
}

// PendingRoles returns, by one call, the roles on which a recruiter's candidate has a match that is pending at a time.
func (s *Store) PendingRoles(ctx context.Context, recruiterID, candidateID string, now time.Time) (roleIDs []string, err error) {
	defer fault.Wrap(&err, "match.PendingRoles(recruiterID, candidateID)")

	for row, err := range s.entities.Query(ctx, entity.QueryOf(itemkey.UnresolvedMatch, recruiterID, candidateID)) {
		if err != nil {
			return nil, err
		}
		o, err := entity.Decode[unresolvedRow](row)
		if err != nil {
			return nil, err
		}
		if now.UnixMilli() < o.Expires {
			values, _ := itemkey.UnresolvedMatch.ParseSK(row.SK)
			roleIDs = append(roleIDs, values[1])
		}
	}
	return roleIDs, nil
}
