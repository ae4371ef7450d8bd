package decode

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// checker walks a tree along its schema, collects what is wrong and sets the values.
type checker struct {
	*problems
	// lowerPageSize lowers a page size above the maximum instead of refusing it.
	lowerPageSize bool
	// encoded holds the texts in base64.
	encoded []encodedText
	// topField is the top-level field or parameter that is being walked.
	topField contract.Field
}

// checkFields checks the top level, where body and parameters meet, and fills the struct dst. Of a body that has two
// forms, it passes over the fields of the one that was not sent; of one that could not be read, no field is missing.
func (c *checker) checkFields(n *node, s *contract.Schema, dst reflect.Value) {
	instead := s.Instead()
	isWrapped := instead >= 0 && n.children[instead].kind != kindAbsent && n.children[instead].kind != kindNull
	for i, f := range s.Fields {
		c.topField = f
		isOtherForm := false
		if instead >= 0 {
			isInObject := s.Fields[instead].Schema.Field(f.Name) >= 0
			isOtherForm = isInObject == isWrapped
		}
		isSkipped := f.In == contract.InBody && (n.kind != kindObject || isOtherForm)
		if !isSkipped {
			c.checkField(&n.children[i], f, f.Name, dst)
		}
	}
	for _, text := range c.encoded {
		if c.count == 0 {
			return // the handler decodes it
		}
		if _, err := Base64(text.value); err != nil {
			c.add(text.field, contract.InvalidBase64, text.path+": "+NoBase64)
		}
	}
}

// addProblem adds a problem of the value at path. A string cursor has one code for
// everything that is wrong with it.
func (c *checker) addProblem(path, format string, args ...any) {
	code := contract.ValidationFailed
	if c.topField.Name == "cursor" && c.topField.Schema.Kind == contract.KindString {
		code = contract.InvalidCursor
	}
	c.add(c.topField.Name, code, path+": "+fmt.Sprintf(format, args...))
}

// checkField checks a field of the struct that holds it.
func (c *checker) checkField(n *node, f contract.Field, path string, holder reflect.Value) {
	isAbsent := n.kind == kindAbsent
	isNothing := isAbsent || n.kind == kindNull && f.Nullable
	switch {
	case n.kind == kindReported:
	case isAbsent && f.Required:
		c.addProblem(path, "is required.")
	case isNothing && f.Schema.Page != nil:
		holder.FieldByIndex(f.Index).SetInt(f.Schema.Page.Default)
	case isNothing:
	default:
		c.checkValue(n, f.Schema, path, holder.FieldByIndex(f.Index))
	}
}

// wireKinds maps a kind to the one it must have on the wire, and to the words for it in messages.
var wireKinds = map[contract.Kind]struct {
	sent  jsonKind
	words string
}{
	contract.KindString: {kindString, "a string"}, contract.KindBoolean: {kindBoolean, "true or false"},
	contract.KindInteger: {kindNumber, "an integer"}, contract.KindNumber: {kindNumber, "a number"},
	contract.KindArray: {kindArray, "an array"}, contract.KindObject: {kindObject, "an object"},
}

// checkValue checks one value and sets dst to it.
func (c *checker) checkValue(n *node, s *contract.Schema, path string, dst reflect.Value) {
	want := wireKinds[s.Kind]
	if n.kind == kindMismatch {
		c.addProblem(path, "%s is not %s.", quoteShort(n.raw), want.words)
		return
	}
	if n.kind != want.sent {
		c.addProblem(path, "must be %s, not %s.", want.words, n.kind)
		return
	}
	if dst.Kind() == reflect.Pointer {
		dst.Set(reflect.New(dst.Type().Elem()))
		dst = dst.Elem()
	}
	switch s.Kind {
	case contract.KindString:
		c.checkString(n, s, path, dst)
	case contract.KindInteger:
		c.checkInteger(n, s, path, dst)
	case contract.KindNumber:
		c.checkNumber(n, s, path, dst)
	case contract.KindBoolean:
		c.checkConst(n.raw, s, path)
		dst.SetBool(n.raw == "true")
	case contract.KindArray:
		c.checkArray(n, s, path, dst)
	case contract.KindObject:
		for i, f := range s.Fields {
			c.checkField(&n.children[i], f, path+"."+f.Name, dst)
		}
	}
}

// checkArray checks the entries of an array. Of equal strings, the first is kept.
func (c *checker) checkArray(n *node, s *contract.Schema, path string, dst reflect.Value) {
	if s.Min != nil && int64(n.count) < *s.Min {
		c.addProblem(path, "must have at least %s.", countEntries(*s.Min))
	}
	if int64(n.count) > *s.Max {
		c.addProblem(path, "must have at most %s, not %d.", countEntries(*s.Max), n.count)
		return
	}
	list := reflect.MakeSlice(dst.Type(), 0, len(n.children))
	seen := map[string]bool{}
	for i := range n.children {
		one := &n.children[i]
		v := reflect.New(dst.Type().Elem()).Elem()
		c.checkValue(one, s.Items, path+"["+strconv.Itoa(i)+"]", v)
		if one.kind != kindString || !seen[one.stringValue()] {
			list = reflect.Append(list, v)
		}
		seen[one.stringValue()] = true
	}
	dst.Set(list)
}

