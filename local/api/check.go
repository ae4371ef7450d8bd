package api

import (
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/decode"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// The columns that are not fields of a submission.
const (
	resumeColumn = "resume"
	marketColumn = "onMarketConfirmed"
)

// fields are the fields of a submission and of its preferences, by name.
var fields, preferenceFields = listFields()

func listFields() (all, preferences map[string]contract.Field) {
	all = map[string]contract.Field{}
	preferences = map[string]contract.Field{}
	for _, f := range contract.SchemaOf(reflect.TypeFor[contract.SubmitRequest]()).Fields {
		if f.In == contract.InBody && f.Schema.Kind != contract.KindObject {
			all[f.Name] = f
		}
	}
	for _, f := range contract.SchemaOf(reflect.TypeFor[contract.WorkPreferences]()).Fields {
		all[f.Name] = f
		preferences[f.Name] = f
	}
	return all, preferences
}

// columnNames returns the names of all columns, required ones first.
func columnNames() []string {
	names := slices.SortedFunc(maps.Keys(fields), func(a, b string) int {
		switch {
		case fields[a].Required == fields[b].Required:
			return strings.Compare(a, b)
		case fields[a].Required:
			return -1
		}
		return 1
	})
	return append([]string{resumeColumn}, append(names, marketColumn)...)
}

// problem is what is wrong with a cell. Line is 0 and Column "" for the whole file.
type problem struct {
	Line    int    `json:"line,omitempty"`
	Column  string `json:"column,omitempty"`
	Message string `json:"message"`
}

// inputRow is a candidate of a file: the values of its fields as JSON has them, by name.
type inputRow struct {
	line     int
	values   map[string]any
	resume   string // file name
	onMarket bool
}

// checkRow checks a row as the service will, and returns all problems.
func checkRow(row inputRow) (in contract.SubmitRequest, problems []problem) {
	preferences := map[string]any{}
	body := map[string]any{"preferences": preferences, "resume": map[string]any{"contentBase64": "AA=="}}
	for name, value := range row.values {
		if _, nested := preferenceFields[name]; nested {
			preferences[name] = value
		} else {
			body[name] = value
		}
	}
	text, err := json.Marshal(body)
	if err != nil {
		return in, []problem{{row.line, "", err.Error()}}
	}
	request := decode.Request{Header: http.Header{"Content-Type": {"application/json"}}, Body: string(text)}
	_, err = decode.Into(request, contract.SchemaOf(reflect.TypeFor[contract.SubmitRequest]()), reflect.ValueOf(&in))
	if err == nil {
		return in, nil
	}
	refused := fault.As(err)
	for _, message := range refused.Form {
		problems = append(problems, problem{row.line, "", message})
	}
	for _, field := range slices.Sorted(maps.Keys(refused.Fields)) {
		for _, message := range refused.Fields[field] {
			column, text := splitPath(field, message)
			problems = append(problems, problem{row.line, column, text})
		}
	}
	return in, problems
}

// problemPath is how a message names a part of a field: "preferences.locations[0]: …".
var problemPath = regexp.MustCompile(`^(?:preferences\.)?([A-Za-z]+)((?:\[\d+\])?): `)

// splitPath returns the column of a message, and the message without it.
func splitPath(field, message string) (column, text string) {
	m := problemPath.FindStringSubmatch(message)
	if m == nil {
		return field, message
	}
	if _, known := fields[m[1]]; !known {
		return field, message
	}
	return m[1], strings.TrimPrefix(message, m[0])
}

// readWords replaces the words for people by the value of the field's enumeration: "New York" by
// new_york. Other text stays.
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
