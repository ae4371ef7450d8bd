package console

import (
	"net/http"

	"github.com/recruiting-marketplace/external-api/shared/agency/changefeed"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// changesRead is how many changes a page reads at a time.
const changesRead = 500

// memberChanges are changes of an agency's members, in order, and the position to read on from.
type memberChanges struct {
	Changes []memberChange `json:"changes"`
	Next    string         `json:"next"`
	More    bool           `json:"more"`
}

// memberChange is what happened to a member.
type memberChange struct {
	Type            contract.ChangeType   `json:"type"`
	At              int64                 `json:"at"` // in milliseconds
	CandidateUserID string                `json:"candidateUserId"`
	Status          contract.ChangeStatus `json:"status"`
}

// listChanges returns the changes of the request's agency after the position that it names, or all that are kept.
func (c *Console) listChanges(r *http.Request) (any, error) {
	t := agencyNamed(r.URL.Query().Get("agency")).tenantIn(r)
	after, _ := changefeed.ParsePosition(t, r.URL.Query().Get("after")) // the beginning, for a text that is none
	types := []contract.ChangeType{
		contract.PreferencesChanged, contract.MarketChanged, contract.FastTrackChanged, contract.CandidateRemoved,
	}
	page, err := c.changes.Read(r.Context(), t, after, changesRead, types)
	out := memberChanges{Changes: []memberChange{}, Next: page.Next.Format(t), More: page.More}
	for _, m := range page.Changes {
		out.Changes = append(out.Changes, memberChange{m.Type, m.At, m.CandidateUserID, m.Status})
	}
	return out, err
}
