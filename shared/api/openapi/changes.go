package openapi

// Change is an entry of the changelog. Within a version of the path there are only
// additions (contract, Versioning).
type Change struct {
	// Version is the semantic version of the document that first had the change. Its major
	// number is that of the path; a correction of the document itself raises the last one.
	Version string
	// Date is YYYY-MM-DD.
	Date string
	// What is a sentence for callers.
	What string
}

// Changes is the changelog, newest first. Its first version is the document's.
var Changes = []Change{
	{"1.11.1", "2026-11-26", "The OpenAPI document: PUT of preferences has the type that GET returns, too, so that typed clients can " +
		"send what they have read. The values that it takes are as before."},
	{"1.11.0", "2026-11-24", "GET /docs/{page}: the reference has a page for each resource, with forms that send requests. Links " +
		"to GET /docs#… lead there."},
	{"1.10.0", "2026-11-24", "sort on GET /recruiter/roles and GET /agency/roles/search. " +
		"The agency's search lists the best match first; sort=updated keeps its former order, to which cursors from before belong."},
	{"1.9.0", "2026-11-24", "GET /agency/members: whom recruiterEmail may name. GET /talent-network/candidates/{candidateUserId}: " +
		"one candidate in full, with the last submission."},
	{"1.8.0", "2026-11-24", "GET /enumerations has fields, error types and codes, and none of the feed's. " +
		"screeningCallLink takes more schemes. Names and references with control characters are 400. " +
		"Agency roles without recruiterEmail are the primary owner's. " +
		"The OpenAPI document has defaults, parameters that can be null, and codes of bulk items apart; " +
		"413 and 431 are in the default response."},
	{"1.7.0", "2026-11-22", "GET /docs.md, /llms.txt and /docs/changes.atom. The reference has search, samples in four languages, " +
		"the sandbox and the causes of item errors; it answers If-None-Match and sends gzip."},
	{"1.6.1", "2026-11-22", "The OpenAPI document lists 431. recommendation.reasons no longer lists industry, which was never " +
		"given. A parameter with one value that is sent twice is 400 also if it is empty or null."},
	{"1.6.0", "2026-11-22", "GET /talent-network/changes and /batches: what happened, in one order, and the agency's batches. The " +
		"code cursor_expired. recommendation.reasons, and resume in the lookup of candidates."},
	{"1.5.0", "2026-11-22", "GET /enumerations: every enumeration with display names. clientReferenceId on the single submit too, " +
		"and in batch items."},
	{"1.4.0", "2026-11-22", "The OpenAPI document names its enumerations, links a submission to its batch, and has an absolute " +
		"server and a semantic version."},
	{"1.3.0", "2026-11-22", "Without Talent Network access every talent_network endpoint is 403 talent_network_disabled. A body " +
		"that stalls is 400."},
	{"1.2.0", "2026-11-22", "PUT of preferences takes the body of the GET as it stands. HEAD answers on the public routes, and " +
		"401 carries WWW-Authenticate."},
	{"1.1.1", "2026-11-22", "Amounts of CRM preferences are null, not 0, when unknown. An id in a path may have any length; one " +
		"that names nothing is 404."},
	{"1.1.0", "2026-11-20", "The OpenAPI document: GET /docs/openapi.json and /docs/openapi.yaml, and GET /docs with Accept: " +
		"application/json."},
	{"1.0.0", "2026-11-20", "Version 1: the agency surface, the recruiter surface, health and reference."},
}
