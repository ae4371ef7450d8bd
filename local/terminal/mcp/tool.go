package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/decode"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

type tool struct {
	route  contract.Route
	client *client.Client
	files  directories
}

func (t tool) describe() *sdk.Tool {
	return &sdk.Tool{
		Name: t.route.Operation, Description: describeRoute(t.route), InputSchema: t.files.inputSchema(t.route),
		Annotations: &sdk.ToolAnnotations{ReadOnlyHint: !isWrite(t.route), IdempotentHint: t.route.Method == http.MethodPut},
	}
}

func describeRoute(r contract.Route) string {
	text := fmt.Sprintf("%s (%s %s", r.Summary, r.Method, r.Path)
	if r.KeyType != contract.AnyKey {
		text += fmt.Sprintf(", with the %s key", r.KeyType)
	}
	text += ")"
	if r.Input == reflect.TypeFor[contract.BatchRequest]() {
		text += fmt.Sprintf(" Waits up to %d seconds for items that are queued or processing.", int(longestWait.Seconds()))
	}
	return text
}

// call is an [sdk.ToolHandler].
func (t tool) call(ctx context.Context, request *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	in, err := t.input(request.Params.Arguments)
	if err != nil {
		return failure(err), nil
	}
	out, err := t.send(ctx, in)
	if err != nil {
		return failure(err), nil
	}
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(out)}}}, nil
}

// input returns the arguments as a value of the route's input type; nil if it has none.
func (t tool) input(sent json.RawMessage) (any, error) {
	arguments, err := readArguments(sent)
	if err != nil {
		return nil, err
	}
	if err := t.files.prepareFields("", argumentsOf(t.route), arguments); err != nil {
		return nil, err
	}
	if t.route.Input == nil {
		return nil, nil
	}
	in := reflect.New(t.route.Input)
	_, err = decode.Into(requestOf(t.route, arguments), contract.SchemaOf(t.route.Input), in)
	return in.Elem().Interface(), err
}

// longestWait is how long a tool waits for the items of a batch. Many assistants give up after a minute.
const longestWait = 20 * time.Second

// send returns the response. Of a batch it is the one in which all items have ended, if that comes
// soon: an assistant that cannot wait would ask again at once.
func (t tool) send(ctx context.Context, in any) (json.RawMessage, error) {
	request, isBatch := in.(contract.BatchRequest)
	if !isBatch {
		return t.client.Send(ctx, t.route.Operation, in)
	}
	waiting, stop := context.WithTimeout(ctx, longestWait)
	defer stop()
	batch, err := t.client.WaitForBatch(waiting, request.BatchID)
	if waiting.Err() != nil {
		return t.client.Send(ctx, t.route.Operation, in)
	}
	return encode(batch), err
}

// refusal is an error of the API, with the data of its response outside the envelope.
type refusal struct {
	contract.ErrorEnvelope
	Status            int     `json:"status"`
	RetryAfterSeconds float64 `json:"retryAfterSeconds,omitempty"`
}

// failure returns an error as a result: a refusal in the API's envelope, any other error as a sentence.
func failure(err error) *sdk.CallToolResult {
	text := err.Error()
	refused, _ := errors.AsType[*client.Error](err)
	if wrong, ok := errors.AsType[*fault.Error](err); ok {
		category := wrong.Kind.Category()
		refused = &client.Error{
			Status: category.Status, Type: category.Type,
			Code: wrong.Code, Message: wrong.Message, Fields: wrong.Fields, Form: wrong.Form,
		}
	}
	if refused != nil {
		out := refusal{Status: refused.Status, RetryAfterSeconds: refused.RetryAfter.Seconds()}
		out.Error = contract.ErrorBody{Type: refused.Type, Message: refused.Message, RequestID: refused.RequestID, Code: refused.Code}
		if len(refused.Fields) > 0 || len(refused.Form) > 0 {
			out.Error.Details = &contract.ErrorDetails{FormErrors: append([]string{}, refused.Form...), FieldErrors: refused.Fields}
		}
		text = string(encode(out))
	}
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}
