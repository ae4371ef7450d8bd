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
			all = append(all, Code{c, texts.Codes[c].When, texts.Codes[c].Advice})
		}
	}
	slices.SortFunc(all, func(a, b Code) int { return cmp.Compare(a.Code, b.Code) })
	return all
}
