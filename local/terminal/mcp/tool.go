package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"reflect"

	"github.com/google/uuid"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// tool is the tool of a route.
type tool struct {
	route  contract.Route
	client *client.Client
	files  directories
}

func (t tool) describe() *sdk.Tool {
	return &sdk.Tool{
		Name: t.route.Operation, Description: describeRoute(t.route), InputSchema: inputSchema(t.route),
		Annotations: &sdk.ToolAnnotations{ReadOnlyHint: !isWrite(t.route), IdempotentHint: t.route.Method == http.MethodPut},
	}
}

func describeRoute(r contract.Route) string {
	return fmt.Sprintf("%s (%s %s)", r.Summary, r.Method, r.Path)
}

// call is an [sdk.ToolHandler].
func (t tool) call(ctx context.Context, request *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	in, err := t.readArguments(request.Params.Arguments)
	if err != nil {
		return failure(err), nil
	}
	out, err := t.client.Send(ctx, t.route.Operation, in)
	if err != nil {
		return failure(err), nil
	}
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(out)}}}, nil
}

// readArguments returns the arguments as a value of the route's input type; nil if it has none.
func (t tool) readArguments(sent json.RawMessage) (any, error) {
	arguments := map[string]json.RawMessage{}
	if len(sent) > 0 {
		if err := json.Unmarshal(sent, &arguments); err != nil {
			return nil, fmt.Errorf("the arguments are no object: %w", err)
		}
	}
	isNull := func(_ string, value json.RawMessage) bool { return string(value) == "null" }
	maps.DeleteFunc(arguments, isNull) // assistants send it for what they leave out
	if err := checkArguments(t.route, arguments); err != nil {
		return nil, err
	}
	if t.route.Input == nil {
		return nil, nil
	}
	schema := contract.SchemaOf(t.route.Input)
	if err := t.files.fill(schema, arguments); err != nil {
		return nil, err
	}
	in := reflect.New(t.route.Input).Elem()
	if err := setFields(in, schema.Fields, arguments); err != nil {
		return nil, err
	}
	return in.Interface(), nil
}

// setFields sets the fields of an input to the arguments.
func setFields(in reflect.Value, fields []contract.Field, arguments map[string]json.RawMessage) error {
	for _, f := range fields {
		value := in.FieldByIndex(f.Index)
		if f.Name == idempotencyHeader { // a retry of this call is safe; another call is another request
			value.SetString(uuid.NewString())
		}
		text, sent := arguments[f.Name]
		if sent {
			if err := json.Unmarshal(text, value.Addr().Interface()); err != nil {
				return fmt.Errorf("%s: %w", f.Name, err)
			}
		}
		if err := checkSendable(f, value, sent); err != nil {
			return err
		}
	}
	return nil
}

// checkSendable returns an error for a value that the client would leave out, so that the API could not
// refuse it.
func checkSendable(f contract.Field, value reflect.Value, sent bool) error {
	switch {
	case f.In == contract.InPath && value.IsZero():
		return fmt.Errorf("%s: is empty", f.Name)
	case f.Schema.Page != nil && sent && value.IsZero():
		return fmt.Errorf("%s: must be at least 1", f.Name)
	}
	return nil
}

// failure returns an error as a result: that of the API in its envelope, any other one as a sentence.
func failure(err error) *sdk.CallToolResult {
	text := err.Error()
	if refused, ok := errors.AsType[*client.Error](err); ok {
		text = describeRefusal(refused)
	}
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

// refusal is an error of the API, with what its response says outside the envelope.
type refusal struct {
	contract.ErrorEnvelope
	Status            int     `json:"status"`
	RetryAfterSeconds float64 `json:"retryAfterSeconds,omitempty"`
}

func describeRefusal(e *client.Error) string {
	out := refusal{Status: e.Status, RetryAfterSeconds: e.RetryAfter.Seconds()}
	out.Error = contract.ErrorBody{Type: e.Type, Message: e.Message, RequestID: e.RequestID, Code: e.Code}
	if len(e.Fields) > 0 || len(e.Form) > 0 {
		out.Error.Details = &contract.ErrorDetails{FormErrors: e.Form, FieldErrors: e.Fields}
	}
	text, err := json.Marshal(out)
	if err != nil {
		return e.Error()
	}
	return string(text)
}
