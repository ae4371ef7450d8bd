// Package decode turns a request into an operation's input: one strict parse,
// one walk over the schema that collects every problem, then the typed value.
//
// It knows JSON, parameters, the schemas of package contract, and how a problem is
// worded for people. It does not know answers, keys, or what an input means.
//
// A body is parsed in place. The strings of the tree are slices of the body, but those with escapes, which are copied without
// them when they are read, and the tree holds only what the schema names. So a body of 12 MiB exists once, its escaped strings
// twice, and a hostile one cannot grow into a larger tree.
//
// Tokens and scalars are read by a jsontext.Decoder, which reads a bytes.Buffer without
// a copy; line and column of an error are computed from its byte.
package decode
