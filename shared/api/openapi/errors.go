package openapi

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// Error is a row of the table of errors (contract, Errors).
type Error struct {
	// Category is a row of fault.Categories, or one of the statuses that need have no
	// envelope, without a Type.
	fault.Category
	// Codes are the published error.codes of the status, by name.
	Codes []Code
}

// Code is a published error.code and what to do about it.
type Code struct {
	Code   contract.Code
	Advice string
}

// tooLarge are no kinds of fault: they are refused before the request is read.
var tooLarge = []fault.Category{{
	Status:  http.StatusRequestEntityTooLarge,
	Meaning: "The request body is over 12 MB. Plain text, without envelope and request id.", Retry: "no",
}, {
	Status:  http.StatusRequestHeaderFieldsTooLarge,
	Meaning: "The request line and the headers are over 9 KB. The body depends on the component that refused the request; see the contract.", Retry: "no",
}}

// Errors returns every error status there is, in order.
func Errors() []Error {
	var all []Error
	for _, category := range slices.Concat(fault.Categories, tooLarge) {
		all = append(all, Error{Category: category, Codes: codesOf(category.Status)})
	}
	slices.SortFunc(all, func(a, b Error) int { return cmp.Compare(a.Status, b.Status) })
	return all
}

func codesOf(status int) []Code {
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
	contract.ValidationFailed:       "Correct the fields listed in details.",
	contract.MalformedJSON:          "Send one JSON object, in UTF-8, without duplicate keys.",
	contract.UnsupportedContentType: "Send Content-Type: application/json.",
	contract.LimitTooLarge:          "Ask for a smaller page.",
	contract.InvalidCursor:          "Send nextCursor unchanged, or start again without a cursor.",
	contract.CursorExpired:          "Read the current state, then follow the changes from latest.",
	contract.UnknownFilterValue:     "Send a filter key from the enumeration, not a display name.",
	contract.InvalidBase64:          "Encode the file's bytes in base64.",
	contract.UnsupportedFileType:    "Send PDF, DOCX, ODT, RTF, HTML or plain text.",
	contract.EmptyFile:              "The file is empty; send its content.",

	contract.MissingAPIKey: "Send the header Authorization: Bearer <API_KEY>.",
	contract.InvalidAPIKey: "Check that the whole key was copied and that it belongs to this environment.",
	contract.ExpiredAPIKey: "Create a new key.",
	contract.RevokedAPIKey: "Create a new key, or ask the key's owner why it was revoked.",

	contract.MissingScope:          "Use a key with the scopes listed in the message.",
	contract.WrongKeyType:          "Use the type of key that the endpoint requires.",
	contract.TalentNetworkDisabled: "Ask for Talent Network management to be enabled.",
	contract.FastTrackDisabled:     "Ask for fast-track to be enabled.",
	contract.KeyOwnerMismatch:      "Use a key created by the candidate's owner.",

	contract.IdempotencyInProgress: "Wait for Retry-After, then repeat the same request.",
	contract.IdempotencyKeyReused:  "Use a new key for a different request.",

	contract.RateLimited: "Wait for Retry-After; limits are per key and minute.",
	contract.IPThrottled: "Wait for Retry-After; too many requests came from your IP address.",
}
