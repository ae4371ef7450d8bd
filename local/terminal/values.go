package terminal

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/decode"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// inputRow is a candidate of a file: the values of its fields as JSON has them, by name.
type inputRow struct {
	line     int
	values   map[string]any
	resume   string // file name
	onMarket bool
	wrong    []problem // of cells that have no value
}

// addCell adds what was typed for a column. An empty cell is left out.
func (r *inputRow) addCell(name, cell string) {
	cell = strings.TrimSpace(cell)
	field := fields[name]
	switch {
	case cell == "" || name == "":
	case name == resumeColumn:
		r.resume = cell
	case name == marketColumn:
		r.onMarket = strings.EqualFold(cell, "true") || strings.EqualFold(cell, "yes")
	case field.Schema.Kind == contract.KindArray:
		all := []string{}
		for part := range strings.FieldsFuncSeq(cell, func(c rune) bool { return c == ';' || c == '|' || c == '\n' }) {
			part = strings.TrimSpace(part)
			if part == "" {
				continue
			}
			if advice := adviseSeparator(field, part); advice != "" {
				r.wrong = append(r.wrong, problem{r.line, name, advice})
			}
			all = append(all, readWords(field, part))
		}
		r.values[name] = all
	case field.Schema.Kind == contract.KindInteger && jsonNumber.MatchString(cell):
		r.values[name] = json.RawMessage(cell)
	case field.Schema.Kind == contract.KindInteger:
		r.wrong = append(r.wrong, problem{r.line, name, adviseNumber(cell)})
	default:
		r.values[name] = readWords(field, cell)
	}
}

// addValue adds the value that an object has for a column. A name that means none is left out.
func (r *inputRow) addValue(name string, value json.RawMessage) {
	switch name {
	case "":
	case resumeColumn:
		_ = json.Unmarshal(value, &r.resume) // anything but a string is missing in the check
	case marketColumn:
		_ = json.Unmarshal(value, &r.onMarket)
	default:
		r.values[name] = value
	}
}

// adviseSeparator returns what to write in place of several values between commas or slashes; "" for one value.
func adviseSeparator(field contract.Field, part string) string {
	enum := field.Schema.Items.Enum
	values := strings.FieldsFunc(part, func(r rune) bool { return r == ',' || r == '/' })
	if enum == nil || len(values) < 2 || enum.Has(readWords(field, part)) {
		return ""
	}
	known := false
	for i, value := range values {
		values[i] = strings.TrimSpace(value)
		known = known || enum.Has(readWords(field, values[i]))
	}
	if !known {
		return ""
	}
	return fmt.Sprintf(`%q is more than one value; separate values with ";": %s`, part, strings.Join(values, "; "))
}

var (
	noDigits   = regexp.MustCompile(`\D+`)
	jsonNumber = regexp.MustCompile(`^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$`)
	// typedNumber is a whole number as people write it: with a currency, marks between thousands, and k or m.
	typedNumber = regexp.MustCompile(`^(?:\p{Sc}|[A-Z]{3})? ?(\d{1,3}(?:[,.'_ ]\d{3})+|\d+)(?:[.,]00)? ?([kKmM]?) ?(?:\p{Sc}|[A-Z]{3})?$`)
)

func adviseNumber(cell string) string {
	m := typedNumber.FindStringSubmatch(cell)
	if m == nil {
		return fmt.Sprintf("%q is not a whole number; write digits alone, as in 60000", cell)
	}
	digits := noDigits.ReplaceAllString(m[1], "")
	zeros := map[string]string{"k": "000", "m": "000000"}[strings.ToLower(m[2])]
	number, err := strconv.ParseInt(digits+zeros, 10, 64)
	if err != nil {
		return fmt.Sprintf("%q is too large a number", cell)
	}
	return fmt.Sprintf("%q is not a whole number; write %d", cell, number)
}

