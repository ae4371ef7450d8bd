package client

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// message is a request that can be sent again: its bytes stay the same.
type message struct {
	operation, method, url string
	header                 http.Header
	body                   []byte
}

// newMessage returns the message of an operation. The schema of the input says where
// each field goes.
func (c *Client) newMessage(operation string, in any) (message, error) {
	route := contract.FindRoute(operation)
	m := message{operation: operation, method: route.Method, header: http.Header{"Accept": {"application/json"}}}
	if !route.Public() {
		m.header.Set("Authorization", "Bearer "+c.key)
	}
	path := route.Path
	query := url.Values{}
	if in != nil {
		path = bindParameters(reflect.ValueOf(in), path, query, m.header)
	}
	if m.method != http.MethodGet {
		m.header.Set("Content-Type", "application/json")
		var err error
		m.body, err = json.Marshal(in)
		if err != nil {
			return m, err
		}
	}
	m.url = c.baseURL + path
	if len(query) > 0 {
		m.url += "?" + query.Encode()
	}
	return m, nil
}

// bindParameters adds the fields outside the body to query and header, and returns the
// path with its parameters filled in. Fields that are not set are left out.
func bindParameters(in reflect.Value, path string, query url.Values, header http.Header) string {
	for _, field := range contract.SchemaOf(in.Type()).Fields {
		if field.In == contract.InBody {
			continue
		}
		var values []string
		switch v := in.FieldByIndex(field.Index); {
		case v.IsZero():
		case v.Kind() == reflect.Slice:
			for i := range v.Len() {
				values = append(values, fmt.Sprint(v.Index(i)))
			}
		default:
			values = []string{fmt.Sprint(reflect.Indirect(v))}
		}
		for _, value := range values {
			switch field.In {
			case contract.InPath:
				path = strings.ReplaceAll(path, "{"+field.Name+"}", url.PathEscape(value))
			case contract.InQuery:
				query.Add(field.Name, value)
			case contract.InHeader:
				header.Set(field.Name, value)
			}
		}
	}
	return path
}

// Error is a response other than a success (contract, Errors). Branch on Type; the
// sets may grow, so go by Status if Type or Code is unknown.
type Error struct {
	// Operation is the route's name in the table of routes.
	Operation string
	Status    int
	// Type is empty if the response had no envelope, as on 413 and from proxies.
	Type    string
	Code    contract.Code
	Message string
	// RequestID is to be quoted to support; empty if the response had none.
	RequestID string
	// Fields maps a field or parameter to its problems; Form holds those of the
	// whole request.
	Fields map[string][]string
	Form   []string
	// RetryAfter is how long the server advises to wait; zero means no advice.
	RetryAfter time.Duration
}

// Error returns the fields at fault but not their contents, which may be personal.
func (e *Error) Error() string {
	text := fmt.Sprintf("%s: %d", e.Operation, e.Status)
	if e.Type != "" {
		text += " " + e.Type
	}
	if e.Code != contract.NoCode {
		text += " (" + string(e.Code) + ")"
	}
	text += ": " + e.Message
	if len(e.Fields) > 0 {
		text += " Fields: " + strings.Join(slices.Sorted(maps.Keys(e.Fields)), ", ") + "."
	}
	if e.RequestID != "" {
		text += " Request " + e.RequestID + "."
	}
	return text
}

// readError returns the error in the envelope, or without an envelope one with just the
// status.
func readError(operation string, response *http.Response, body []byte) *Error {
	e := &Error{
		Operation:  operation,
		Status:     response.StatusCode,
		Message:    http.StatusText(response.StatusCode) + ".",
		RequestID:  response.Header.Get("X-Request-Id"),
		RetryAfter: retryAfter(response.Header),
	}
	var envelope contract.ErrorEnvelope
	if json.Unmarshal(body, &envelope) != nil || envelope.Error.Type == "" {
		return e
	}
	e.Type = envelope.Error.Type
	e.Code = envelope.Error.Code
	e.Message = envelope.Error.Message
	if details := envelope.Error.Details; details != nil {
		e.Fields = details.FieldErrors
		e.Form = details.FormErrors
	}
	return e
}
