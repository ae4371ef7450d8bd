package decode

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/text"
)

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
