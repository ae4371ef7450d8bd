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
		if err := field.applyRule(rule); err != nil {
			panic(fmt.Sprintf("contract: %v.%s: rule %q: %v", t, f.Name, rule, err))
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

// applyRule applies one rule of a "check" tag to the field.
func (f *Field) applyRule(rule string) (err error) {
	name, value, _ := strings.Cut(rule, "=")
	s := f.Schema
	each := s // the rules about a value hold for each entry of an array
	if s.Kind == KindArray {
		each = s.Items
	}
	switch name {
	case "required":
		f.Required = true
	case "nullable":
		f.Nullable = true
	case "min":
		s.Min, err = parseBound(s, value)
	case "max":
		s.Max, err = parseBound(s, value)
	case "range":
		s.Range, err = parseRange(s, value)
	case "instead":
		f.Instead = true
	case "nonblank":
		each.Nonblank = true
	case "enum":
		each.Enum, err = parseEnum(each, value)
	case "format":
		each.Format, err = parseFormat(each, value)
	case "encoding":
		s.Encoding, err = parseEncoding(s, value)
	case "const":
		s.Const, err = parseConst(s, value)
	case "default":
		s.Default = value
	case "limit":
		s.Page, err = parsePageLimit(s, value)
	default:
		err = fmt.Errorf("unknown rule")
	}
	return err
}

func parseBound(s *Schema, value string) (*int64, error) {
	if s.Kind == KindBoolean || s.Kind == KindObject {
		return nil, fmt.Errorf("a %s has no bounds", s.Kind)
	}
	n, err := strconv.ParseInt(value, 10, 64)
	return &n, err
}

func parseEnum(s *Schema, name string) (*Enum, error) {
	e := EnumByName(name)
	if e == nil || s.Kind != KindString {
		return nil, fmt.Errorf("no such enumeration for a %s", s.Kind)
	}
	return e, nil
}

func parseFormat(s *Schema, name string) (string, error) {
	if !slices.Contains(Formats, name) || s.Kind != KindString {
		return "", fmt.Errorf("no such format for a %s", s.Kind)
	}
	return name, nil
}

func parseEncoding(s *Schema, value string) (string, error) {
	if s.Kind != KindString || value != "base64" {
		return "", fmt.Errorf("want base64 of a string")
	}
	return value, nil
}

func parseConst(s *Schema, value string) (string, error) {
	isBoolean := value == "true" || value == "false"
	ok := s.Kind == KindString && value != "" || s.Kind == KindBoolean && isBoolean
	if !ok {
		return "", fmt.Errorf("no such constant of a %s", s.Kind)
	}
	return value, nil
}

// parseRange reads "least..most".
func parseRange(s *Schema, value string) (*[2]float64, error) {
	least, most, _ := strings.Cut(value, "..")
	from, err1 := strconv.ParseFloat(least, 64)
	to, err2 := strconv.ParseFloat(most, 64)
	if s.Kind != KindNumber || err1 != nil || err2 != nil || from > to {
		return nil, fmt.Errorf("want least..most of a number")
	}
	return &[2]float64{from, to}, nil
}

// parsePageLimit reads "default/maximum".
func parsePageLimit(s *Schema, value string) (*PageLimit, error) {
	first, second, _ := strings.Cut(value, "/")
	def, err1 := strconv.ParseInt(first, 10, 64)
	most, err2 := strconv.ParseInt(second, 10, 64)
	isRange := err1 == nil && err2 == nil && def >= 1 && def <= most
	if s.Kind != KindInteger || !isRange {
		return nil, fmt.Errorf("want default/maximum of an integer")
	}
	return &PageLimit{Default: def, Max: most}, nil
}