// readWords replaces words for people by the value of the field's enumeration, "New York" by new_york.
func readWords(field contract.Field, text string) string {
	schema := field.Schema
	if schema.Items != nil {
		schema = schema.Items
	}
	if schema.Enum == nil || schema.Enum.Has(text) {
		return text
	}
	for _, value := range schema.Enum.Values {
		if strings.EqualFold(text, value) || strings.EqualFold(text, contract.DisplayName(value)) {
			return value
		}
	}
	return text
}

// The columns that are not fields of a submission.
const (
	resumeColumn = "resume"
	marketColumn = "onMarketConfirmed"
)

var (
	submitSchema     = contract.SchemaOf(reflect.TypeFor[contract.SubmitRequest]())
	preferenceSchema = contract.SchemaOf(reflect.TypeFor[contract.WorkPreferences]())
	fields           = listFields() // of a submission and of its preferences, by name
)

func listFields() map[string]contract.Field {
	all := map[string]contract.Field{}
	for _, f := range slices.Concat(submitSchema.Fields, preferenceSchema.Fields) {
		if f.In == contract.InBody && f.Schema.Kind != contract.KindObject {
			all[f.Name] = f
		}
	}
	return all
}

// columnNames returns the names of all columns, required ones first.
func columnNames() []string {
	required := []string{resumeColumn}
	var others []string
	for _, name := range sortedKeys(fields) {
		if fields[name].Required {
			required = append(required, name)
		} else {
			others = append(others, name)
		}
	}
	return slices.Concat(required, others, []string{marketColumn})
}

// checkRow checks a row as the service will, and returns all problems.
func checkRow(row inputRow) (in contract.SubmitRequest, problems []problem) {
	wrong := map[string]bool{}
	for _, p := range row.wrong {
		wrong[p.Column] = true
	}
	problems = slices.Clone(row.wrong)
	for _, name := range sortedKeys(row.values) {
		isUTF8 := utf8.ValidString(fmt.Sprint(row.values[name])) // a text or list of texts; what was read as JSON always is
		if !isUTF8 && !wrong[name] {
			problems = append(problems, problem{row.line, name, "is not UTF-8; save the file as UTF-8"})
		}
	}
	preferences := map[string]any{}
	body := map[string]any{"preferences": preferences, "resume": map[string]any{"contentBase64": "AA=="}}
	for name, value := range row.values {
		if preferenceSchema.Field(name) >= 0 {
			preferences[name] = value
		} else {
			body[name] = value
		}
	}
	text, _ := json.Marshal(body) // of texts, numbers and what was read as JSON
	request := decode.Request{Header: http.Header{"Content-Type": {"application/json"}}, Body: string(text)}
	_, err := decode.Into(request, submitSchema, reflect.ValueOf(&in))
	if err == nil {
		return in, problems
	}
	refused := fault.As(err)
	for _, message := range refused.Form {
		problems = append(problems, problem{row.line, "", message})
	}
	for _, field := range sortedKeys(refused.Fields) {
		for _, message := range refused.Fields[field] {
			column, text := splitPath(field, message)
			if !wrong[column] {
				problems = append(problems, problem{row.line, column, text})
			}
		}
	}
	return in, problems
}

// problemPath is how a message names a part of a field: "preferences.locations[0]: …".
var problemPath = regexp.MustCompile(`^(?:preferences\.)?([A-Za-z]+)((?:\[\d+\])?): `)

// longestListing is how many characters of accepted values a message may have.
const longestListing = 120

// splitPath returns the column of a message, and the message without it and with the command that lists them in place of many values.
func splitPath(field, message string) (column, text string) {
	m := problemPath.FindStringSubmatch(message)
	if m == nil || fields[m[1]].Name == "" {
		return field, message
	}
	text = strings.TrimPrefix(message, m[0])
	if before, listing, _ := strings.Cut(text, " Accepted: "); len(listing) > longestListing {
		text = before + " `enumerations " + m[1] + "` lists the values."
	}
	return m[1], text
}
