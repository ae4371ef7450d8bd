package decode

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// readParameters puts path, query and header parameters into the tree, so that
// they are checked and bound just like fields of a body. It returns the query
// parameters that the schema does not have.
func readParameters(r Request, schema *contract.Schema, root *node, all *problems) (ignored []string) {
	query, err := url.ParseQuery(r.Query)
	if err != nil {
		all.form(contract.ValidationFailed, "The query string is not decodable; percent-encode its names and values.")
	}
	for i, f := range schema.Fields {
		switch f.In {
		case contract.InPath:
			root.list[i] = parameter([]string{r.Path[f.Name]}, f, all)
		case contract.InQuery:
			root.list[i] = parameter(query[f.Name], f, all)
			delete(query, f.Name)
		case contract.InHeader:
			root.list[i] = parameter(r.Header.Values(f.Name), f, all)
		}
	}
	for name := range query {
		ignored = append(ignored, name)
	}
	slices.Sort(ignored)
	return ignored
}

// parameter makes the node of one parameter from all its values.
func parameter(values []string, f contract.Field, all *problems) node {
	if f.Nullable {
		values = slices.DeleteFunc(slices.Clone(values), func(v string) bool { return v == "" })
	}
	if len(values) == 0 {
		return node{}
	}
	if slices.ContainsFunc(values, func(v string) bool { return !utf8.ValidString(v) }) {
		all.add(f.Name, contract.ValidationFailed, f.Name+": is not valid UTF-8.")
		return node{sort: reported}
	}
	if f.Schema.Kind == contract.KindArray {
		return repeated(values, f.Schema)
	}
	if len(values) > 1 {
		all.add(f.Name, contract.ValidationFailed, fmt.Sprintf("%s: is there %d times; send it once.", f.Name, len(values)))
		return node{sort: reported}
	}
	return scalar(values[0], f.Schema.Kind)
}

// repeated makes an array of the values, as the parser does.
func repeated(values []string, s *contract.Schema) node {
	n := node{sort: array, count: len(values)}
	for _, v := range values[:min(len(values), int(*s.Max))] {
		n.list = append(n.list, scalar(v, s.Items.Kind))
	}
	return n
}

// scalar reads the text of a parameter as its kind is written.
func scalar(v string, kind contract.Kind) node {
	switch kind {
	case contract.KindBoolean:
		if v == "true" || v == "false" {
			return node{sort: boolean, raw: v}
		}
	case contract.KindInteger, contract.KindNumber:
		if isNumber(v, kind) {
			return node{sort: number, raw: v}
		}
	default:
		return node{sort: text, raw: v}
	}
	return node{sort: unfitting, raw: v}
}

// isNumber accepts decimal digits with a sign, and for a number a fraction.
func isNumber(v string, kind contract.Kind) bool {
	whole, fraction, dotted := strings.Cut(strings.TrimPrefix(v, "-"), ".")
	if kind == contract.KindInteger && dotted {
		return false
	}
	return digitsOnly(whole) && (!dotted || digitsOnly(fraction))
}

func digitsOnly(v string) bool {
	return v != "" && strings.Trim(v, "0123456789") == ""
}
