package openapi

import "github.com/recruiting-marketplace/external-api/shared/api/contract"

// ExampleID is the UUID in all examples.
const ExampleID = "01990b6e-7c1f-7d3a-9b1e-2f6c0a4d8e11"

// fieldExamples holds invented values for fields by name, in every type.
var fieldExamples = map[string]any{
	"name": "Ada Example", "email": "ada@example.com", "linkedinUrl": "https://www.linkedin.com/in/ada-example",
	"recruiterEmail": "rita@example.org", "personalUrl": "https://ada.example.com", "githubUrl": "https://github.example.com/ada",
	"candidateUserId": "cu_01jb2v6rzk8m4q0x7t5n3c9hdw", "candidateId": "cand-001", "roleId": "role-001", "callId": "call-001",
	"candidateName": "Ada Example", "hiringManagerName": "Hanna Example", "roleName": "Backend engineer", "title": "Backend engineer",
	"companyName": "Example Works", "anonymizedName": nil, "currentTitle": "Backend engineer", "currentCompany": "Example Works",
	"company": "Example Works", "school": "Example University", "degree": "MSc", "environment": "test", "apiVersion": "v1", "version": "1.4.2", "last4": "x7Qz",
	"fileName": "ada-example.pdf", "resumeFileId": ExampleID, "contentBase64": "QWRhIEV4YW1wbGUsIHNlbmlvciBzb2Z0d2FyZSBlbmdpbmVlcgo=", "contentType": "application/pdf", "sizeBytes": 48213,
	"sha256":            "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
	"screeningCallLink": "https://calls.example.com/42", "clientReferenceId": "ats-4711", "field": "email",
	"salaryMin": 90000, "salaryMax": 120000, "ote": 150000, "minSalary": 90000, "min": 90000, "max": 120000,
	"salaryLowerBound": 90000, "salaryUpperBound": 120000, "currency": "EUR", "equity": "0.1 to 0.3 %", "percentOfSalary": 20, "feePercent": 20,
	"amountLowerBound": 18000, "yearsMin": 3, "yearsMax": 8, "yearsOfExperience": 6, "size": 120, "foundingYear": 2019, "limit": 120, "windowSeconds": 60,
	"finalRating": 4.5, "percentileRank": 80, "durationSeconds": 1800, "openingsText": "2 openings", "accessLevel": "FULL", "approvalStatus": "APPROVED",
	"techStack": []string{"Go", "PostgreSQL"}, "tags": []string{"backend"}, "location": "Berlin", "language": "en",
	"startDate": "2021-03", "endDate": "2024-08", "platform": "video", "message": "Nobody of that name.",
	"url": "https://app.example.com/calls/call-001", "browse": "https://app.example.com/roles/role-001", "recruit": "https://app.example.com/roles/role-001/recruit",
	"websiteUrl": "https://works.example.com", "nextCursor": nil, "index": 0, "daysUntilExpiry": 5, "responsivenessDays": 1.5,
	"bonusAmount": 2000, "boostPercent": 5, "firstSubmissionReward": 500, "businessDaysLeft": 6, "submissionGoal": 5, "submissionsCounted": 2,
	"submitted": 3, "interviewing": 1, "hired": 0, "total": 4, "totalApplications": 24, "totalInterviewing": 4, "totalHired": 1,
	"endingSoon": false, "notAcceptingRecruiters": false, "atMaxCapacity": false, "confidentialSearch": false, "truncated": false, "recruiterOnly": false,
}

// The values of the same names in types that are not about a person.
var (
	roleExample    = map[string]any{"id": "role-001", "name": "Backend engineer", "locations": []string{"Berlin"}, "roleTypes": []string{"backend_engineer"}}
	companyExample = map[string]any{"id": "com-001", "name": "Example Works", "locations": []string{"Berlin"}, "industries": []string{"logistics"}, "description": "Example Works moves what others make."}
	callExample    = map[string]any{"title": "Screening: Ada Example", "summary": "Wants a smaller team."}
)

