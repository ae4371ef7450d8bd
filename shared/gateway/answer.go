package gateway

import (
	"net/http"
	"strconv"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// response is a response before it is written.
type response struct {
	status int
	body   []byte
}

// genericMessage is all that a caller sees of an internal error.
var genericMessage = fault.As(nil).Message

// newEnvelope returns the body of an error. It leaves out a code that is not
// published with that status, so that none appears by accident.
func newEnvelope(e *fault.Error, requestID string) contract.ErrorEnvelope {
	category := e.Kind.Category()
	body := contract.ErrorBody{Type: category.Type, Message: e.Message, RequestID: requestID}
	if e.Kind == fault.Internal {
		body.Message = genericMessage
	}
	if contract.Codes[e.Code] == category.Status {
		body.Code = e.Code
	}
	if e.Kind == fault.Invalid && (e.Fields != nil || e.Form != nil) {
		body.Details = &contract.ErrorDetails{FormErrors: e.Form, FieldErrors: e.Fields}
	}
	return contract.ErrorEnvelope{Error: body}
}

// answerError returns the response of an error and keeps the error for the log line.
func (x *exchange) answerError(err error) response {
	e := fault.As(err)
	if e.Kind != e.Kind.Category().Kind { // a number that is not a kind
		e = fault.As(nil).Because(err)
	}
	x.failure = e
	body, encodeErr := Encode(newEnvelope(e, x.call.RequestID))
	if encodeErr != nil { // an envelope holds strings only
		panic(encodeErr)
	}
	if e.Kind == fault.Unauthenticated {
		x.header.Set("WWW-Authenticate", "Bearer")
	}
	if wait := e.RetryAfter; wait > 0 {
		if e.Kind == fault.Unavailable {
			wait = spreadWait(wait)
		}
		x.header.Set("Retry-After", strconv.Itoa(ceilSeconds(wait)))
	}
	setJSONHeaders(x.header, x.call.RequestID)
	return response{e.Kind.Category().Status, body}
}

// answerValue returns the response of a handler's value.
func (x *exchange) answerValue(v any) response {
	if page, ok := v.(Page); ok {
		return x.answerPage(page)
	}
	body, err := Encode(v)
	if err != nil {
		return x.answerError(err)
	}
	x.addCallHeaders()
	setJSONHeaders(x.header, x.call.RequestID)
	return response{http.StatusOK, x.encodeContent(body)}
}

// addCallHeaders adds the handler's own headers; an error response has none of them.
func (x *exchange) addCallHeaders() {
	for name, values := range x.call.header {
		x.header[name] = values
	}
}

// setJSONHeaders sets the headers of every response in JSON.
func setJSONHeaders(h http.Header, requestID string) {
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Request-Id", requestID)
}

// answerTooLarge returns the one response without envelope and request id.
func (x *exchange) answerTooLarge() response {
	x.header.Set("Content-Type", "text/plain; charset=utf-8")
	x.header.Set("Cache-Control", "no-store")
	x.header.Set("X-Content-Type-Options", "nosniff")
	return response{http.StatusRequestEntityTooLarge, []byte("The request body is over 12 MB.\n")}
}
