package contract

import (
	"reflect"
	"slices"
)

// BasePath precedes the path of every route.
const BasePath = "/api/external/v1"

// ExampleURL is the address of the service in the reference. A deployment that knows its own
// address serves the reference with that one.
const ExampleURL = "https://api.recruiting.example"

// MaxBodyBytes is the largest request body, as sent: 12 MB (contract, Limits).
const MaxBodyBytes = 12 << 20

// MaxFileBytes is the size of the largest file that a body holds in base64, with 4 KB left for the other fields.
const MaxFileBytes = (MaxBodyBytes - 4096) / 4 * 3

// Function names the deployed function that serves a route.
type Function string

// The HTTP functions.
const (
	Platform    Function = "platform"
	Submissions Function = "submissions"
	Network     Function = "network"
	Roles       Function = "roles"
	CRM         Function = "crm"
)

// Route is everything that is true of one endpoint. Gateway, local runner, deployment
// and reference read this row and nothing else.
type Route struct {
	// Operation is the unique name under which the handler is registered.
	Operation string
	Method    string
	// Path is relative to BasePath; a {name} segment is a parameter.
	Path string
	// Scopes are all required; none for a public route.
	Scopes []Scope
	// KeyType restricts the route to one surface.
	KeyType KeyType
	Tier    Tier
	// Function is where the handler lives.
	Function Function
	// Input and Output are the wire types; nil means there is none (Output: not JSON).
	Input, Output reflect.Type
	// Codes are the error codes of the handler that do not follow from the other columns.
	Codes []Code
	// Summary is the route's sentence in the reference.
	Summary string
}

// Public reports whether the route is served without a key.
func (r Route) Public() bool { return len(r.Scopes) == 0 }

// OnTalentNetwork reports whether the route needs access to the Talent Network.
func (r Route) OnTalentNetwork() bool {
	return slices.Contains(r.Scopes, TalentNetworkRead) || slices.Contains(r.Scopes, TalentNetworkWrite)
}

// FindRoute returns the row of an operation. It panics if there is none: operations
// are named in code, never by a request.
func FindRoute(operation string) Route {
	i := slices.IndexFunc(Routes, func(r Route) bool { return r.Operation == operation })
	if i < 0 {
		panic("contract: no operation " + operation)
	}
	return Routes[i]
}
