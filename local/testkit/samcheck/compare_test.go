package samcheck

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// attempts is how often an event is compared: the first time, it may change what it reads.
const attempts = 4

// checkEvent invokes the event of a file, and compares the answer to an HTTP event with the local system's.
func (s *scene) checkEvent(ctx context.Context, file string) error {
	event, err := s.readEvent(file)
	if err != nil {
		return err
	}
	var request events.APIGatewayV2HTTPRequest
	if err := json.Unmarshal(event, &request); err != nil || request.RawPath == "" {
		return s.checkWorker(ctx, file, event)
	}
	for i := 1; ; i++ {
		err := s.compare(ctx, file, request, event)
		if err == nil || i == attempts {
			return err
		}
		time.Sleep(time.Second)
	}
}

// compare sends an HTTP event to the local system and to its function.
func (s *scene) compare(ctx context.Context, file string, request events.APIGatewayV2HTTPRequest, event []byte) error {
	status, body, err := s.sendToSystem(ctx, request)
	if err != nil {
		return err
	}
	text, err := s.invoke(ctx, functionOf(file), event)
	if err != nil {
		return err
	}
	var answer events.APIGatewayV2HTTPResponse
	if err := json.Unmarshal(text, &answer); err != nil {
		return fmt.Errorf("%s is no answer: %w", text, err)
	}
	got := []byte(answer.Body)
	if answer.IsBase64Encoded {
		got, err = base64.StdEncoding.DecodeString(answer.Body)
		if err != nil {
			return err
		}
	}
	diff := cmp.Diff(withoutVolatile(body), withoutVolatile(got))
	if answer.StatusCode != status || diff != "" {
		return fmt.Errorf("got status %d, want %d; the body (-want +got):\n%s", answer.StatusCode, status, diff)
	}
	return nil
}

// sendToSystem sends the request of an event to the local system.
func (s *scene) sendToSystem(ctx context.Context, event events.APIGatewayV2HTTPRequest) (status int, body []byte, err error) {
	address, err := url.Parse(s.base)
	if err != nil {
		return 0, nil, err
	}
	address.Path = event.RawPath
	address.RawQuery = event.RawQueryString
	request, err := http.NewRequestWithContext(ctx, event.RequestContext.HTTP.Method, address.String(), strings.NewReader(event.Body))
	if err != nil {
		return 0, nil, err
	}
	for name, value := range event.Headers {
		request.Header.Set(name, value)
	}
	return send(request)
}

// send sends a request, and follows no redirect.
func send(request *http.Request) (status int, body []byte, err error) {
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err = io.ReadAll(response.Body)
	return response.StatusCode, body, err
}

// checkWorker invokes the event of a worker, which must not fail.
func (s *scene) checkWorker(ctx context.Context, file string, event []byte) error {
	text, err := s.invoke(ctx, functionOf(file), event)
	if err != nil {
		return err
	}
	var answer struct {
		BatchItemFailures []any
		Error             any
		ErrorMessage      string
		Passed            *bool // of the canary
		Key               *struct{ ID string }
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return fmt.Errorf("%s is no answer: %w", text, err)
	}
	failed := answer.Error != nil || answer.ErrorMessage != "" || len(answer.BatchItemFailures) > 0
	if failed || answer.Passed != nil && !*answer.Passed {
		return fmt.Errorf("got %s", text)
	}
	if answer.Key != nil { // the next events are about it
		s.values["KEY_ID"] = answer.Key.ID
	}
	return nil
}

// invoke invokes a function and returns its answer.
func (s *scene) invoke(ctx context.Context, function string, event []byte) ([]byte, error) {
	address := *lambdaAddress + "/2015-03-31/functions/" + strings.ToUpper(function[:1]) + function[1:] + "/invocations"
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(event))
	if err != nil {
		return nil, err
	}
	status, text, err := send(request)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("status %d: %s", status, text)
	}
	return text, err
}

// functionOf returns the name of the function that an event is for, by the event's name (events/README.md).
func functionOf(file string) string {
	name, _, _ := strings.Cut(filepath.Base(file), ".")
	i := slices.IndexFunc(contract.Routes, func(r contract.Route) bool { return r.Operation == name })
	switch {
	case i >= 0:
		return string(contract.Routes[i].Function)
	case strings.HasSuffix(name, "Route") || strings.HasSuffix(name, "Path"): // those without a route
		return string(contract.Platform)
	}
	return name
}

var volatile = regexp.MustCompile(`"(request_id|nextCursor)":"[^"]*"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)

// withoutVolatile returns a body without request ids, times and cursors, which contain times.
func withoutVolatile(body []byte) string { return volatile.ReplaceAllString(string(body), "VOLATILE") }
