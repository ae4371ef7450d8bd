// Package mcp serves the API to assistants by the Model Context Protocol: one tool for each route that
// the keys allow, generated from the table of routes, and the enumerations and the reference as
// resources. Package sdk is the protocol's own; this package knows the client and the contract.
//
// What a tool returns is the JSON of the API, errors included. Arguments are checked before they are
// sent, by the API's own rules, and unknown ones are refused. Files are sent by path, from
// directories that were allowed.
package mcp

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/decode"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// Options says what a server offers.
type Options struct {
	Clients     []*client.Client // with a key each; a route that several keys allow uses the first of them
	Write       bool             // the tools that change something, too
	Directories []string         // full paths of those with files, at any depth, that may be sent as resumes
}

//go:embed instructions.txt
var instructions string

// New returns a server. It asks the API what each key may do.
func New(ctx context.Context, o Options) (*sdk.Server, error) {
	var files directories
	for _, path := range o.Directories {
		root, err := os.OpenRoot(path)
		if err != nil {
			return nil, fmt.Errorf("--allow: %w", err)
		}
		files = append(files, root)
	}
	var keys []contract.Identity
	var principals []string
	for _, c := range o.Clients {
		who, err := c.Identity(ctx)
		if err != nil {
			return nil, fmt.Errorf("reading what the key may do: %w", err)
		}
		keys = append(keys, who)
		principals = append(principals, fmt.Sprintf("%s (environment %s)", who.Principal, who.Environment))
	}
	text := instructions + "The tools act for: " + strings.Join(principals, ", ") + "."
	if len(keys) > 1 {
		text += " The tool identity describes the first."
	}
	if !o.Write {
		text += " No tool changes anything: for that, the user has to start the server with --write."
	}
	server := sdk.NewServer(&sdk.Implementation{Name: "recruiting", Title: "Recruiting Marketplace", Version: "1"},
		&sdk.ServerOptions{Instructions: text, Capabilities: &sdk.ServerCapabilities{}})
	added := map[string]bool{}
	for i, c := range o.Clients {
		for _, r := range contract.Routes {
			if !added[r.Operation] && offers(r, keys[i], o.Write) {
				added[r.Operation] = true
				t := tool{route: r, client: c, files: files}
				server.AddTool(t.describe(), t.call)
			}
		}
	}
	if len(o.Clients) > 0 {
		addResources(server, o.Clients[0])
	}
	return server, nil
}

// offers reports whether a key gets a tool for a route. Public routes have none: the reference is a resource.
func offers(r contract.Route, who contract.Identity, write bool) bool {
	ofKey := r.KeyType == contract.AnyKey || r.KeyType.Principal() == who.Principal
	for _, scope := range r.Scopes {
		ofKey = ofKey && slices.Contains(who.Scopes, scope)
	}
	isWanted := write || !isWrite(r)
	return ofKey && isWanted && !r.Public()
}

// isWrite reports whether a route changes something: lookups are POST requests, but of the tier for reading.
func isWrite(r contract.Route) bool { return r.Tier == contract.WriteTier }

// Listen listens on an address of this machine only: it serves with the user's keys.
func Listen(address string) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	if tcp, ok := listener.Addr().(*net.TCPAddr); !ok || !tcp.IP.IsLoopback() {
		_ = listener.Close()
		return nil, fmt.Errorf("%s can be reached from other machines; use 127.0.0.1", address)
	}
	return listener, nil
}

// ServeHTTP serves streamable HTTP until the context ends. It accepts requests that name the listener's
// address, and none of the page of another site: a browser would send them for any page, after a name of
// that page was made to lead here (DNS rebinding).
func ServeHTTP(ctx context.Context, listener net.Listener, server *sdk.Server) error {
	stream := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, nil)
	address := listener.Addr().String()
	_, port, _ := net.SplitHostPort(address)
	hosts := []string{address, net.JoinHostPort("localhost", port)}
	handle := func(w http.ResponseWriter, r *http.Request) {
		origin := r.Header.Get("Origin")
		switch {
		case !slices.Contains(hosts, r.Host):
			http.Error(w, "The server is at http://"+address+"/ only.", http.StatusMisdirectedRequest)
		case origin != "" && origin != "http://"+r.Host:
			http.Error(w, "The server accepts no requests of web pages.", http.StatusForbidden)
		default:
			stream.ServeHTTP(w, r)
		}
	}
	s := &http.Server{Handler: http.HandlerFunc(handle), ReadHeaderTimeout: time.Minute}
	defer context.AfterFunc(ctx, func() { _ = s.Close() })()
	if err := s.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

const referenceURI = "recruiting://reference"