func (c *checker) checkString(n *node, s *contract.Schema, path string, dst reflect.Value) {
	v := n.stringValue()
	setString(dst, v, s)
	switch {
	case s.Encoding != "" && v != "":
		c.encoded = append(c.encoded, encodedText{c.topField.Name, path, v})
	case s.Enum != nil:
		c.checkEnum(v, s.Enum, path)
	case s.Min != nil && *s.Min > 0 && v == "", s.Nonblank && strings.TrimSpace(v) == "":
		c.addProblem(path, "must not be empty.")
	case s.Min != nil && int64(len(v)) < *s.Min*utf8.UTFMax && int64(utf8.RuneCountInString(v)) < *s.Min:
		c.addProblem(path, "must have at least %d characters.", *s.Min)
	case s.Max != nil && int64(len(v)) > *s.Max && int64(utf8.RuneCountInString(v)) > *s.Max:
		c.addProblem(path, "must have at most %d characters, not %d.", *s.Max, utf8.RuneCountInString(v))
	case s.Format != "" && !formats[s.Format].valid(v):
		c.addProblem(path, "%s is not %s.", quoteShort(v), formats[s.Format].description)
	default:
		c.checkConst(v, s, path)
	}
}

// checkEnum refuses what is not in the set. In a query that has a code of its own,
// because a display name in a filter is the most common mistake.
func (c *checker) checkEnum(v string, e *contract.Enum, path string) {
	if e.Has(v) {
		return
	}
	code := contract.ValidationFailed
	if c.topField.In == contract.InQuery {
		code = contract.UnknownFilterValue
	}
	message := fmt.Sprintf("%s: %s is not a %s.", path, quoteShort(v), e.Name)
	near := ""
	if c.count < maxMessages { // a further one is only counted
		near = suggestValue(v, e.Values)
	}
	if near != "" {
		message = fmt.Sprintf("%s; did you mean %q?", strings.TrimSuffix(message, "."), near)
	}
	c.add(c.topField.Name, code, message, e.Values...)
}

func (c *checker) checkConst(v string, s *contract.Schema, path string) {
	if s.Const != "" && v != s.Const {
		c.addProblem(path, "must be %s.", s.Const)
	}
}

func (c *checker) checkInteger(n *node, s *contract.Schema, path string, dst reflect.Value) {
	v, err := parseInteger(n.raw)
	if err != nil {
		c.addProblem(path, "%s is %v.", truncateTo(n.raw, maxEcho), err)
		return
	}
	switch p := s.Page; {
	case p == nil:
	case v < 1:
		c.addProblem(path, "must be at least 1.")
	case v > p.Max && c.lowerPageSize:
		v = p.Max
	case v > p.Max:
		c.add(c.topField.Name, contract.LimitTooLarge, fmt.Sprintf("%s: must be at most %d.", path, p.Max))
	}
	dst.SetInt(v)
	c.checkBounds(s.Min != nil && v < *s.Min, s.Max != nil && v > *s.Max, s, path)
}

func (c *checker) checkNumber(n *node, s *contract.Schema, path string, dst reflect.Value) {
	v, _ := strconv.ParseFloat(n.raw, 64)
	v = max(-math.MaxFloat64, min(v, math.MaxFloat64)) // the nearest one that is finite
	dst.SetFloat(v)
	if r := s.Range; r != nil && (v < r[0] || v > r[1]) {
		c.addProblem(path, "must be between %v and %v.", r[0], r[1])
	}
	c.checkBounds(s.Min != nil && v < float64(*s.Min), s.Max != nil && v > float64(*s.Max), s, path)
}

func (c *checker) checkBounds(below, above bool, s *contract.Schema, path string) {
	if below {
		c.addProblem(path, "must be at least %d.", *s.Min)
	}
	if above {
		c.addProblem(path, "must be at most %d.", *s.Max)
	}
}

// maxCloned is the length up to which a string is copied out of the body, so that a
// name kept in a cache does not keep a whole resume in memory.
const maxCloned = 4 << 10

// setString sets a string or a timestamp.
func setString(dst reflect.Value, v string, s *contract.Schema) {
	if at, ok := dst.Addr().Interface().(*contract.Time); ok {
		t, _ := time.Parse(time.RFC3339, v) // checkString reports what is none
		*at = contract.At(t)
		return
	}
	if s.Format == "uuid" {
		v = strings.ToLower(v) // the canonical spelling of the same id
	}
	if len(v) <= maxCloned {
		v = strings.Clone(v)
	}
	dst.SetString(v)
}

// errFraction is the reason why a number is not an integer.
var errFraction = errors.New("not a whole number")

// maxPower is more than any mantissa in a body could balance.
const maxPower = 1 << 40

// parseInteger returns the exact value of a JSON number: 150000.0 and 1.5e5 are
// 150000. Outside 64 bits it returns the nearest integer (contract, JSON bodies). It
// works on the digits, so that an exponent of a billion costs no more than any other.
func parseInteger(raw string) (int64, error) {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(raw), "e")
	mantissa, negative := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	power, _ := strconv.ParseInt(exponent, 10, 64) // the nearest one, or 0 without an exponent
	shift := max(-maxPower, min(power, maxPower)) - int64(len(fraction))
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
