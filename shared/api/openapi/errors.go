package openapi

import (
	"cmp"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// Error is a row of the table of errors (contract, Errors).
type Error struct {
	Status int
	// Type is error.type; empty for the one status that has no envelope.
	Type string
	// Meaning is a sentence; Retry says whether and when to send the request again.
	Meaning, Retry string
	// Codes are the published error.codes of the status, by name.
	Codes []Code
}

// Code is a published error.code and what to do about it.
type Code struct {
	Code   contract.Code
	Advice string
}

// Errors lists every error status there is.
func Errors() []Error {
	all := []Error{
		{Status: 400, Type: "invalid_request_error", Meaning: "The body or a parameter is malformed or invalid; details names the fields.", Retry: "no"},
		{Status: 401, Type: "authentication_error", Meaning: "The key is missing, invalid, expired or revoked.", Retry: "no"},
		{Status: 403, Type: "permission_error", Meaning: "The key lacks a scope, or the key or account may not do this.", Retry: "no"},
		{Status: 404, Type: "not_found", Meaning: "No such route, or a resource that does not exist or is not yours; the two are not told apart.", Retry: "no"},
		{Status: 409, Type: "idempotency_error", Meaning: "The Idempotency-Key conflicts with an earlier request.", Retry: "after the first attempt has finished"},
		{Status: 413, Meaning: "The request body is over 12 MB. Plain text, no envelope and no request id.", Retry: "no"},
		{Status: 429, Type: "rate_limit_error", Meaning: "A rate limit is exceeded.", Retry: "after Retry-After seconds"},
		{Status: 500, Type: "api_error", Meaning: "Something went wrong on our side. Treat any other 5xx alike.", Retry: "with back-off, with the same Idempotency-Key"},
	}
	for i := range all {
		all[i].Codes = codes(all[i].Status)
	}
	return all
}

func codes(status int) []Code {
	var all []Code
	for c, comesWith := range contract.Codes {
		if comesWith == status {
			all = append(all, Code{c, advice[c]})
		}
	}
	slices.SortFunc(all, func(a, b Code) int { return cmp.Compare(a.Code, b.Code) })
	return all
}

var advice = map[contract.Code]string{
	contract.ValidationFailed:       "Correct the fields that details names.",
	contract.MalformedJSON:          "Send one JSON object, in UTF-8, without duplicate keys.",
	contract.UnsupportedContentType: "Send Content-Type: application/json.",
	contract.LimitTooLarge:          "Ask for a smaller page.",
	contract.InvalidCursor:          "Send nextCursor back as it came, or start again without one.",
	contract.UnknownFilterValue:     "Send a filter key from the enumeration, not a display name.",
	contract.InvalidBase64:          "Encode the file's bytes in base64.",
	contract.UnsupportedFileType:    "Send PDF, DOCX, ODT, RTF, HTML or plain text.",
	contract.EmptyFile:              "The file holds no bytes; send the file itself.",

	contract.MissingAPIKey: "Send Authorization: Bearer and the key.",
	contract.InvalidAPIKey: "Check that the whole key was copied, and that it is of this environment.",
	contract.ExpiredAPIKey: "Create a new key.",
	contract.RevokedAPIKey: "Create a new key, or ask who revoked this one.",

	contract.MissingScope:          "Use a key with the scopes that the message lists.",
	contract.WrongKeyType:          "Use an agency key, or a personal key, as the endpoint asks.",
	contract.TalentNetworkDisabled: "Ask for Talent Network management to be turned on.",
	contract.FastTrackDisabled:     "Ask for fast-track to be turned on.",
	contract.KeyOwnerMismatch:      "Use a key that was created by the candidate's owner.",

	contract.IdempotencyInProgress: "Wait for Retry-After and send the same request again.",
	contract.IdempotencyKeyReused:  "Use a new key for a different request.",

	contract.RateLimited: "Wait for Retry-After; limits are per key and minute.",
	contract.IPThrottled: "Wait for Retry-After; too many requests come from your address.",
}
