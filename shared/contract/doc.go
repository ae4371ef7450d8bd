// Package contract is the public API as data: the one table of routes, the
// wire types with their constraints, the enumerations, scopes, tiers and error
// codes. Everything that must agree about the API reads it: the gateway
// (matching, scopes, decoding, validation), the local runner, the deployment
// and the reference documentation.
//
// It is a leaf: it imports nothing of this project, knows no storage and does
// no work. What a request means is decided by the domain packages.
//
// # Constraints
//
// A wire type states its constraints in the tag "check", next to the name that
// binds it ("json", "query", "path" or "header"):
//
//	required        must be present (and, unless nullable, not null)
//	nullable        null is accepted and reads as absent
//	min=N, max=N    length of a string (in characters), number of entries of
//	                an array, or value of an integer
//	enum=NAME       one of the values of the enumeration NAME (each entry, for an array)
//	format=NAME     uuid, uri (absolute), email or linkedin (each entry, for an array)
//	const=VALUE     exactly this value
//
// Arrays of strings are de-duplicated in order; without max they hold at most
// 100 entries. The tag "doc" is the field's sentence in the reference.
package contract
