// Package role is what the marketplace says about roles: roles and their companies,
// what recruiters are to them (assignments, applications), how hiring managers
// respond, announcements and intake transcripts; and what of all that a caller
// may see.
//
// The types here are the payloads of the feed's events: the marketplace owns
// these entities, and this project keeps them as they come. Their "check" tags
// are the published schema. A part that answers show as it comes is a type of
// package contract, which has these tags, too.
//
// What goes out goes through [Redact]: an [Unredacted] role can be read and handed
// on, but its fields are private; a [View] can be read, and is already
// redacted for its caller. The package knows neither who is approved nor which
// agencies hide fees: that comes in with the Caller.
package role
