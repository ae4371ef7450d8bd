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
	LinkedInURL      string  `json:"linkedin_url"`
	LinkedInUsername string  `json:"linkedin_username"`
	JobTitle         *string `json:"job_title"`
	JobCompanyName   *string `json:"job_company_name"`
	LocationName     *string `json:"location_name"`
	Experience       []job   `json:"experience"`
}

type job struct {
	Company   named   `json:"company"`
	Title     named   `json:"title"`
	StartDate string  `json:"start_date"`
	EndDate   *string `json:"end_date"`
	IsPrimary bool    `json:"is_primary"`
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

// newPersonAnswer returns the answer of a profile: a person whose current job is the only one.
func newPersonAnswer(slug string, p profile.Profile) answer {
	current := job{
		Company: named{optional.NonZero(p.Company)}, Title: named{optional.NonZero(p.Title)}, StartDate: "2021-03", IsPrimary: true,
	}
	return answer{Status: http.StatusOK, Likelihood: 10, Data: person{
		LinkedInURL: "linkedin.com/in/" + slug, LinkedInUsername: slug,
		JobTitle: current.Title.Name, JobCompanyName: current.Company.Name, LocationName: optional.NonZero(p.Location), Experience: []job{current},
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
