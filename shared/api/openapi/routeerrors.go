package openapi

import (
	"slices"

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

// canHaveCode decides on the codes that not every route with their status has, by the row and the
// input of the route. A code of a handler is in the row itself.
func canHaveCode(c contract.Code, r contract.Route, in *contract.Schema) bool {
	switch c {
	case contract.MalformedJSON, contract.UnsupportedContentType:
		return in.HasBody()
	case contract.LimitTooLarge:
		return r.KeyType == contract.AgencyKey && slices.ContainsFunc(in.Fields, func(f contract.Field) bool { return f.Schema.Page != nil })
	case contract.InvalidCursor:
		return slices.ContainsFunc(in.Fields, isTextCursor)
	case contract.UnknownFilterValue:
		return slices.ContainsFunc(in.Fields, func(f contract.Field) bool { return f.In == contract.InQuery && f.Schema.Element().Enum != nil })
	case contract.InvalidBase64, contract.UnsupportedFileType, contract.EmptyFile:
		return takesFile(in)
	case contract.WrongKeyType:
		return r.KeyType != contract.AnyKey
	case contract.TalentNetworkDisabled:
		return r.OnTalentNetwork()
	case contract.RateLimited:
		return !r.Public()
	case contract.CursorExpired, contract.FastTrackDisabled, contract.KeyOwnerMismatch:
		return slices.Contains(r.Codes, c)
	}
	return true
}

// takesFile reports whether a value has a file in base64.
func takesFile(s *contract.Schema) bool {
	s = s.Element()
	return s.Encoding != "" || slices.ContainsFunc(s.Fields, func(f contract.Field) bool { return takesFile(f.Schema) })
}
