package contract

// Code is the optional, more specific error.code of the envelope. The set is
// published: renaming or removing a code breaks the contract.
type Code string

// The codes.
const (
	NoCode Code = ""

	ValidationFailed       Code = "validation_failed"
	MalformedJSON          Code = "malformed_json"
	UnsupportedContentType Code = "unsupported_content_type"
	LimitTooLarge          Code = "limit_too_large"
	InvalidCursor          Code = "invalid_cursor"
	CursorExpired          Code = "cursor_expired"
	UnknownFilterValue     Code = "unknown_filter_value"
	InvalidBase64          Code = "invalid_base64"
	UnsupportedFileType    Code = "unsupported_file_type"
	EmptyFile              Code = "empty_file"

	MissingAPIKey Code = "missing_api_key"
	InvalidAPIKey Code = "invalid_api_key"
	ExpiredAPIKey Code = "expired_api_key"
	RevokedAPIKey Code = "revoked_api_key"

	MissingScope          Code = "missing_scope"
	WrongKeyType          Code = "wrong_key_type"
	TalentNetworkDisabled Code = "talent_network_disabled"
	FastTrackDisabled     Code = "fast_track_disabled"
	KeyOwnerMismatch      Code = "key_owner_mismatch"

	IdempotencyInProgress Code = "idempotency_in_progress"
	IdempotencyKeyReused  Code = "idempotency_key_reused"

	RateLimited Code = "rate_limited"
	IPThrottled Code = "ip_throttled"
)

// Codes maps every published code to the status that it comes with.
var Codes = map[Code]int{
	ValidationFailed: 400, MalformedJSON: 400, UnsupportedContentType: 400, LimitTooLarge: 400,
	InvalidCursor: 400, CursorExpired: 400, UnknownFilterValue: 400, InvalidBase64: 400, UnsupportedFileType: 400, EmptyFile: 400,
	MissingAPIKey: 401, InvalidAPIKey: 401, ExpiredAPIKey: 401, RevokedAPIKey: 401,
	MissingScope: 403, WrongKeyType: 403, TalentNetworkDisabled: 403, FastTrackDisabled: 403, KeyOwnerMismatch: 403,
	IdempotencyInProgress: 409, IdempotencyKeyReused: 409,
	RateLimited: 429, IPThrottled: 429,
}

// ErrorCodes holds every published code.
var ErrorCodes = EnumByName("errorCode")

// ErrorTypes holds every error.type; package fault has the kind of error of each.
var ErrorTypes = EnumByName("errorType")

// ErrorEnvelope is the body of every error response except 413 (contract, Errors).
type ErrorEnvelope struct {
	Error ErrorBody `json:"error"`
}

// ErrorBody is what went wrong and what the caller can do about it.
type ErrorBody struct {
	// Type is the category that clients branch on.
	Type string `json:"type"`
	// Message is for people and must not be parsed.
	Message string `json:"message"`
	// RequestID equals the X-Request-Id header.
	RequestID string `json:"request_id"`
	Code      Code   `json:"code,omitempty"`
	// Details is present on validation errors only.
	Details *ErrorDetails `json:"details,omitempty"`
}

// ErrorDetails lists the problems of a request.
type ErrorDetails struct {
	// FormErrors are problems of the request as a whole.
	FormErrors []string `json:"formErrors"`
	// FieldErrors maps a top-level field or parameter to its messages.
	FieldErrors map[string][]string `json:"fieldErrors"`
}

// SubmissionError is the error code of a batch item, which has one of the enumeration submissionError (contract, Submission batch), or
// of a rejected bulk item, which has one of bulkError (contract, Bulk submission result).
type SubmissionError string

// The published submission error codes.
const (
	InvalidLinkedInURL      SubmissionError = "invalid_linkedin_url"
	InvalidEmail            SubmissionError = "invalid_email"
	InvalidName             SubmissionError = "invalid_name"
	InvalidCallLink         SubmissionError = "invalid_screening_call_link"
	InvalidResumeReference  SubmissionError = "invalid_resume_reference"
	RecruiterNotFound       SubmissionError = "recruiter_not_found"
	RecruiterDeactivated    SubmissionError = "recruiter_deactivated"
	ResumeParseFailed       SubmissionError = "resume_parse_failed"
	ResumeIdentityMismatch  SubmissionError = "resume_identity_mismatch"
	LinkedInProfileNotFound SubmissionError = "linkedin_profile_not_found"
	LinkedInNoExperience    SubmissionError = "linkedin_no_experience"
	VerificationUnavailable SubmissionError = "linkedin_verification_unavailable"
	InternalError           SubmissionError = "internal_error"
	EnqueueFailed           SubmissionError = "enqueue_failed"
	IngestTimedOut          SubmissionError = "ingest_timed_out"
)
