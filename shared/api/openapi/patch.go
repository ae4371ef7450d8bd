package openapi

import (
	"encoding/json"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// ExampleRequest returns an invented request of a route: its parameters in the path, and its
// body, which is nil if it has none.
func ExampleRequest(r contract.Route) (path map[string]string, body any) {
	in := contract.SchemaOf(r.Input)
	path = map[string]string{}
	for _, f := range in.Fields {
		if f.In == contract.InPath {
			path[f.Name], _ = exampleOfField(in.Name, f, false).(string)
		}
	}
	if in.HasBody() {
		body = patched(exampleOf(in, false), requestPatches[r.Operation])
	}
	return path, body
}

// ExampleResponse returns an invented response of a route with an output.
func ExampleResponse(r contract.Route) any {
	return patched(exampleOf(contract.SchemaOf(r.Output), true), responsePatches[r.Operation])
}

const (
	oneReference    = `{"candidates": [{"linkedinUrl": "https://www.linkedin.com/in/ada-example"}]}`
	workPreferences = `{"idealFundingRounds": ["SEED", "SERIES_A"], "locations": ["uk", "europe"], "workplaceTypes": ["REMOTE", "HYBRID"], "visaAuthorization": "HAS_VISA_AUTHORIZATION"}`
	bulkItem        = `{"clientReferenceId": "ats-4711", "name": "Ada Example", "email": "ada@example.com", "linkedinUrl": "https://www.linkedin.com/in/ada-example", "onMarketConfirmed": true,
		"preferences": {"salaryMin": 90000, "idealFundingRounds": ["SEED"], "locations": ["uk"], "workplaceTypes": ["REMOTE"], "visaAuthorization": "HAS_VISA_AUTHORIZATION"},
		"resume": {"resumeFileId": "` + ExampleID + `"}}`
)

// requestPatches and responsePatches change examples of an operation where the values of several
// fields belong together: merge patches (RFC 7396).
var requestPatches = map[string]string{
	"submitCandidate": `{"clientReferenceId": "ats-4711", "preferences": ` + workPreferences + `, "resume": {"fileName": "ada-example.txt"}}`,
	"uploadResume":    `{"fileName": "ada-example.txt"}`,
	"submitBulk":      `{"items": [` + bulkItem + `]}`,
	"putPreferences":  workPreferences, "lookupCandidates": oneReference, "lookupPreferences": oneReference,
	"offMarket": oneReference, "reEnable": oneReference,
}

var responsePatches = map[string]string{
	"identity": `{"scopes": ["identity:read", "talent_network:read", "talent_network:write"], "recruiter": null, "rateLimits": {"write": {"limit": 60}},
		"key": {"createdAt": "2026-05-02T09:30:00.000Z", "createdBy": {"name": "Olga Example", "email": "olga@example.org"}, "expiresAt": null}}`,
	"uploadResume":    `{"fileName": "ada-example.txt", "contentType": "text/plain", "sizeBytes": 12}`,
	"submitCandidate": `{"clientReferenceId": "ats-4711", "deduplicated": false}`,
	"submitBulk":      `{"items": [{"index": 0, "status": "queued", "clientReferenceId": "ats-4711", "submissionId": "` + ExampleID + `"}]}`,
	"getBatch": `{"itemCount": 2, "items": [
		{"index": 0, "submissionId": "` + ExampleID + `", "clientReferenceId": "ats-4711", "status": "succeeded", "updatedAt": "2026-05-06T07:08:12.456Z", "candidateUserId": "cu_01jb2v6rzk8m4q0x7t5n3c9hdw"},
		{"index": 1, "submissionId": "01990b6e-7c20-7a41-8d52-6b1f0e9c3a77", "clientReferenceId": "ats-4712", "status": "failed", "updatedAt": "2026-05-06T07:08:13.001Z",
			"errorCode": "resume_identity_mismatch", "errorMessage": "The resume is about another person."}]}`,
	"listBatches": `{"batches": [{"batchId": "` + ExampleID + `", "createdAt": "2026-05-06T07:08:09.123Z", "itemCount": 2, "counts": {"queued": 0, "processing": 0, "succeeded": 1, "failed": 1, "deduplicated": 0}}]}`,
	"listChanges": `{"hasMore": false, "changes": [{"id": "1042", "type": "submission.succeeded", "occurredAt": "2026-05-06T07:08:12.456Z", "batchId": "` + ExampleID + `",
		"submissionId": "` + ExampleID + `", "clientReferenceId": "ats-4711", "candidateUserId": "cu_01jb2v6rzk8m4q0x7t5n3c9hdw", "status": "succeeded"}]}`,
	"offMarket": `{"results": [{"index": 0, "ok": true, "status": "off_market", "candidateUserIds": ["cu_01jb2v6rzk8m4q0x7t5n3c9hdw"]}]}`,
	"getCandidate": `{"status": "on_market", "marketExpiresAt": "2026-08-04T07:08:12.456Z", "preferences": ` + workPreferences + `,
		"lastSubmission": {"source": "EXTERNAL_API", "submittedAt": "2026-05-06T07:08:09.123Z", "batchId": "` + ExampleID + `", "submissionId": "` + ExampleID + `"}}`,
	"getPreferences":   `{"preferences": ` + workPreferences + `}`,
	"putPreferences":   `{"preferences": ` + workPreferences + `}`,
	"reEnable":         `{"results": [{"index": 0, "ok": true, "status": "on_market", "candidateUserIds": ["cu_01jb2v6rzk8m4q0x7t5n3c9hdw"]}]}`,
	"listMembers":      `{"members": [{"name": "Olga Example", "email": "olga@example.org", "role": "OWNER", "primaryOwner": true, "status": "approved"}]}`,
	"listEnumerations": `{"enumerations": [{"name": "location", "fields": ["location", "locations"], "values": [{"value": "new_york", "name": "New York"}, {"value": "uk", "name": "UK"}]}]}`,
}

// patched returns an example with a merge patch applied; an empty one changes nothing. It panics
// on a patch that is no JSON.
func patched(example any, patch string) any {
	if patch == "" {
		return example
	}
	var changes any
	if err := json.Unmarshal([]byte(patch), &changes); err != nil {
		panic("openapi: " + err.Error() + " in " + patch)
	}
	return mergePatch(example, changes)
}

func mergePatch(target, changes any) any {
	patch, ok := changes.(map[string]any)
	if !ok {
		return changes
	}
	merged, ok := target.(object)
	if !ok {
		merged = object{}
	}
	for name, value := range patch {
		merged[name] = mergePatch(merged[name], value)
	}
	return merged
}
