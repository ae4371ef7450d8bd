package decode

import (
	"net/http"
	"reflect"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// Request is the part of a request that an input is read from.
type Request struct {
	// Path holds the path parameters, decoded.
	Path map[string]string
	// Query is the query string as sent.
	Query  string
	Header http.Header
	// Body is the body as sent. It must not change afterwards.
	Body string
	// LowerLimit lowers a page size above the maximum instead of refusing it.
	LowerLimit bool
}

// Into reads the input that dst points to from the request; dst is the zero Value
// for an operation without input. The error is a [fault.Error] of kind Invalid that
// lists all problems, or fault.Missing for a path with an id longer than ids are
// (contract, Identifiers). ignored names the query parameters that the operation does
// not have, with and without an error. With an error, dst may have a part of the input.
func Into(r Request, schema *contract.Schema, dst reflect.Value) (ignored []string, err error) {
	var all problems
	root := node{kind: kindObject, children: make([]node, len(schema.Fields))}
	if schema.HasBody() {
		root = readBody(r, schema, &all)
	}
	ignored = readParameters(r, schema, &root, &all)
	c := checker{problems: &all, lowerPageSize: r.LowerLimit, bodyUnread: root.kind != kindObject}
	if dst.IsValid() {
		dst = dst.Elem()
	}
	c.checkFields(&root, schema, dst)
	if err := all.toFault(); err != nil {
		return ignored, err
	}
	for _, id := range r.Path {
		if len(id) > maxIDLength {
			return ignored, fault.Missing()
		}
	}
	return ignored, nil
}

// readBody parses the body. A body that is unreadable as a whole is one problem, and
// its fields are not checked.
func readBody(r Request, schema *contract.Schema, all *problems) node {
	unread := node{children: make([]node, len(schema.Fields))}
	if !isJSON(r.Header.Values("Content-Type")) {
		all.add("", contract.UnsupportedContentType, "The Content-Type must be application/json.")
		return unread
	}
	n, err := parseBody(r.Body, schema)
	if err != nil {
		all.add("", contract.MalformedJSON, "The body is not valid JSON: "+err.Error()+".")
		return unread
	}
	return n
}

// isJSON reports whether every content type is application/json, with any parameters.
// A request without one counts as JSON.
func isJSON(contentTypes []string) bool {
	for _, t := range contentTypes {
		t, _, _ = strings.Cut(t, ";")
		if !strings.EqualFold(strings.TrimSpace(t), "application/json") {
			return false
		}
	}
	return true
}
