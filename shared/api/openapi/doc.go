// Package openapi is the API's OpenAPI 3.1 document, made from the one route
// table of package contract: routes, parameters, bodies, answers, errors, scopes,
// limits, headers and enumerations. What the contract's data does not say —
// titles, meanings and advice, the values of examples, the changelog — stands
// here, once, for the document and the reference page alike.
//
// It knows nothing of HTTP or of who serves the document: functions/platform
// embeds the bytes that its command reference writes, and a test fails while they
// differ from the contract. The end-to-end tests hold every answer to it (package
// local/conform).
//
// In an answer an enumeration is "x-extensible-enum": the values of today, to
// which others may come. Only error.type and error.code are closed.
package openapi
