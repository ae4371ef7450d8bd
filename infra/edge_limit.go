package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

//go:embed limit.js
var limitSource string

const (
	// maxHeadBytes is the size of the request line and headers above which the edge responds with
	// 431. API Gateway does so above 10,240 bytes, which include up to 1 KB of headers that
	// CloudFront adds.
	maxHeadBytes = 9216
	// maxLambdaBytes is the length of an upload up to which Lambda serves it: in base64, as API
	// Gateway passes bodies of no text type, 4 MB are within the 6 MB of an event.
	maxLambdaBytes = 4 << 20
	// apiOriginID names the API among the origins of CloudFront.
	apiOriginID = "api"
)

func (s Stage) limitCode() string {
	environments := strings.Split(s.servedEnvironments(), ",")
	const largeHead = "The request line and the headers are over 9 KB. Send less."
	return strings.NewReplacer(
		"MAX_BODY_BYTES", strconv.Itoa(contract.MaxBodyBytes), "MAX_HEAD_BYTES", strconv.Itoa(maxHeadBytes),
		"MAX_LAMBDA_BYTES", strconv.Itoa(maxLambdaBytes), "API_ORIGIN", apiOriginID,
		"UPLOAD_PATHS", encodeJSON(s.uploadPaths()), "KEYED_ROUTES", keyedRoutes(),
		"ENVIRONMENTS", encodeJSON(environments),
		"HEAD_ENVELOPE", edgeEnvelope(fault.Invalid, contract.NoCode, largeHead),
		"NO_KEY_ENVELOPE", keyEnvelope(""), "WRONG_KEY_ENVELOPE", keyEnvelope("Bearer x"),
	).Replace(limitSource)
}

// keyEnvelope returns the body with which the functions respond to an Authorization header without
// a possible key. They read no table for that, and none is given.
func keyEnvelope(authorization string) string {
	checker := apikey.NewChecker(dynamo.Table{}, nil)
	_, err := checker.Authenticate(context.Background(), authorization, contract.DefaultTier, time.Time{})
	e := fault.As(err)
	return edgeEnvelope(e.Kind, e.Code, e.Message)
}

// keyedRoutes returns a regular expression, in JavaScript, for method and path of the requests that
// need a key. Other requests are left to the API, which responds to unknown paths with 404.
func keyedRoutes() string {
	var all []string
	for _, r := range contract.Routes {
		if !r.Public() {
			path := parameter.ReplaceAllString(contract.BasePath+r.Path, "[^/]+")
			all = append(all, r.Method+" "+strings.ReplaceAll(path, "/", `\/`))
		}
	}
	// [^/] is a character class, in which JavaScript needs no escape.
	return "/^(" + strings.ReplaceAll(strings.Join(all, "|"), `[^\/]+`, "[^/]+") + ")$/"
}

var parameter = regexp.MustCompile(`\{[^}]+\}`)

// uploadPaths returns the paths of the operations with large bodies; none if the stage has no
// container for them. A behaviour matches by path alone, so the container serves every method on
// them.
func (s Stage) uploadPaths() []string {
	paths := []string{}
	if s.Uploads {
		for _, operation := range topology.UploadOperations {
			paths = append(paths, contract.BasePath+contract.FindRoute(operation).Path)
		}
	}
	return paths
}

// edgeRequestID is the request id of all responses of the firewall, which cannot generate ids. The
// CloudFront function replaces it.
const edgeRequestID = "edge"

// edgeEnvelope returns the body of an error response of the edge itself.
func edgeEnvelope(kind fault.Kind, code contract.Code, message string) string {
	return encodeJSON(contract.ErrorEnvelope{Error: contract.ErrorBody{
		Type: kind.Category().Type, Code: code, RequestID: edgeRequestID, Message: message,
	}})
}

func encodeJSON(v any) string {
	text, _ := json.Marshal(v) // of strings only
	return string(text)
}
