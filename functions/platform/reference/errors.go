package main

import (
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/contract"
)

// status is a row of the table of errors (contract, Errors).
type status struct {
	Status               int
	Type, Meaning, Retry string
	Codes                []code
}

// code is a published error.code with what to do about it.
type code struct {
	Code   contract.Code
	Advice string
}

func statuses() []status {
	all := []status{
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

// codes lists a status's published codes by name.
func codes(status int) []code {
	var all []code
	for c, comesWith := range contract.Codes {
		if comesWith == status {
			all = append(all, code{c, advice[c]})
		}
	}
	slices.SortFunc(all, func(a, b code) int {
		if a.Code < b.Code {
			return -1
		}
		return 1
	})
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
