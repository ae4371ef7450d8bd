package gateway

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"reflect"
	"runtime/debug"

	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// errOtherCaller ends a handler that began as another caller than the key turned out to have.
var errOtherCaller = errors.New("the key was changed since it was last counted")

// admission is the check of a key beside which the handler runs.
type admission struct {
	done chan struct{}
	// err is set before done is closed.
	err error
}

func (a *admission) await() error {
	<-a.done
	return a.err
}

// recallCaller returns the caller as which the handler may begin before the key is checked. ok is
// false if it has to wait: the handler does not begin early, the process has not seen the key
// pass, the key lacks a scope, or the body is still to be received.
func (x *exchange) recallCaller() (caller apikey.Caller, ok bool) {
	mayBegin := x.route.handler.early && !x.route.Public() && hasWholeBody(x.request)
	if !mayBegin {
		return caller, false
	}
	caller, ok = x.cfg.Authenticator.Recall(authorizationOf(x.request.Header), x.route.Tier, x.call.Now)
	return caller, ok && checkPermission(x.route.Route, caller) == nil
}

// hasWholeBody reports whether the body needs no reading and no turn.
func hasWholeBody(r *http.Request) bool {
	_, isString := r.Body.(StringBody)
	return isString || r.Body == nil || r.Body == http.NoBody
}

// serveEarly runs the handler as a caller that the process remembers, while the key is checked. What
// the handler returns is used only if the key passes and still has that caller. Otherwise the
// error is the refusal, or errOtherCaller for a request that is admitted and has to be served again.
// Nothing runs on when serveEarly returns, since a function may be frozen after its response.
func (x *exchange) serveEarly(remembered apikey.Caller, params map[string]string) (v any, err error) {
	ctx, cancel := context.WithCancel(x.request.Context())
	defer cancel()
	gate := &admission{done: make(chan struct{})}
	early := *x
	early.request = x.request.WithContext(ctx)
	early.header = http.Header{}
	early.call.Caller = remembered
	early.call.gate = gate
	go func() {
		defer close(gate.done)
		gate.err = x.admitAs(remembered)
		if gate.err != nil {
			cancel()
		}
	}()
	defer func() { // after a panic too: it is reported only to a caller with a valid key
		if refusal := gate.await(); refusal != nil {
			_ = recover()
			v = nil
			err = refusal
			return
		}
		x.call = early.call
		maps.Copy(x.header, early.header)
	}()
	return early.serveAdmitted(params)
}

// admitAs checks the key and returns errOtherCaller unless it still has the remembered caller. It
// runs in a goroutine of its own, so a panic has to end as an error.
func (x *exchange) admitAs(remembered apikey.Caller) (err error) {
	defer func() {
		if v := recover(); v != nil {
			x.stack = debug.Stack()
			err = cloud.Panicked(v)
		}
	}()
	if err := x.admitRequest(); err != nil {
		return err
	}
	if !reflect.DeepEqual(x.call.Caller, remembered) {
		return errOtherCaller
	}
	return nil
}
