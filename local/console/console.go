// Package console serves the console of a system that runs on this machine, at the root of its
// listener: live requests, batches, queues, keys and sandbox submissions.
//
// What a page is shown of a request is what the log may hold (capture.go, recorder.go): names, addresses,
// keys and texts are replaced by their length. Batches name people, which keys of their agencies can read as well
// (agencies.go). A page submits and reads through the API like any other client, with a key that the run
// printed (keys.go), or one that it created or was given. The console stores no key.
//
// The console does what a request asks without knowing who sends it, so it takes requests of its own pages
// only (admit): the Host must be the listener's address, a change needs the same origin and the token of this
// process, which the page contains. Another program of this machine can read the page and so do what its user
// can do here; the keys of the demo's agencies give access to invented data only.
//
// Package local mounts it. No deployed function imports it, which local/testkit/archtest holds.
package console

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"net"
	"net/http"
	"slices"
	"strings"

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
	Host     cloud.Host   // of the system's functions
	Addr     net.Addr     // where the system listens; it must be on loopback
	API      http.Handler // serves every path that is not the console's
	Recorder *Recorder    // a handler of the system's log, which is running
	EnvFile  string       // the file in which the run publishes its keys; "" if it has none
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

// New returns the console of a system. It fails if the address is not on loopback, or on a missing setting.
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
	m.HandleFunc("GET /console/assets/{file}", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, pageFiles, "page/"+r.PathValue("file"))
	})
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
	path := r.URL.Path
	isOwn := path == "/" || path == "/docs" || path == "/console" || strings.HasPrefix(path, "/console/")
	if !isOwn {
		c.api.ServeHTTP(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'") // a page sets another one
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	_, port, _ := net.SplitHostPort(c.address)
	if r.Host == net.JoinHostPort("localhost", port) && r.Method == http.MethodGet { // so that there is one origin
		http.Redirect(w, r, "http://"+c.address+r.URL.EscapedPath(), http.StatusFound)
		return
	}
	if c.admit(w, r) {
		c.pages.ServeHTTP(w, r)
	}
}

func (c *Console) servePage(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Security-Policy", pagePolicy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = pageTemplate.Execute(w, map[string]string{"Token": c.token}) // the client may have gone
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

// describeError returns the status and the body of an error. The developer sees its cause.
func describeError(err error) (status int, body map[string]string) {
	if _, isTooLarge := errors.AsType[*http.MaxBytesError](err); isTooLarge {
		return http.StatusRequestEntityTooLarge, map[string]string{"message": "The file is too large."}
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
	return e.Kind.Status, map[string]string{"message": text}
}

// tokenHeader carries the token of this process with each change. A page of another origin can
// neither read the token nor send a header of its own without a preflight, which nothing answers.
const tokenHeader = "X-Console-Token"

// maxSent bounds the body of a request to the console: a resume in base64.
const maxSent = 13 << 20

// pagePolicy lets a page load and run nothing but the console's own files, and connect to nothing
// else. Trusted types make the browser refuse text as markup.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

func checkLoopback(address net.Addr) error {
	tcp, ok := address.(*net.TCPAddr)
	if !ok || !tcp.IP.IsLoopback() {
		return fmt.Errorf("the console serves loopback only, not %s", address)
	}
	return nil
}

// admit reports whether a request comes from this console's own pages, or is for a page, and answers all others.
func (c *Console) admit(w http.ResponseWriter, r *http.Request) bool {
	// A browser says when a page of another site sends the request. Only pages, which hold nothing that the sender could read, may be
	// opened from elsewhere.
	isOwn := slices.Contains([]string{"", "same-origin", "none"}, r.Header.Get("Sec-Fetch-Site"))
	isPage := r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Method == http.MethodGet && !strings.HasPrefix(r.URL.Path, "/console/data/")
	isForeign := !isOwn && !isPage
	refusal := ""
	status := http.StatusForbidden
	switch {
	case r.Host != c.address: // a name that an attacker's page has made to lead here
		refusal = "The console is at http://" + c.address + "/ only."
		status = http.StatusMisdirectedRequest
	case isForeign || http.NewCrossOriginProtection().Check(r) != nil: // of which the second lets each GET pass
		refusal = "The console accepts requests from its own pages only."
	case r.Method == http.MethodGet || r.Method == http.MethodHead:
	case subtle.ConstantTimeCompare([]byte(r.Header.Get(tokenHeader)), []byte(c.token)) != 1:
		refusal = "The console was restarted; reload the page."
	}
	if refusal != "" {
		http.Error(w, refusal, status)
		return false
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxSent)
	return true
}