// typeExamples holds the values of a type's own fields, which precede fieldExamples.
var typeExamples = map[string]map[string]any{
	"RoleSummary": roleExample, "RecommendedRole": roleExample, "ActiveRole": roleExample, "AgencyRole": roleExample, "RoleBrief": roleExample, "MatchRole": roleExample, "CallRole": roleExample,
	"SummaryCompany": companyExample, "DetailCompany": companyExample, "BriefCompany": companyExample, "AgencyRoleCompany": companyExample, "MatchCompany": companyExample,
	"CallRow": callExample, "RecordedCall": callExample, "CallTranscript": {"text": "What are you looking for next?"}, "CallSegment": {"text": "What are you looking for next?"},
	"Match": {"id": "match-001"}, "CRMCandidate": {"id": "cand-001"}, "CRMCandidateRow": {"oneLiner": "Backend engineer who works with Go"}, "CRMPreferences": {"locations": []string{"europe"}, "roleTypes": []string{"backend_engineer"}},
	"SubmitResponse": {"deduplicated": false},
	"IdentityAgency": {"id": "agy-001", "name": "Example Search"}, "IdentityKey": {"id": "key-001", "name": "Our candidate system"}, "IdentityRecruiter": {"id": "rec-001"},
	"IntakeTranscript": {"id": "intake-001", "title": "Intake call", "text": "What must the candidate have done before?"},
	"BriefQuestion":    {"id": "question-001", "question": "When could the candidate start?"}, "RoleQuestion": {"question": "When could the candidate start?"},
	"InterviewStage": {"name": "First call"}, "OutreachTemplate": {"name": "First message", "body": "Hello Ada, …"},
	"SellingPoint": {"title": "Ownership", "description": "Small teams that decide for themselves."}, "RoleAnnouncement": {"message": "The team has opened a second position."},
	"RoleRequirement": {"description": "Has shipped to paying users."}, "BriefRequirement": {"description": "Has shipped to paying users."},
	"ResumeFacts": {"skills": []string{"Go", "PostgreSQL"}, "languages": []string{"English"}}, "ResumeConfidence": {"skills": 0.9, "languages": 0.9, "yearsOfExperience": 0.9},
	"Enumeration": {"name": "location"}, "NamedValue": {"value": "new_york", "name": "New York"},
	"Change": {"id": "1042"}, "ChangeList": {"nextCursor": "ATuJ8p0xNDIuMC4w"},
	"QuestionAnswer": {"question": "Is relocation paid?", "answer": "In part."}, "StageCount": {"stage": "First round"},
	"CalibrationProfile": {"label": "Strong"}, "RejectionPattern": {"category": "Experience"}, "MySubmission": {"currentStatus": "INTERVIEWING"},
}

// shownExamples are fields of responses that examples have, though they can be absent.
var shownExamples = map[string]bool{"LookupResult.candidates": true, "PreferencesResult.candidates": true}

// exampleOf returns an invented value of a schema: every field of a response, the
// required fields of a request.
func exampleOf(s *contract.Schema, answer bool) any {
	switch {
	case s.Kind == contract.KindObject:
		o := object{}
		for _, f := range s.Fields {
			isShown := !f.Omitted || shownExamples[s.Name+"."+f.Name]
			if f.In == contract.InBody && (f.Required || answer && isShown) {
				o[f.Name] = exampleOfField(s.Name, f, answer)
			}
		}
		return o
	case s.Kind == contract.KindArray:
		return []any{exampleOf(s.Items, answer)}
	case s.Kind == contract.KindBoolean:
		return s.Const != "false"
	case s.Const != "":
		return s.Const
	case s.Enum != nil:
		return s.Enum.Values[0]
	case s.Kind != contract.KindString:
		return 1
	}
	return map[string]string{
		"uuid": ExampleID, "date-time": "2026-05-06T07:08:09.123Z", "uri": "https://example.com", "email": "ada@example.com",
		"linkedin": "https://www.linkedin.com/in/ada-example",
	}[s.Format]
}

// exampleOfField returns the value that is listed for the field of its owner, or for
// its name, if that fits the schema; if not, an invented one.
func exampleOfField(owner string, f contract.Field, answer bool) any {
	s := f.Schema
	v, ok := typeExamples[owner][f.Name]
	if !ok {
		v, ok = fieldExamples[f.Name]
	}
	if ok && s.Enum == nil && fitsSchema(v, f) {
		return v
	}
	if s.Kind == contract.KindArray && s.Items.Kind == contract.KindString && s.Items.Enum == nil {
		return []any{}
	}
	isText := s.Kind == contract.KindString && s.Format == "" && s.Enum == nil
	if isText && answer && f.Pointer {
		return nil
	}
	return exampleOf(s, answer)
}

func fitsSchema(v any, f contract.Field) bool {
	switch v.(type) {
	case nil:
		return f.Pointer
	case string:
		return f.Schema.Kind == contract.KindString && f.Schema.Format != "uuid"
	case []string:
		return f.Schema.Kind == contract.KindArray
	case bool:
		return f.Schema.Kind == contract.KindBoolean
	}
	return f.Schema.Kind == contract.KindInteger || f.Schema.Kind == contract.KindNumber
}
