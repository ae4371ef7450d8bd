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

// Code is a published error.code, when it comes and what to do about it.
type Code struct {
	Code         contract.Code
	When, Advice string
}

// tooLarge are not kinds of fault: they are refused before the request is read.
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
			all = append(all, Code{c, explanations[c].when, explanations[c].advice})
		}
	}
	slices.SortFunc(all, func(a, b Code) int { return cmp.Compare(a.Code, b.Code) })
	return all
}

// explanations says for each code when it occurs and what to do.
var explanations = map[contract.Code]struct{ when, advice string }{
	contract.ValidationFailed: {
		"A field or parameter is missing or not allowed, or several rules are broken.",
		"Correct the fields listed in details.",
	},
	contract.MalformedJSON:          {"The body is not one JSON object.", "Send one JSON object, in UTF-8, without duplicate keys."},
	contract.UnsupportedContentType: {"The Content-Type is not application/json.", "Send Content-Type: application/json."},
	contract.LimitTooLarge:          {"limit is above its maximum.", "Ask for a smaller page."},
	contract.InvalidCursor: {
		"cursor is not a nextCursor of this list.",
		"Send nextCursor unchanged, or start again without a cursor.",
	},
	contract.CursorExpired: {
		"cursor is older than the retained changes.",
		"Read the current state, then follow the changes from latest.",
	},
	contract.UnknownFilterValue: {
		"A parameter has a value that is not in its enumeration.",
		"Send a filter key from the enumeration, not a display name.",
	},
	contract.InvalidBase64:       {"contentBase64 is not base64.", "Encode the file's bytes in base64."},
	contract.UnsupportedFileType: {"The file has another format.", "Send PDF, DOCX, ODT, RTF, HTML, plain text or Markdown."},
	contract.EmptyFile:           {"The file has no bytes, or only white space.", "The file is empty; send its content."},

	contract.MissingAPIKey: {"There is no Authorization header with a key.", "Send the header Authorization: Bearer <API_KEY>."},
	contract.InvalidAPIKey: {"The key is unknown.", "Check that the whole key was copied and that it belongs to this environment."},
	contract.ExpiredAPIKey: {"The key has expired.", "Create a new key."},
	contract.RevokedAPIKey: {
		"The key was revoked, or its account was switched off.",
		"Create a new key, or ask the key's owner why it was revoked.",
	},

	contract.MissingScope: {"The key lacks a scope of the endpoint.", "Use a key with the scopes listed in the message."},
	contract.WrongKeyType: {"The endpoint is for the other type of key.", "Use the type of key that the endpoint requires."},
	contract.TalentNetworkDisabled: {
		"The agency has no access to the Talent Network, or may not manage it.",
		"Ask for Talent Network management to be enabled.",
	},
	contract.FastTrackDisabled: {"The candidate's recruiter may not use fast-track.", "Ask for fast-track to be enabled."},
	contract.KeyOwnerMismatch: {
		"The candidate belongs to another recruiter than the key's creator.",
		"Use a key created by the candidate's owner.",
	},

	contract.IdempotencyInProgress: {
		"The first request with this Idempotency-Key is still running.",
		"Wait for Retry-After, then repeat the same request.",
	},
	contract.IdempotencyKeyReused: {
		"The Idempotency-Key was used with another request in the last 24 hours.",
		"Use a new key for a different request.",
	},

	contract.RateLimited: {"The key has used up its requests of this minute.", "Wait for Retry-After; limits are per key and minute."},
	contract.IPThrottled: {
		"Too many requests came from one IP address.",
		"Wait for Retry-After; too many requests came from your IP address.",
	},
}
