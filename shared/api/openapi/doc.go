// Package openapi writes the API's OpenAPI 3.1 document from the routes of package
// contract: parameters, bodies, responses, errors, scopes, limits, headers and
// enumerations. It adds what those data lack, once for the document and the reference:
// titles, advice and the changelog (texts.yaml), and the values of examples (examples.json).
//
// It knows nothing of HTTP or of who serves the document: functions/platform
// embeds the bytes that its command reference writes, and a test fails while they
// differ from the contract. The end-to-end tests compare every response with it
// (package local/testkit/conform).
//
// In a response an enumeration is "x-extensible-enum": today's values, to which
// others may be added. Only error.type is closed.
package openapi
