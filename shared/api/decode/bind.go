package decode

import (
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// bindObject fills a struct from a tree that the checker has passed.
func bindObject(n *node, s *contract.Schema, dst reflect.Value) {
	for i, f := range s.Fields {
		child, field := &n.list[i], dst.FieldByIndex(f.Index)
		switch {
		case child.sort != absent && child.sort != null:
			bind(child, f.Schema, field)
		case f.Schema.Page != nil:
			field.SetInt(f.Schema.Page.Default)
		}
	}
}

// bind sets one value.
func bind(n *node, s *contract.Schema, dst reflect.Value) {
	if dst.Kind() == reflect.Pointer {
		dst.Set(reflect.New(dst.Type().Elem()))
		dst = dst.Elem()
	}
	switch s.Kind {
	case contract.KindString:
		if at, ok := dst.Addr().Interface().(*contract.Time); ok {
			t, _ := time.Parse(time.RFC3339, n.string())
			*at = contract.At(t)
			return
		}
		dst.SetString(bindString(n, s))
	case contract.KindInteger:
		v, _ := integer(n.raw)
		dst.SetInt(v)
	case contract.KindNumber:
		v, _ := strconv.ParseFloat(n.raw, 64)
		dst.SetFloat(v)
	case contract.KindBoolean:
		dst.SetBool(n.raw == "true")
	case contract.KindArray:
		bindArray(n, s, dst)
	case contract.KindObject:
		bindObject(n, s, dst)
	}
}

// small is what a string may weigh to be copied out of the body, so that a name
// kept in a cache does not keep a whole resume alive with it.
const small = 4 << 10

func bindString(n *node, s *contract.Schema) string {
	v := n.string()
	if s.Format == "uuid" {
		return strings.ToLower(v) // the canonical spelling of the same id
	}
	if len(v) <= small {
		return strings.Clone(v)
	}
	return v
}

// bindArray sets a slice; strings that are there twice count once, in order.
func bindArray(n *node, s *contract.Schema, dst reflect.Value) {
	list := reflect.MakeSlice(dst.Type(), 0, len(n.list))
	seen := map[string]bool{}
	for i := range n.list {
		one := &n.list[i]
		if one.sort == text {
			if seen[one.string()] {
				continue
			}
			seen[one.string()] = true
		}
		v := reflect.New(dst.Type().Elem()).Elem()
		bind(one, s.Items, v)
		list = reflect.Append(list, v)
	}
	dst.Set(list)
}
