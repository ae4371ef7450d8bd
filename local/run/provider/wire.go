package provider

import (
	"net/http"

	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
)

// answer is the body of a 200: {"status": 200, "likelihood": 1…10, "data": {…}}.
type answer struct {
	Status     int    `json:"status"`
	Likelihood int    `json:"likelihood"`
	Data       person `json:"data"`
}

// person holds the fields of the person schema that the adapter reads. A field
// without data is null.
type person struct {
	FullName         string  `json:"full_name"`
	LinkedInURL      string  `json:"linkedin_url"`
	LinkedInUsername string  `json:"linkedin_username"`
	JobTitle         *string `json:"job_title"`
	JobCompanyName   *string `json:"job_company_name"`
	LocationName     *string `json:"location_name"`
	Experience       []job   `json:"experience"`
}

type job struct {
	Company       named         `json:"company"`
	Title         named         `json:"title"`
	StartDate     *profile.Date `json:"start_date"`
	EndDate       *profile.Date `json:"end_date"`
	IsPrimary     bool          `json:"is_primary"`
	LocationNames []string      `json:"location_names"`
	Summary       *string       `json:"summary"`
}

type named struct {
	Name *string `json:"name"`
}

// refusal is every other response. The type is an array on 404 and a string
// elsewhere, because the provider sends both.
type refusal struct {
	Status int `json:"status"`
	Error  struct {
		Type    any    `json:"type"`
		Message string `json:"message"`
	} `json:"error"`
}

func newPersonAnswer(slug string, p profile.Profile) answer {
	jobs := []job{}
	for _, e := range p.Experiences {
		jobs = append(jobs, job{
			Company: named{optional.NonZero(e.Company)}, Title: named{optional.NonZero(e.Title)},
			StartDate: optional.NonZero(e.Start), EndDate: optional.NonZero(e.End), IsPrimary: e.Current,
			LocationNames: locationList(e.Location), Summary: optional.NonZero(e.Description),
		})
	}
	return answer{Status: http.StatusOK, Likelihood: 10, Data: person{
		FullName: p.Name, LinkedInURL: "linkedin.com/in/" + slug, LinkedInUsername: slug,
		JobTitle: optional.NonZero(p.Title), JobCompanyName: optional.NonZero(p.Company), LocationName: optional.NonZero(p.Location), Experience: jobs,
	}}
}

// writeRefusal sends an error as the provider words it.
func writeRefusal(w http.ResponseWriter, status int) {
	body := refusal{Status: status}
	body.Error.Type = errorType(status)
	body.Error.Message = http.StatusText(status)
	writeJSON(w, status, body)
}

func errorType(status int) any {
	switch {
	case status == http.StatusNotFound:
		return []string{"not_found"}
	case status == http.StatusUnauthorized:
		return "authentication_error"
	case status == http.StatusPaymentRequired:
		return "payment_required"
	case status == http.StatusTooManyRequests:
		return "rate_limit_error"
	case status >= 500:
		return "api_error"
	}
	return "invalid_request_error"
}

func locationList(location string) []string {
	if location == "" {
		return []string{}
	}
	return []string{location}
}
