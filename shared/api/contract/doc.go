// Package contract is the public API as data: the one table of routes, the
// wire types with their constraints, the enumerations, scopes, tiers and error
// codes. Everything that must agree about the API reads it: the gateway
// (matching, scopes, decoding, validation), the local runner, the deployment
// and the reference documentation.
//
// It is a leaf: it imports nothing of this project, knows no storage and does
// no work. The domain packages decide what a request means.
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
//	range=A..B      value of a number, where the bounds are not integers
//	nonblank        not white space only (each entry, for an array)
//	enum=NAME       one of the values of the enumeration NAME (each entry, for an array)
//	format=NAME     uuid, uri (absolute), link (absolute, with one of LinkSchemes), email, linkedin,
//	                printable (ASCII without control characters), line (no control
//	                characters and no changes of direction), text (no control
//	                characters but tabs and line ends), id (printable, 1 to 128
//	                characters without space, "/", "#" and "|") or date-time
//	                (RFC 3339; a Time needs no format); each entry, for an array
//	instead         an object that may be sent in place of the fields that it contains, together
//	                with the other fields of the body
//	encoding=base64 bytes as text; the handler decodes them
//	const=VALUE     exactly this string or boolean
//	default=VALUE   what counts when nothing is sent; the handler applies it. A boolean parameter that
//	                is not a pointer has the default false
//	limit=DEF/MAX   the size of a page: DEF when it is not sent; above MAX it is
//	                refused on the agency surface and lowered on the recruiter
//	                surface; below 1 it is refused
//
// Arrays of strings are de-duplicated in order; without max an array holds at
// most 100 entries, counted as sent. A path, query or header parameter is a
// string, integer, number or boolean; an array is a query parameter that may be
// repeated, and a nullable query parameter that is sent empty, or as null, reads as
// absent.
// The fields of an embedded struct join those of the struct that embeds it. The
// tag "doc" is the field's sentence in the reference.
//
// Package client sends a body by encoding/json: there pointers and slices are "omitzero",
// so that those that are not set are left out, and what has its place elsewhere is "-".
//
// In a response the tag describes what is sent: its enumerations may grow, every
// field is present unless its "json" tag omits it, and a pointer that is not omitted
// can be null. [JSONSchema] describes both directions as JSON Schema.
package contract
