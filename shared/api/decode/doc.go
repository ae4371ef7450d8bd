// Package decode turns a request into an operation's input: one strict parse,
// one walk against the schema that collects every problem, then the typed value.
//
// What it knows: JSON, parameters, the schema of contract.SchemaOf, and how a
// problem is told to a person. What it does not know: HTTP answers, keys, and
// what an input means.
//
// A body is parsed in place. The tree's strings are slices of the body and it
// holds only what the schema names, so a body of 12 MiB exists once, and a
// hostile one cannot grow into a larger tree.
package decode
