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

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/text"
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
	c := checker{problems: &all, lowerPageSize: r.LowerLimit}
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
	isOther := func(sent string) bool { // a request without a content type counts as JSON
		media, _, _ := strings.Cut(sent, ";")
		return !strings.EqualFold(strings.TrimSpace(media), "application/json")
	}
	if slices.ContainsFunc(r.Header.Values("Content-Type"), isOther) {
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

// readParameters puts path, query and header parameters into the tree, so that
// they are checked and bound just like fields of a body. It returns the query
// parameters that the schema does not have.
func readParameters(r Request, schema *contract.Schema, root *node, all *problems) []string {
	query, err := url.ParseQuery(r.Query)
	if err != nil {
		all.add("", contract.ValidationFailed, "The query string cannot be decoded; percent-encode its names and values.")
	}
	for i, f := range schema.Fields {
		switch f.In {
		case contract.InPath:
			root.children[i] = parameterNode([]string{r.Path[f.Name]}, f, all)
		case contract.InQuery:
			root.children[i] = parameterNode(query[f.Name], f, all)
			delete(query, f.Name)
		case contract.InHeader:
			root.children[i] = parameterNode(r.Header.Values(f.Name), f, all)
		}
	}
	return slices.Sorted(maps.Keys(query))
}

// parameterNode returns the node of one parameter, made from all its values. Of one that
// may be null, "" and the word null count as absent.
func parameterNode(values []string, f contract.Field, all *problems) node {
	isNull := len(values) == 1 && f.Nullable && (values[0] == "" || values[0] == "null")
	if len(values) == 0 || isNull {
		return node{}
	}
	if slices.ContainsFunc(values, func(v string) bool { return !utf8.ValidString(v) }) {
		all.add(f.Name, contract.ValidationFailed, f.Name+": is not valid UTF-8.")
		return node{kind: kindReported}
	}
	if f.Schema.Kind == contract.KindArray {
		n := node{kind: kindArray, count: len(values)}
		for _, v := range values[:min(len(values), int(*f.Schema.Max))] {
			n.children = append(n.children, scalarNode(v, f.Schema.Items.Kind))
		}
		return n
	}
	if len(values) > 1 {
		all.add(f.Name, contract.ValidationFailed, fmt.Sprintf("%s: must be sent once, not %d times.", f.Name, len(values)))
		return node{kind: kindReported}
	}
	return scalarNode(values[0], f.Schema.Kind)
}

// scalarNode returns a parameter's text as a value of the kind.
func scalarNode(v string, kind contract.Kind) node {
	switch kind {
	case contract.KindBoolean:
		if v == "true" || v == "false" {
			return node{kind: kindBoolean, raw: v}
		}
	case contract.KindInteger, contract.KindNumber:
		if number().MatchString(v) {
			return node{kind: kindNumber, raw: v}
		}
	default:
		return node{kind: kindString, raw: v}
	}
	return node{kind: kindMismatch, raw: v}
}

// number matches a number of JSON, which in a parameter may begin with zeros.
var number = text.Expression(`^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// How much an error reports: messages, characters of a message, characters quoted.
const (
	maxMessages = 50
	maxMessage  = 200
	maxEcho     = 40
)

// problems collects what is wrong with one request.
type problems struct {
	// list holds the first maxMessages, count counts all.
	list  []problem
	count int
}

type problem struct {
	// field is a top-level field or a parameter; empty for the whole request.
	field   string
	code    contract.Code
	message string
}

// add adds a message and the accepted values, which may be long.
func (p *problems) add(field string, code contract.Code, message string, accepted ...string) {
	p.count++
	if p.count > maxMessages {
		return
	}
	message = truncateTo(message, maxMessage)
	if len(accepted) > 0 {
		message += " Accepted: " + strings.Join(accepted, ", ") + "."
	}
	p.list = append(p.list, problem{field, code, message})
}

// toFault returns the error; nil without problems. Its code is a specific one
// only if all problems have it.
func (p *problems) toFault() error {
	if p.count == 0 {
		return nil
	}
	e := fault.Fields(p.list[0].code, map[string][]string{})
	for i, one := range p.list {
		if one.code != e.Code {
			e.Code = contract.ValidationFailed
		}
		if p.count > maxMessages && i == maxMessages-1 {
			one = problem{message: fmt.Sprintf("There are %d more problems.", p.count-i)}
		}
		if one.field == "" {
			e.Form = append(e.Form, one.message)
		} else {
			e.Fields[one.field] = append(e.Fields[one.field], one.message)
		}
	}
	return e
}

// quoteShort returns what the caller sent in quotes, printable and short.
func quoteShort(v string) string {
	var b strings.Builder
	for i, r := range v {
		quoted := strconv.Quote(string(r))
		quoted = quoted[1 : len(quoted)-1]
		if b.Len()+len(quoted) > maxEcho && i > 0 {
			return `"` + b.String() + `…"`
		}
		b.WriteString(quoted)
	}
	return `"` + b.String() + `"`
}

// truncateTo returns at most n characters of v. It reads no further than that.
func truncateTo(v string, n int) string {
	last := 0
	count := 0
	for i := range v {
		if count == n {
			return v[:last] + "…"
		}
		last = i
		count++
	}
	return v
}

func countEntries(n int64) string {
	if n == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}

// suggestValue returns the accepted value that was probably meant; empty if none is
// near. Case, spaces and hyphens do not count, because people send display names.
func suggestValue(sent string, accepted []string) string {
	sent = foldName(sent)
	if len(sent) < 2 || len(sent) > 64 {
		return ""
	}
	best := ""
	least := max(1, len(sent)/5) + 1
	for _, v := range accepted {
		folded := foldName(v)
		d := text.Distance([]byte(sent), []byte(folded), least-1)
		if d > 0 && strings.HasPrefix(folded, sent) {
			d = 1
		}
		if d < least {
			best = v
			least = d
		}
	}
	return best
}

var separators = strings.NewReplacer(" ", "_", "-", "_", "/", "_")

func foldName(v string) string { return strings.ToLower(separators.Replace(strings.TrimSpace(v))) }
