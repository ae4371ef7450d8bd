package main

import (
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

func sampleRequests() map[string]harRequest {
	all := map[string]harRequest{}
	for _, r := range contract.Routes {
		all[r.Operation] = sampleRequest(r)
	}
	return all
}

func sampleRequest(r contract.Route) harRequest {
	example := openapi.ExampleRequest(r)
	path := r.Path
	for name, value := range example.Path {
		path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(value))
	}
	h := harRequest{
		Method: r.Method, URL: contract.ExampleURL + contract.BasePath + path, HTTPVersion: "HTTP/1.1",
		Headers: []harPair{}, QueryString: []harPair{},
	}
	if example.Query != "" {
		h.URL += "?" + example.Query
	}
	if !r.Public() {
		h.Headers = append(h.Headers, harPair{"Authorization", "Bearer " + sampleKey})
	}
	if example.Body == nil {
		return h
	}
	h.Headers = append(h.Headers, harPair{"Content-Type", "application/json"})
	if example.IdempotencyKey != "" {
		h.Headers = append(h.Headers, harPair{"Idempotency-Key", example.IdempotencyKey})
	}
	h.PostData = map[string]any{"mimeType": "application/json", "text": encodeExample(r.Input, example.Body).String()}
	return h
}
