// Package decode turns a request into an operation's input: one strict parse,
// one walk over the schema that collects every problem, then the typed value.
//
// It knows JSON, parameters, the schemas of package contract, and how a problem is
// worded for people. It does not know answers, keys, or what an input means.
//
// A body is parsed in place. The strings of the tree are slices of the body, and
// the tree holds only what the schema names. So a body of 12 MiB exists once, and a
// hostile one cannot grow into a larger tree.
//
// That is why the parser is not jsontext's. With a jsontext.Decoder the same tree
// of a bulk body of 100 items took 0.36 ms instead of 0.26 ms and 310 KiB instead
// of 240; that of an 8 MiB resume 11 ms instead of 7 and 16 MiB instead of 2 KiB
// (November 2026, BenchmarkSubmitBulk and BenchmarkLargeResume). Its errors
// carry no line and column either.
package decode
