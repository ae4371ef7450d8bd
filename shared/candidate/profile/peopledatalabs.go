package profile

import (
	"context"
	"encoding/json"
	"net/url"

	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// PeopleDataLabs is the provider behind People Data Labs' person enrichment API,
// version 5, at https://api.peopledatalabs.com. It is safe for concurrent use.
type PeopleDataLabs API

// Profile implements Provider with at most two attempts. If a rate limit resets
// later than in 5 s, it does not wait but returns at once, with RetryAfter.
func (p PeopleDataLabs) Profile(ctx context.Context, slug string) (Profile, error) {
	query := url.Values{
		"profile":        {"linkedin.com/in/" + url.PathEscape(slug)},
		"min_likelihood": {"6"},
		"titlecase":      {"true"}, // the default is lower case, and title and company are shown to people
	}
	return API(p).lookUp(ctx, slug, question{"/v5/person/enrich?" + query.Encode(), "X-Api-Key", p.APIKey, decodePeopleDataLabs})
}

// peopleDataLabsResponse is the part of a 200 that is used. The types are strict
// where a wrong one would blame the candidate, and lenient where it only costs a
// detail: for fields outside the customer's plan the provider sends true.
type peopleDataLabsResponse struct {
	Status int `json:"status"`
	Data   *struct {
		Username   string            `json:"linkedin_username"`
		URL        string            `json:"linkedin_url"`
		Title      lenientText       `json:"job_title"`
		Company    lenientText       `json:"job_company_name"`
		Location   lenientText       `json:"location_name"`
		Experience []json.RawMessage `json:"experience"`
	} `json:"data"`
}

// peopleDataLabsJob is one entry of a response's experience.
type peopleDataLabsJob struct {
	Title   lenientText     `json:"title"`
	Company lenientText     `json:"company"`
	Start   lenientDate     `json:"start_date"`
	End     lenientDate     `json:"end_date"`
	Primary json.RawMessage `json:"is_primary"`
}

// decodePeopleDataLabs decodes the body of a 200 to a request for slug.
func decodePeopleDataLabs(body []byte, slug string) (Profile, error) {
	var got peopleDataLabsResponse
	if err := json.Unmarshal(body, &got); err != nil {
		return Profile{}, &Unavailable{Reason: Malformed, Retryable: true}
	}
	if got.Status != 0 { // the body's own status is the provider's word, the HTTP status may be a proxy's
		if err := errorForStatus(got.Status); err != nil {
			return Profile{}, err
		}
	}
	if got.Data == nil {
		return Profile{}, &Unavailable{Reason: Malformed, Retryable: true}
	}
	if responseSlug(got.Data.Username, got.Data.URL) != identity.FoldCase(slug) {
		return Profile{}, ErrNotFound // a high likelihood does not prove that it is the same person
	}
	found := Profile{Title: got.Data.Title.clean(), Company: got.Data.Company.clean(), Location: got.Data.Location.clean()}
	return found.withJobs(decodeJobs[peopleDataLabsJob](got.Data.Experience))
}

// toJob takes a job as current only on evidence: it has no end, and either
// the provider marks it or its start is known.
func (j peopleDataLabsJob) toJob() job {
	isKnown := string(j.Primary) == "true" || j.Start.known
	return job{j.Title.clean(), j.Company.clean(), isKnown && !j.End.given}
}
