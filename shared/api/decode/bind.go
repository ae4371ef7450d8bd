package decode

import (
	"reflect"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// bindObject fills a struct from a tree that the checker has accepted.
func bindObject(n *node, s *contract.Schema, dst reflect.Value) {
	for i, f := range s.Fields {
		child := &n.children[i]
		field := dst.FieldByIndex(f.Index)
		switch {
		case child.kind != kindAbsent && child.kind != kindNull:
			bindValue(child, f.Schema, field)
		case f.Schema.Page != nil:
			field.SetInt(f.Schema.Page.Default)
		}
	}
}

// bindValue sets dst from one node.
func bindValue(n *node, s *contract.Schema, dst reflect.Value) {
	if dst.Kind() == reflect.Pointer {
		dst.Set(reflect.New(dst.Type().Elem()))
		dst = dst.Elem()
	}
	switch s.Kind {
	case contract.KindString:
		if at, ok := dst.Addr().Interface().(*contract.Time); ok {
			t, _ := time.Parse(time.RFC3339, n.stringValue())
			*at = contract.At(t)
			return
		}
		dst.SetString(bindString(n, s))
	case contract.KindInteger:
		v, _ := parseInteger(n.raw)
		dst.SetInt(v)
	case contract.KindNumber:
		dst.SetFloat(parseFloat(n.raw))
	case contract.KindBoolean:
		dst.SetBool(n.raw == "true")
	case contract.KindArray:
		bindArray(n, s, dst)
	case contract.KindObject:
		bindObject(n, s, dst)
	}
}

// maxCloned is the length up to which a string is copied out of the body, so that a
// name kept in a cache does not keep a whole resume in memory.
const maxCloned = 4 << 10

func bindString(n *node, s *contract.Schema) string {
	v := n.stringValue()
	if s.Format == "uuid" {
		return strings.ToLower(v) // the canonical spelling of the same id
	}
	if len(v) <= maxCloned {
		return strings.Clone(v)
	}
	return v
}

// bindArray sets a slice. Strings are de-duplicated, in order.
func bindArray(n *node, s *contract.Schema, dst reflect.Value) {
	list := reflect.MakeSlice(dst.Type(), 0, len(n.children))
	seen := map[string]bool{}
	for i := range n.children {
		one := &n.children[i]
		if one.kind == kindString {
			if seen[one.stringValue()] {
				continue
			}
			seen[one.stringValue()] = true
		}
		v := reflect.New(dst.Type().Elem()).Elem()
		bindValue(one, s.Items, v)
		list = reflect.Append(list, v)
	}
	dst.Set(list)
}