func addResources(server *sdk.Server, c *client.Client) {
	server.AddResource(&sdk.Resource{
		URI: "recruiting://enumerations", Name: "enumerations", MIMEType: "application/json",
		Description: "All values of enumerated arguments and fields, with display names.",
	}, resource("application/json", func(ctx context.Context, _ string) (string, error) {
		out, err := c.Enumerations(ctx)
		return string(encode(out)), err
	}))
	server.AddResource(&sdk.Resource{
		URI: referenceURI, Name: "reference", MIMEType: "text/markdown",
		Description: "The reference of the API: every endpoint, its arguments, rules and errors. It is long.",
	}, resource("text/markdown", func(ctx context.Context, _ string) (string, error) { return c.Reference(ctx) }))
	server.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: referenceURI + "/{section}", Name: "section of the reference", MIMEType: "text/markdown",
		Description: "A section of the reference: that of a tool, by its name, or that of a heading, as item-errors.",
	}, resource("text/markdown", func(ctx context.Context, uri string) (string, error) {
		text, err := c.Reference(ctx)
		if err != nil {
			return "", err
		}
		return readSection(text, uri)
	}))
}

var heading = regexp.MustCompile(`(?m)^(##+) (.+)$`)

// readSection returns the section that an URI names, with those below it. In a heading's name hyphens and
// spaces are the same: no URI has spaces.
func readSection(text, uri string) (string, error) {
	name, err := url.PathUnescape(strings.TrimPrefix(uri, referenceURI+"/"))
	if err != nil {
		return "", sdk.ResourceNotFoundError(uri)
	}
	begin := -1
	level := 0
	for _, m := range heading.FindAllStringSubmatchIndex(text, -1) {
		depth := m[3] - m[2]
		switch {
		case begin >= 0 && depth <= level:
			return text[begin:m[0]], nil
		case begin < 0 && strings.EqualFold(strings.ReplaceAll(text[m[4]:m[5]], " ", "-"), strings.ReplaceAll(name, " ", "-")):
			begin = m[0]
			level = depth
		}
	}
	if begin < 0 {
		return "", sdk.ResourceNotFoundError(uri)
	}
	return text[begin:], nil
}

func resource(mimeType string, read func(ctx context.Context, uri string) (string, error)) sdk.ResourceHandler {
	return func(ctx context.Context, request *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		text, err := read(ctx, request.Params.URI)
		if err != nil {
			return nil, err
		}
		content := &sdk.ResourceContents{URI: request.Params.URI, MIMEType: mimeType, Text: text}
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{content}}, nil
	}
}

type tool struct {
	route  contract.Route
	client *client.Client
	files  directories
}

func (t tool) describe() *sdk.Tool {
	r := t.route
	text := fmt.Sprintf("%s (%s %s", r.Summary, r.Method, r.Path)
	if r.KeyType != contract.AnyKey {
		text += fmt.Sprintf(", with the %s key", r.KeyType)
	}
	text += ")"
	if r.Input == reflect.TypeFor[contract.BatchRequest]() {
		text += fmt.Sprintf(" Waits up to %d seconds for items that are queued or processing.", int(longestWait.Seconds()))
	}
	return &sdk.Tool{
		Name: r.Operation, Description: text, InputSchema: t.files.inputSchema(r),
		Annotations: &sdk.ToolAnnotations{ReadOnlyHint: !isWrite(r), IdempotentHint: r.Method == http.MethodPut},
	}
}

// call is an [sdk.ToolHandler].
func (t tool) call(ctx context.Context, request *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	in, err := t.input(request.Params.Arguments)
	var out json.RawMessage
	if err == nil {
		out, err = t.send(ctx, in)
	}
	if err != nil {
		return failure(err), nil
	}
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(out)}}}, nil
}

// input returns the arguments as a value of the route's input type; nil if it has none.
func (t tool) input(sent json.RawMessage) (any, error) {
	arguments := map[string]any{}
	decoder := json.NewDecoder(bytes.NewReader(sent))
	decoder.UseNumber() // numbers stay as they were written
	if len(sent) > 0 && decoder.Decode(&arguments) != nil {
		return nil, errors.New("the arguments must be an object")
	}
	if err := t.files.prepareFields("", argumentsOf(t.route), arguments); err != nil {
		return nil, err
	}
	if t.route.Input == nil {
		return nil, nil
	}
	in := reflect.New(t.route.Input)
	_, err := decode.Into(requestOf(t.route, arguments), contract.SchemaOf(t.route.Input), in)
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
		refused = &client.Error{
			Status: wrong.Kind.Status, Type: wrong.Kind.Type,
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
