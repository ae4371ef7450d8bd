package console

import (
	"net/http"
	"slices"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/demo/reset"
	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/agency/changefeed"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// agenciesOf returns the agency that the request names, or all of them if it names none.
func agenciesOf(r *http.Request) []demo.Agency {
	wanted := r.URL.Query().Get("agency")
	return slices.DeleteFunc(demo.Agencies(), func(a demo.Agency) bool { return wanted != "" && a.ID != wanted })
}

// agencyNamed returns the agency with an id; for "", the first one, which has the run's keys. For an unknown id it returns
// an agency without an owner, for whom nobody can act.
func agencyNamed(id string) (found demo.Agency) {
	for _, a := range demo.Agencies() {
		if id == a.ID || id == "" {
			return a
		}
	}
	found.ID = id
	return found
}

func tenantOf(a demo.Agency, r *http.Request) tenant.ID {
	return tenant.Of(a.ID, r.URL.Query().Get("environment"))
}

// readMember returns what is known of a member of an agency of the request since its newest submission, whose resume was read.
func (c *Console) readMember(r *http.Request) (any, error) {
	m, found, err := c.network.Membership(r.Context(), r.PathValue("member"))
	if err != nil {
		return nil, err
	}
	isListed := slices.ContainsFunc(agenciesOf(r), func(a demo.Agency) bool { return tenantOf(a, r) == m.Tenant })
	if !found || !isListed {
		return nil, fault.Missing()
	}
	submissionID := ""
	if place, ok := submission.ParseCopyKey(m.ResumeKey); ok {
		submissionID = submission.NewID(place.Batch, place.Index).String()
	}
	return map[string]any{
		"submissionId": submissionID, "name": m.Name, "title": m.Title, "company": m.Company, "location": m.Location,
		"years":  m.Resume.Years, // of experience; 0: unknown
		"skills": m.Resume.Skills, "languages": m.Resume.Languages,
	}, nil
}

const changesRead = 500

// listChanges returns the changes of members of the request's agency after the position that it names, or all that are kept, in
// order, and the position to read on from.
func (c *Console) listChanges(r *http.Request) (any, error) {
	t := tenantOf(agencyNamed(r.URL.Query().Get("agency")), r)
	after, _ := changefeed.ParsePosition(t, r.URL.Query().Get("after")) // the beginning, for a text that is none
	types := []contract.ChangeType{
		contract.PreferencesChanged, contract.MarketChanged, contract.FastTrackChanged, contract.CandidateRemoved,
	}
	page, err := c.changes.Read(r.Context(), t, after, changesRead, types)
	all := []map[string]any{}
	for _, m := range page.Changes { // times are in milliseconds
		all = append(all, map[string]any{"type": m.Type, "at": m.At, "candidateUserId": m.CandidateUserID, "status": m.Status})
	}
	return map[string]any{"changes": all, "next": page.Next.Format(t), "more": page.More}, err
}

type resetRequest struct {
	Environment string `json:"environment"`
}

func (c *Console) resetAgency(r *http.Request, in resetRequest) (any, error) {
	if !slices.Contains(apikey.Environments(c.config.Host.Opener()), in.Environment) {
		return nil, fault.New(fault.Invalid, contract.NoCode, "The environment is not served by this system.")
	}
	return reset.Agency(r.Context(), c.config.Host, demo.AgencyID, in.Environment)
}
