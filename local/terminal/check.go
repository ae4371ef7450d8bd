package terminal

import (
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

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

// checkRow checks a row as the service will, and returns all problems.
func checkRow(row inputRow) (in contract.SubmitRequest, problems []problem) {
	wrong := map[string]bool{}
	for _, p := range row.wrong {
		wrong[p.Column] = true
	}
	problems = slices.Clone(row.wrong)
	for _, name := range sortedKeys(row.values) {
		if !isUTF8(row.values[name]) && !wrong[name] {
			problems = append(problems, problem{row.line, name, "is not UTF-8; save the file as UTF-8"})
		}
	}
	preferences := map[string]any{}
	body := map[string]any{"preferences": preferences, "resume": map[string]any{"contentBase64": "AA=="}}
	for name, value := range row.values {
		if _, nested := preferenceFields[name]; nested {
			preferences[name] = value
		} else {
			body[name] = value
		}
	}
	text, _ := json.Marshal(body) // of texts, numbers and what was read as JSON
	request := decode.Request{Header: http.Header{"Content-Type": {"application/json"}}, Body: string(text)}
	_, err := decode.Into(request, contract.SchemaOf(reflect.TypeFor[contract.SubmitRequest]()), reflect.ValueOf(&in))
	if err == nil {
		return in, problems
	}
	refused := fault.As(err)
	for _, message := range refused.Form {
		problems = append(problems, problem{row.line, "", message})
	}
	for _, field := range slices.Sorted(maps.Keys(refused.Fields)) {
		for _, message := range refused.Fields[field] {
			column, text := splitPath(field, message)
			if !wrong[column] {
				problems = append(problems, problem{row.line, column, text})
			}
		}
	}
	return in, problems
}

// isUTF8 reports whether a text, or each text of a list, is UTF-8. JSON has other values as they were.
func isUTF8(value any) bool {
	switch value := value.(type) {
	case string:
		return utf8.ValidString(value)
	case []string:
		return !slices.ContainsFunc(value, func(text string) bool { return !utf8.ValidString(text) })
	}
	return true
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
	return m[1], shortenListing(fields[m[1]], strings.TrimPrefix(message, m[0]))
}

// longestListing is how many characters of accepted values a message may have.
const longestListing = 120

// shortenListing replaces a long list of accepted values by the command that prints it.
func shortenListing(field contract.Field, message string) string {
	text, listing, _ := strings.Cut(message, " Accepted: ")
	if len(listing) <= longestListing {
		return message
	}
	return text + " `enumerations " + field.Name + "` lists the values."
}
