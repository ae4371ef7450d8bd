package main

import (
	"encoding/json"
	"io"
	"net/url"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/openapi"
)

// exampleQueries holds the query of an operation's sample.
var exampleQueries = map[string]string{
	"listCandidates":    "status=on_market&limit=50",
	"listBatches":       "limit=20",
	"listMembers":       "limit=50",
	"listChanges":       "type=submission.succeeded&type=submission.failed",
	"listAgencyRoles":   "location=europe&workplace=REMOTE",
	"searchAgencyRoles": "query=backend+engineer&minSalary=90000",
	"getAgencyRole":     "recruiterEmail=rita%40example.org",
	"listRoles":         "query=engineer&location=europe&minSalary=90000",
	"listActiveRoles":   "primaryOnly=true",
	"listCRMCandidates": "query=ada",
	"listMatches":       "status=pending",
	"listAutoMatches":   "status=pending",
	"listCalls":         "limit=10",
}

// exampleKeys holds the Idempotency-Key of an operation's sample.
var exampleKeys = map[string]string{"submitCandidate": "ats-4711-1", "submitBulk": "ats-import-17"}

// harRequest is a request of the HTTP archive format, as far as samples need it.
type harRequest struct {
	Method      string         `json:"method"`
	URL         string         `json:"url"`
	HTTPVersion string         `json:"httpVersion"`
	Headers     []harPair      `json:"headers"`
	QueryString []harPair      `json:"queryString"`
	PostData    map[string]any `json:"postData,omitempty"`
}

type harPair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// sampleKey represents the key in the requests; .tools/samples.mjs makes it a variable of the
// language.
const sampleKey = "$API_KEY"

// printRequests prints the sample request of each operation, by name.
func printRequests(w io.Writer) error {
	all := map[string]harRequest{}
	for _, r := range contract.Routes {
		request, err := sampleRequest(r)
		if err != nil {
			return err
		}
		all[r.Operation] = request
	}
	return json.NewEncoder(w).Encode(all)
}

func sampleRequest(r contract.Route) (harRequest, error) {
	parameters, body := openapi.ExampleRequest(r)
	h := harRequest{
		Method: r.Method, URL: contract.ExampleURL + contract.BasePath + fillPath(r.Path, parameters), HTTPVersion: "HTTP/1.1",
		Headers: []harPair{}, QueryString: []harPair{},
	}
	if query := exampleQueries[r.Operation]; query != "" {
		h.URL += "?" + query
	}
	if !r.Public() {
		h.Headers = append(h.Headers, harPair{"Authorization", "Bearer " + sampleKey})
	}
	if body == nil {
		return h, nil
	}
	h.Headers = append(h.Headers, harPair{"Content-Type", "application/json"})
	if exampleKeys[r.Operation] != "" {
		h.Headers = append(h.Headers, harPair{"Idempotency-Key", exampleKeys[r.Operation]})
	}
	text, err := marshalOrdered(contract.SchemaOf(r.Input), body)
	h.PostData = map[string]any{"mimeType": "application/json", "text": text}
	return h, err
}

// attempt is the request that a form begins with: the sample with its path and query below the base path. Key is
// the type of its key, "any" or "none"; Changes reports whether it changes data.
type attempt struct {
	URL, Body, Key string
	Changes        bool
}

func firstAttempt(r contract.Route) (*attempt, error) {
	h, err := sampleRequest(r)
	a := attempt{
		URL: strings.TrimPrefix(h.URL, contract.ExampleURL+contract.BasePath), Key: string(r.KeyType), Changes: r.Tier == contract.WriteTier,
	}
	a.Body, _ = h.PostData["text"].(string)
	if r.Public() {
		a.Key = "none"
	} else if r.KeyType == contract.AnyKey {
		a.Key = "any"
	}
	return &a, err
}

func fillPath(path string, parameters map[string]string) string {
	for name, value := range parameters {
		path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(value))
	}
	return path
}
