package openapi

import "fmt"

// link leads from the response of an operation to operations with a parameter that it names, or
// with a field of the resume of an item in the body: a link cannot fill one field of a body.
type link struct {
	from      string
	parameter string
	// value is a JSON pointer into the response; of a list, into its first row.
	value string
	to    []string
}

var links = []link{
	{"uploadResume", "", "/resumeFileId", []string{"submitBulk"}},
	{"submitCandidate", "batchId", "/batchId", []string{"getBatch"}},
	{"submitBulk", "batchId", "/batchId", []string{"getBatch"}},
	{"listBatches", "batchId", "/batches/0/batchId", []string{"getBatch"}},
	{"listCandidates", "candidateUserId", "/candidates/0/candidateUserId", []string{"getCandidate", "getPreferences", "putPreferences", "getFastTrack", "putFastTrack"}},
	{"listAgencyRoles", "roleId", "/roles/0/id", []string{"getAgencyRole"}},
	{"searchAgencyRoles", "roleId", "/roles/0/id", []string{"getAgencyRole"}},
	{"listRoles", "roleId", "/roles/0/id", []string{"getRole"}},
	{"listActiveRoles", "roleId", "/roles/0/id", []string{"getRole"}},
	{"listCRMCandidates", "candidateId", "/candidates/0/candidateId", []string{"getCRMCandidate", "listRecommendedRoles"}},
	{"listRecommendedRoles", "roleId", "/roles/0/id", []string{"getRole"}},
	{"listCalls", "callId", "/calls/0/callId", []string{"getCall"}},
}

// describeLinks describes where the response of an operation leads, by rows; nil if nowhere.
func describeLinks(rows []link, operation string) object {
	var all object
	for _, l := range rows {
		if l.from != operation {
			continue
		}
		if all == nil {
			all = object{}
		}
		for _, to := range l.to {
			described := object{
				"operationId": to,
				"description": fmt.Sprintf("`%s` of the response is the `%s` of %s.", l.value[1:], l.parameter, to),
			}
			if l.parameter == "" {
				described["description"] = fmt.Sprintf("`%[1]s` of the response is the `resume.%[1]s` of an item of %[2]s.", l.value[1:], to)
			} else {
				described["parameters"] = object{l.parameter: "$response.body#" + l.value}
			}
			all[to] = described
		}
	}
	return all
}
