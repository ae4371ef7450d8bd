package decode

import (
	"errors"
	"math"
	"reflect"
	"strconv"
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

// errFraction is the reason why a number is not an integer.
var errFraction = errors.New("not a whole number")

// parseInteger returns the exact value of a JSON number: 150000.0 and 1.5e5 are
// 150000. Outside 64 bits it returns the nearest integer (contract, JSON bodies). It
// works on the digits, so that an exponent of a billion costs no more than any other.
func parseInteger(raw string) (int64, error) {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(raw), "e")
	mantissa, negative := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	shift := parseExponent(exponent) - int64(len(fraction))
	trimmed := strings.TrimRight(digits, "0")
	shift += int64(len(digits) - len(trimmed))
	switch {
	case trimmed == "":
		return 0, nil
	case shift < 0:
		return 0, errFraction
	}
	if negative {
		trimmed = "-" + trimmed
	}
	// ParseInt returns the nearest integer for 20 digits too, and more are not needed.
	n, _ := strconv.ParseInt(trimmed+strings.Repeat("0", int(min(shift, 20))), 10, 64)
	return n, nil
}

// parseFloat returns the value of a JSON number, the nearest one that is finite.
func parseFloat(raw string) float64 {
	v, _ := strconv.ParseFloat(raw, 64)
	return max(-math.MaxFloat64, min(v, math.MaxFloat64))
}

// parseExponent returns the value of an exponent. It clamps what no mantissa in a
// body could balance.
func parseExponent(exponent string) int64 {
	const most = 1 << 40
	n, err := strconv.ParseInt(exponent, 10, 64)
	if err != nil && exponent != "" {
		n = most
		if exponent[0] == '-' {
			n = -most
		}
	}
	return max(-most, min(most, n))
}
