package match

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// The progress labels of a new application and of a rejected one.
const (
	labelSubmitted contract.ProgressLabel = "Submitted"
	labelRejected  contract.ProgressLabel = "Rejected"
)

// Application returns how far the candidate has come: a label once submitted, and after a
// rejection the stage before it.
func (m Match) Application() contract.MatchApplication {
	var a contract.MatchApplication
	if m.Status != contract.MatchStatusSubmitted {
		return a
	}
	a.ProgressLabel = (*contract.ProgressLabel)(m.ProgressLabel)
	if a.ProgressLabel == nil {
		a.ProgressLabel = new(labelSubmitted)
	}
	if *a.ProgressLabel == labelRejected {
		a.RejectedAfterStage = (*contract.ProgressLabel)(m.RejectedAfterStage)
	}
	return a
}

// Listed is a match with its id.
type Listed struct {
	ID string
	Match
}

// maxExamined bounds the matches that are read for a page; the first read has fewer. A page is
// short if few of them pass the filter.
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

// MatchedRoles returns the roles on which a recruiter was ever sent a match, each once, by reading a
// short row of every match: 10,000 of them in one call.
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
