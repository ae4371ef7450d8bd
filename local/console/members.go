package console

import (
	"net/http"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// memberFacts are what is known of a member since its newest submission, whose resume was read.
type memberFacts struct {
	SubmissionID string   `json:"submissionId"`
	Name         string   `json:"name"`
	Title        string   `json:"title"`
	Company      string   `json:"company"`
	Location     string   `json:"location"`
	Years        float64  `json:"years"` // of experience; 0: unknown
	Skills       []string `json:"skills"`
	Languages    []string `json:"languages"`
}

// readMember returns the facts of a member of an agency of the request.
func (c *Console) readMember(r *http.Request) (any, error) {
	m, found, err := c.network.Membership(r.Context(), r.PathValue("member"))
	if err != nil {
		return nil, err
	}
	isListed := slices.ContainsFunc(agenciesOf(r), func(a agency) bool { return a.tenantIn(r) == m.Tenant })
	if !found || !isListed {
		return nil, fault.Missing()
	}
	return newMemberFacts(m), nil
}

func newMemberFacts(m network.Membership) memberFacts {
	facts := memberFacts{
		Name: m.Name, Title: m.Title, Company: m.Company, Location: m.Location,
		Years: m.Resume.Years, Skills: m.Resume.Skills, Languages: m.Resume.Languages,
	}
	place, ok := submission.ParseCopyKey(m.ResumeKey)
	if ok {
		facts.SubmissionID = submission.NewID(place.Batch, place.Index).String()
	}
	return facts
}
