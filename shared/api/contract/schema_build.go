package contract

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// typeSchema returns the schema of a Go type, without the constraints of the field
// that holds it.
func typeSchema(t reflect.Type) *Schema {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == reflect.TypeFor[Time]() {
		return &Schema{Kind: KindString, Format: "date-time"}
	}
	switch t.Kind() {
	case reflect.String:
		return &Schema{Kind: KindString}
	case reflect.Int, reflect.Int64:
		return &Schema{Kind: KindInteger}
	case reflect.Float64:
		return &Schema{Kind: KindNumber}
	case reflect.Bool:
		return &Schema{Kind: KindBoolean}
	case reflect.Slice:
		return &Schema{Kind: KindArray, Items: typeSchema(t.Elem())}
	case reflect.Struct:
		return &Schema{Kind: KindObject, Name: t.Name(), Fields: structFields(t, nil)}
	}
	panic(fmt.Sprintf("contract: %v cannot be on the wire", t))
}

// structFields returns the fields of a struct, those of embedded structs among them.
func structFields(t reflect.Type, prefix []int) []Field {
	var fields []Field
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(slices.Clone(prefix), i)
		if f.Anonymous {
			fields = append(fields, structFields(f.Type, index)...)
			continue
		}
		fields = append(fields, fieldOf(t, f, index))
	}
	return fields
}

func fieldOf(t reflect.Type, f reflect.StructField, index []int) Field {
	field := Field{Doc: f.Tag.Get("doc"), Schema: typeSchema(f.Type), Index: index}
	field.Name, field.In = bindingOf(t, f)
	field.Omitted = strings.Contains(f.Tag.Get("json"), ",omit")
	field.Pointer = f.Type.Kind() == reflect.Pointer && !field.Omitted
	if field.Schema.Kind == KindArray {
		field.Schema.Max = new(int64(MaxEntries))
	}
	if field.In == InQuery && f.Type.Kind() == reflect.Bool {
		field.Schema.Default = "false"
	}
	check, ok := f.Tag.Lookup("check")
	if !ok {
		return field
	}
	for rule := range strings.SplitSeq(check, ",") {
		if !field.applyRule(rule) {
			panic(fmt.Sprintf("contract: %v.%s: %q is no rule for the type %s; see the package comment", t, f.Name, rule, field.Schema.Kind))
		}
	}
	if field.Schema.Page != nil && f.Type.Kind() == reflect.Pointer {
		panic(fmt.Sprintf("contract: %v.%s: a page size is always set; make it no pointer", t, f.Name))
	}
	return field
}

// bindingOf returns the name and place of a field from the one tag that has them.
func bindingOf(t reflect.Type, f reflect.StructField) (name string, in Binding) {
	found := 0
	for tag, place := range map[string]Binding{"json": InBody, "path": InPath, "query": InQuery, "header": InHeader} {
		if v, ok := f.Tag.Lookup(tag); ok && v != "-" { // fields outside the body are "-" to encoding/json
			name, _, _ = strings.Cut(v, ",")
			in = place
			found++
		}
	}
	if found != 1 || name == "" {
		panic(fmt.Sprintf("contract: %v.%s needs exactly one name", t, f.Name))
	}
	return name, in
}

// applyRule applies one rule of a "check" tag to the field. It reports whether there is such a rule for
// the kind of value.
func (f *Field) applyRule(rule string) bool {
	name, value, _ := strings.Cut(rule, "=")
	s := f.Schema
	each := s.Element() // the rules about a value hold for each entry of an array
	switch name {
	case "required":
		f.Required = true
	case "nullable":
		f.Nullable = true
	case "instead":
		f.Instead = true
	case "nonblank":
		each.Nonblank = true
	case "default":
		s.Default = value
	case "min":
		s.Min = parseBound(s, value)
		return s.Min != nil
	case "max":
		s.Max = parseBound(s, value)
		return s.Max != nil
	case "range":
		s.Range = parseRange(value)
		return s.Range != nil && s.Kind == KindNumber
	case "enum":
		each.Enum = EnumByName(value)
		return each.Enum != nil && each.Kind == KindString
	case "format":
		each.Format = value
		return slices.Contains(Formats, value) && each.Kind == KindString
	case "encoding":
		s.Encoding = value
		return value == "base64" && s.Kind == KindString
	case "const":
		s.Const = value
		isBoolean := value == "true" || value == "false"
		return isBoolean && s.Kind == KindBoolean || value != "" && s.Kind == KindString
	case "limit":
		s.Page = parsePageLimit(value)
		return s.Page != nil && s.Kind == KindInteger
	default:
		return false
	}
	return true
}

// parseBound returns nil for a text that is no integer, and for a kind that has no bounds.
func parseBound(s *Schema, value string) *int64 {
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || s.Kind == KindBoolean || s.Kind == KindObject {
		return nil
	}
	return &n
}

// parseRange reads "least..most"; nil if it is none.
func parseRange(value string) *[2]float64 {
	least, most, _ := strings.Cut(value, "..")
	from, err1 := strconv.ParseFloat(least, 64)
	to, err2 := strconv.ParseFloat(most, 64)
	if err1 != nil || err2 != nil || from > to {
		return nil
	}
	return &[2]float64{from, to}
}

// parsePageLimit reads "default/maximum"; nil if it is none.
func parsePageLimit(value string) *PageLimit {
	first, second, _ := strings.Cut(value, "/")
	size, err1 := strconv.ParseInt(first, 10, 64)
	most, err2 := strconv.ParseInt(second, 10, 64)
	isLimit := size >= 1 && size <= most
	if err1 != nil || err2 != nil || !isLimit {
		return nil
	}
	return &PageLimit{Default: size, Max: most}
}
