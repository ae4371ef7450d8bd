package main

import (
	_ "embed"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/openapi"
)

// sampleKey represents the key in the requests; .tools/samples.mjs makes it a variable of the
// language.
const sampleKey = "$API_KEY"

// sampleRequests returns the sample request of each operation, by name, in the HTTP archive format.
func sampleRequests() map[string]any {
	all := map[string]any{}
	for _, r := range contract.Routes {
		headers := []map[string]string{}
		add := func(name, value string) { headers = append(headers, map[string]string{"name": name, "value": value}) }
		if !r.Public() {
			add("Authorization", "Bearer "+sampleKey)
		}
		request := map[string]any{
			"method": r.Method, "url": contract.ExampleURL + contract.BasePath + sampleAddress(r), "httpVersion": "HTTP/1.1", "queryString": []any{},
		}
		if body := sampleBody(r); body != "" {
			add("Content-Type", "application/json")
			request["postData"] = map[string]string{"mimeType": "application/json", "text": body}
		}
		if key := openapi.ExampleRequest(r).IdempotencyKey; key != "" {
			add("Idempotency-Key", key)
		}
		request["headers"] = headers
		all[r.Operation] = request
	}
	return all
}

// sampleAddress returns path and query of a sample, below the base path.
func sampleAddress(r contract.Route) string {
	example := openapi.ExampleRequest(r)
	address := r.Path
	for name, value := range example.Path {
		address = strings.ReplaceAll(address, "{"+name+"}", url.PathEscape(value))
	}
	if example.Query != "" {
		address += "?" + example.Query
	}
	return address
}

// sampleBody returns the body of a sample in JSON, empty for none.
func sampleBody(r contract.Route) string {
	body := openapi.ExampleRequest(r).Body
	if body == nil {
		return ""
	}
	return encodeExample(r.Input, body).String()
}

//go:embed samples.json
var samplesJSON []byte

//go:embed examples_test.go
var goExamples string

// sample is a request in a language.
type sample struct {
	// Language is its name for people, Lexer the highlighter's.
	Language, Lexer, Code string
}

func readSamples() map[string][]sample {
	var written map[string]struct{ Curl, Python, TypeScript string }
	if err := json.Unmarshal(samplesJSON, &written); err != nil {
		panic(err)
	}
	examples := map[string]string{} // the bodies of the functions Example_<operation>, without their output
	for _, declared := range strings.Split(goExamples, "\nfunc Example_")[1:] {
		operation, body, _ := strings.Cut(declared, "() {\n")
		body, _, _ = strings.Cut(body, "\n}\n")
		body, _, _ = strings.Cut(body, "\t// Output:")
		examples[operation] = strings.ReplaceAll(strings.TrimSpace(strings.ReplaceAll(body, "\n\t", "\n")), "\t", "  ")
	}
	all := map[string][]sample{}
	for operation, s := range written {
		all[operation] = append(all[operation], sample{"curl", "bash", s.Curl})
		if code := examples[operation]; code != "" {
			all[operation] = append(all[operation], sample{"Go", "go", code})
		}
		all[operation] = append(all[operation], sample{"Python", "python", s.Python}, sample{"TypeScript", "typescript", s.TypeScript})
	}
	return all
}
