package openapi

// Change is an entry of the changelog. Within a version of the path there are only
// additions (contract, Versioning).
type Change struct {
	// Date is YYYY-MM-DD.
	Date string
	// What is a sentence for callers.
	What string
}

// Changes is the changelog, newest first. Its first date is the document's version.
var Changes = []Change{
	{"2026-11-20", "The OpenAPI document: GET /docs/openapi.json and /docs/openapi.yaml, and GET /docs with Accept: application/json."},
	{"2026-11-20", "Version 1: the agency surface, the recruiter surface, health and reference."},
}
