package keys

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"

	strict "github.com/go-json-experiment/json"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// Invoke is the function's entry: it decodes the request strictly (an unknown field, a
// duplicate one or a wrong type is refused), and returns a failure as Response.Error. It
// logs one line, which contains no key and no personal data.
func (s *Service) Invoke(ctx context.Context, payload json.RawMessage) (Response, error) {
	ctx = cloud.Metered(ctx)
	var in Request
	var out Response
	var err error
	if strict.Unmarshal(payload, &in, strict.RejectUnknownMembers(true)) != nil {
		err = fault.New(fault.Invalid, contract.MalformedJSON,
			"The request must be one JSON object with only documented fields of the documented types.")
	} else {
		out, err = s.Handle(ctx, in)
	}
	if err != nil {
		out = Response{Error: publicError(fault.As(err))}
	}
	s.logCall(cloud.Finished(ctx), in, out, err)
	return out, nil
}

func (s *Service) logCall(ctx context.Context, in Request, out Response, err error) {
	fields := []any{
		"action", cloud.LogID(string(in.Action)), "type", cloud.LogID(string(in.Type)),
		"principal", cloud.LogID(in.Principal), "actor", cloud.LogID(in.Actor),
	}
	id := cloud.LogID(in.KeyID)
	if out.Key != nil {
		id = out.Key.ID
	}
	fields = append(fields, "key_id", id) // as the requests' lines name it
	if err == nil {
		s.host.Log.InfoContext(ctx, "keys", fields...)
		return
	}
	level := slog.LevelWarn
	if fault.IsFailure(err) {
		level = slog.LevelError
	}
	s.host.Log.Log(ctx, level, "keys", append(fields, "error", err.Error())...)
}

func publicError(e *fault.Error) *Error {
	out := &Error{Type: e.Kind.Category().Type, Code: e.Code, Message: e.Message}
	if e.Kind == fault.Invalid {
		out.Details = &contract.ErrorDetails{FormErrors: []string{}, FieldErrors: map[string][]string{}}
		out.Details.FormErrors = append(out.Details.FormErrors, e.Form...)
		maps.Copy(out.Details.FieldErrors, e.Fields)
	}
	return out
}
