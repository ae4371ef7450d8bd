// Package gateway is the HTTP edge of every function: origin → body size →
// match → gate → key type and scopes → decode → handler → envelope → one log
// line, in that order.
//
// What it knows: the contract's route table, how a value or an error becomes
// bytes, and which headers go with it. What it does not know: what a request
// means, storage, and where it runs; package lambdahttp puts it behind API
// Gateway, a server can mount it as it is.
//
// A handler takes its operation's input and returns its output or an error; it
// never writes the response. New refuses, at start, handlers that do not fit
// the table.
package gateway
