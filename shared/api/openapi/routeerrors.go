package openapi

import (
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// RouteErrors returns the errors that a route can respond with, each with those of its codes that
// the route can have.
func RouteErrors(r contract.Route) []Error {
	in := contract.SchemaOf(r.Input)
	var all []Error
	for _, e := range Errors() {
		if !canAnswer(e.Status, r, in) {
			continue
		}
		e.Codes = slices.DeleteFunc(e.Codes, func(c Code) bool { return !canHaveCode(c.Code, r, in) })
		all = append(all, e)
	}
	return all
}

// codeRules decide on the codes that not every route with their status has, by the row and the
// input of the route. A code of a handler is in the row itself.
var codeRules = map[contract.Code]func(contract.Route, *contract.Schema) bool{
	contract.MalformedJSON:          func(_ contract.Route, in *contract.Schema) bool { return in.HasBody() },
	contract.UnsupportedContentType: func(_ contract.Route, in *contract.Schema) bool { return in.HasBody() },
	contract.LimitTooLarge: func(r contract.Route, in *contract.Schema) bool {
		return r.KeyType == contract.AgencyKey && slices.ContainsFunc(in.Fields, func(f contract.Field) bool { return f.Schema.Page != nil })
	},
	contract.InvalidCursor: func(_ contract.Route, in *contract.Schema) bool { return slices.ContainsFunc(in.Fields, isTextCursor) },
	contract.UnknownFilterValue: func(_ contract.Route, in *contract.Schema) bool {
		return slices.ContainsFunc(in.Fields, func(f contract.Field) bool { return f.In == contract.InQuery && holdsEnum(f.Schema) })
	},
	contract.InvalidBase64:       takesFile,
	contract.UnsupportedFileType: takesFile,
	contract.EmptyFile:           takesFile,
	contract.WrongKeyType:        func(r contract.Route, _ *contract.Schema) bool { return r.KeyType != contract.AnyKey },
	contract.TalentNetworkDisabled: func(r contract.Route, _ *contract.Schema) bool {
		return slices.ContainsFunc(r.Scopes, func(s contract.Scope) bool { return strings.HasPrefix(string(s), "talent_network:") })
	},
	contract.RateLimited:       func(r contract.Route, _ *contract.Schema) bool { return !r.Public() },
	contract.CursorExpired:     never,
	contract.FastTrackDisabled: never,
	contract.KeyOwnerMismatch:  never,
}

// canHaveCode reports whether an error of a route can have a code.
func canHaveCode(c contract.Code, r contract.Route, in *contract.Schema) bool {
	rule, ok := codeRules[c]
	return !ok || rule(r, in) || slices.Contains(r.Codes, c)
}

func never(contract.Route, *contract.Schema) bool { return false }

// holdsEnum reports whether a value, or the entries of an array, are of an enumeration.
func holdsEnum(s *contract.Schema) bool {
	return s.Enum != nil || s.Items != nil && holdsEnum(s.Items)
}

// takesFile reports whether a request has a file in base64.
func takesFile(_ contract.Route, in *contract.Schema) bool { return holdsFile(in) }

func holdsFile(s *contract.Schema) bool {
	if s.Encoding != "" || s.Items != nil && holdsFile(s.Items) {
		return true
	}
	return slices.ContainsFunc(s.Fields, func(f contract.Field) bool { return holdsFile(f.Schema) })
}
