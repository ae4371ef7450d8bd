package main

import (
	"encoding/json"
	"io"
	"net/url"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/openapi"
)

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
	example := openapi.ExampleRequest(r)
	h := harRequest{
		Method: r.Method, URL: contract.ExampleURL + contract.BasePath + fillPath(r.Path, example.Path), HTTPVersion: "HTTP/1.1",
		Headers: []harPair{}, QueryString: []harPair{},
	}
	if example.Query != "" {
		h.URL += "?" + example.Query
	}
	if !r.Public() {
		h.Headers = append(h.Headers, harPair{"Authorization", "Bearer " + sampleKey})
	}
	if example.Body == nil {
		return h, nil
	}
	h.Headers = append(h.Headers, harPair{"Content-Type", "application/json"})
	if example.IdempotencyKey != "" {
		h.Headers = append(h.Headers, harPair{"Idempotency-Key", example.IdempotencyKey})
	}
	text, err := marshalOrdered(contract.SchemaOf(r.Input), example.Body)
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
