// Package console serves the console of a system that runs on this machine, at the root of its
// listener: live requests, batches, queues, keys and sandbox submissions.
//
// What a page is shown of a request is what the log may hold (redact.go, capture.go, loglines.go): names, addresses,
// keys and texts are replaced by their length. Batches name people, which keys of their agencies can read as well
// (batches.go, agencies.go). A page submits and reads through the API like any other client, with a key that the run
// printed (keys.go), or one that it created or was given. The console stores no key.
//
// The console does what a request asks without knowing who sends it, so it takes requests of its
// own pages only (guard.go): the Host must be the listener's address, a change needs the same origin
// and the token of this process, which the page contains. Another program of this machine can read
// the page and so do what its user can do here; the keys of the demo's agencies give access to
// invented data only.
//
// Package local mounts it. No deployed function imports it, which local/testkit/archtest holds.
package console

import (
	"context"
	"crypto/rand"
	"embed"
	"errors"
	"html/template"
	"net"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/shared/agency/changefeed"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Config is what a console needs; every field but EnvFile is required.
type Config struct {
	// Host is the host of the system's functions.
	Host cloud.Host
	// Addr is where the system listens; it must be on loopback.
	Addr net.Addr
	// API serves every path that is not the console's.
	API http.Handler
	// Recorder has the system's log ([Recorder.Handler]) and is running.
	Recorder *Recorder
	// EnvFile is the file in which the run publishes its keys; "" if it has none.
	EnvFile string
}

// Console serves the console and, behind it, the API. It is an http.Handler.
type Console struct {
	config      Config
	address     string // host and port of the listener
	token       string
	keys        *keys.Service
	submissions *submission.Store
	network     *network.Store
	changes     *changefeed.Feed
	table       dynamo.Table // of submissions
	pages       *http.ServeMux
	api         http.Handler
}

//go:embed page
var pageFiles embed.FS

var pageTemplate = template.Must(template.ParseFS(pageFiles, "page/index.html"))

// New returns the console of a system. It fails if the address is not on loopback, or on a missing
// setting.
func New(ctx context.Context, config Config) (*Console, error) {
	if err := checkLoopback(config.Addr); err != nil {
		return nil, err
	}
	service, err := keys.New(ctx, config.Host)
	if err != nil {
		return nil, err
	}
	o := config.Host.Opener()
	c := &Console{
		config: config, address: config.Addr.String(), token: rand.Text(), keys: service,
		submissions: submission.Open(o), network: network.Open(o), changes: changefeed.Open(o),
		table: o.Table(topology.Submissions), api: config.Recorder.Capture(config.API),
	}
	c.pages = c.newPages()
	return c, o.Err()
}

// newPages returns the paths of the console. Paths that change something are those of POST; the list of changes
// gives numbers to those that nobody has read yet.
func (c *Console) newPages() *http.ServeMux {
	m := http.NewServeMux()
	m.HandleFunc("GET /{$}", c.servePage)
	reference := http.RedirectHandler(contract.BasePath+"/docs", http.StatusFound)
	m.Handle("GET /docs", reference)
	m.Handle("GET /console/explorer", reference) // its former place; browsers keep the fragment
	m.HandleFunc("GET /console/assets/{file}", c.serveAsset)
	m.HandleFunc("GET /console/events", c.serveEvents)
	m.HandleFunc("GET /console/data/start", answer(c.describeStart))
	m.HandleFunc("GET /console/data/keys", answer(c.listKeys))
	m.HandleFunc("GET /console/data/batches", answer(c.listBatches))
	m.HandleFunc("GET /console/data/batches/{batch}", answer(c.readBatch))
	m.HandleFunc("GET /console/data/people", answer(c.listPeople))
	m.HandleFunc("GET /console/data/people/{member}", answer(c.readMember))
	m.HandleFunc("GET /console/data/changes", answer(c.listChanges))
	m.HandleFunc("GET /console/data/queues", answer(c.listQueues))
	m.HandleFunc("POST /console/keys/create", answerTo(c.createKey))
	m.HandleFunc("POST /console/keys/revoke", answerTo(c.revokeKey))
	m.HandleFunc("POST /console/keys/run", answer(c.readRunKeys))
	m.HandleFunc("POST /console/resume", answerTo(c.readResume))
	m.HandleFunc("POST /console/letters/list", answerTo(c.listLetters))
	m.HandleFunc("POST /console/letters/redrive", answerTo(c.redriveLetters))
	m.HandleFunc("POST /console/letters/remove", answerTo(c.removeLetter))
	m.HandleFunc("POST /console/letters/example", answer(c.sendExample))
	m.HandleFunc("POST /console/reset", answerTo(c.resetAgency))
	return m
}

// ServeHTTP implements http.Handler.
func (c *Console) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !ownsPath(r.URL.Path) {
		c.api.ServeHTTP(w, r)
		return
	}
	setPageHeaders(w.Header())
	if !c.redirectLocalhost(w, r) && c.admit(w, r) {
		c.pages.ServeHTTP(w, r)
	}
}

func (c *Console) servePage(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Security-Policy", pagePolicy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = pageTemplate.Execute(w, map[string]string{"Token": c.token}) // the client may have gone
}

func (c *Console) serveAsset(w http.ResponseWriter, r *http.Request) {
	http.ServeFileFS(w, r, pageFiles, "page/"+r.PathValue("file"))
}

// answer returns a handler that answers in JSON: with the result of do, or its error.
func answer(do func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		value, err := do(r)
		status := http.StatusOK
		if err != nil {
			status, value = describeError(err)
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.MarshalWrite(w, value, json.Deterministic(true)) // the client may have gone
	}
}

// answerTo is [answer] for a request with a body in JSON.
func answerTo[T any](do func(*http.Request, T) (any, error)) http.HandlerFunc {
	return answer(func(r *http.Request) (any, error) {
		var in T
		if err := json.UnmarshalRead(r.Body, &in); err != nil {
			return nil, &fault.Error{Kind: fault.Invalid, Message: "The request body is not valid for this console.", Cause: err}
		}
		return do(r, in)
	})
}

// problem is the body of an error.
type problem struct {
	Message string `json:"message"`
}

// describeError returns the status and the body of an error. The developer sees its cause.
func describeError(err error) (int, problem) {
	if _, isTooLarge := errors.AsType[*http.MaxBytesError](err); isTooLarge {
		return http.StatusRequestEntityTooLarge, problem{"The file is too large."}
	}
	e := fault.As(err)
	text := e.Message
	for _, problems := range e.Fields {
		for _, p := range problems {
			text += " " + p
		}
	}
	if e.Kind == fault.Internal {
		text = err.Error()
	}
	return e.Kind.Category().Status, problem{text}
}
