// Package gateway is the HTTP edge of every function. A request passes, in this
// order: origin → declared size → route → API key and its rate → key type and scopes →
// body → decoding → handler → response → one log line.
//
// It knows the routes of package contract, how a value or an error becomes bytes, and
// which headers go with it. It does not know what a request means, storage, or where
// it runs: package lambdahttp puts it behind API Gateway, and a server can mount it as
// it is.
//
// A handler takes its operation's input and returns its output or an error; it never
// writes the response. [New] refuses, at start, handlers that do not fit the routes.
package gateway
