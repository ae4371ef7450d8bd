// Package event reads what the marketplace app sends: events and commands, one
// JSON object each.
//
// It knows the envelope, how strictly an event is read, the kinds of event as a
// table from names to payload types, and the JSON Schema that is published for
// each. A payload that the marketplace owns is its domain's own type (package role
// and others); those that become something else here, accounts and commands, are
// in this package.
//
// It applies nothing: the worker (functions/feed) knows the domains.
package event
