package gateway

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// fromOrigin reports whether the request came through the edge. It compares all
// secrets, by hash, so that its duration reveals nothing.
func (g *Gateway) fromOrigin(h http.Header) bool {
	sent := sha256.Sum256([]byte(h.Get("X-Origin-Secret")))
	found := 0
	for _, secret := range g.cfg.OriginSecrets {
		want := sha256.Sum256([]byte(secret))
		found |= subtle.ConstantTimeCompare(sent[:], want[:])
	}
	return len(g.cfg.OriginSecrets) == 0 || found == 1
}

// authorizationOf returns the Authorization header. Two are joined, so no key matches them.
func authorizationOf(sent http.Header) string {
	return strings.Join(sent.Values("Authorization"), ", ")
}

// admitRequest authenticates the caller's key, adds the rate headers, and checks what the
// key may do.
func (x *exchange) admitRequest() error {
	if x.route.Public() {
		return nil
	}
	ctx, cancel := context.WithTimeout(x.request.Context(), x.cfg.Budget)
	defer cancel()
	a, err := x.cfg.Authenticator.Authenticate(ctx, authorizationOf(x.request.Header), x.route.Tier, x.call.Now)
	x.call.Caller = a.Caller
	if a.Limit > 0 {
		tier := x.route.Tier
		left := strconv.Itoa(max(0, ceilSeconds(a.Reset.Sub(x.call.Now))))
		x.header.Set("X-RateLimit-Limit", strconv.Itoa(a.Limit))
		x.header.Set("X-RateLimit-Remaining", strconv.Itoa(a.Remaining))
		x.header.Set("X-RateLimit-Reset", left)
		x.header.Set("RateLimit-Policy", fmt.Sprintf("%q;q=%d;w=%d", tier.Name, a.Limit, contract.WindowSeconds))
		x.header.Set("RateLimit", fmt.Sprintf("%q;r=%d;t=%s", tier.Name, a.Remaining, left))
	}
	if err != nil {
		return err
	}
	return checkPermission(x.route.Route, a.Caller)
}

func checkPermission(r contract.Route, c apikey.Caller) error {
	if r.KeyType != contract.AnyKey && r.KeyType != c.Type {
		return fault.New(fault.Forbidden, contract.WrongKeyType,
			fmt.Sprintf("This endpoint is for %s keys; the key is of type %s.", r.KeyType, c.Type))
	}
	missing := slices.DeleteFunc(slices.Clone(r.Scopes), func(s contract.Scope) bool { return slices.Contains(c.Scopes, s) })
	if len(missing) == 0 {
		return nil
	}
	return fault.New(fault.Forbidden, contract.MissingScope,
		"The key lacks the scope "+strings.Join(contract.ConvertValues[string](missing), ", ")+". Create a key that has it.")
}

// ceilSeconds rounds up, so that a client that waits that long never retries early.
func ceilSeconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

// errOtherCaller ends a handler that began as another caller than the key turned out to have.
var errOtherCaller = errors.New("the key was changed since it was last counted")

// recallCaller returns the caller as which the handler may begin before the key is checked. ok is
// false if it has to wait: the handler does not begin early, the process has not seen the key
// pass, the key lacks a scope, or the body is still to be received.
func (x *exchange) recallCaller() (caller apikey.Caller, ok bool) {
	_, isWhole := x.request.Body.(StringBody) // it needs no reading and no turn
	isWhole = isWhole || x.request.Body == nil || x.request.Body == http.NoBody
	mayBegin := x.route.handler.early && !x.route.Public() && isWhole
	if !mayBegin {
		return caller, false
	}
	caller, ok = x.cfg.Authenticator.Recall(authorizationOf(x.request.Header), x.route.Tier, x.call.Now)
	return caller, ok && checkPermission(x.route.Route, caller) == nil
}

// serveEarly runs the handler as a caller that the process remembers, while the key is checked. What
// the handler returns is used only if the key passes and still has that caller. Otherwise the
// error is the refusal, or errOtherCaller for a request that is admitted and has to be served again.
// Nothing runs on when serveEarly returns, since a function may be frozen after its response.
func (x *exchange) serveEarly(remembered apikey.Caller, params map[string]string) (v any, err error) {
	ctx, cancel := context.WithCancel(x.request.Context())
	defer cancel()
	var refusal error
	checked := make(chan struct{}) // closed when refusal is known
	early := *x
	early.request = x.request.WithContext(ctx)
	early.header = http.Header{}
	early.call.Caller = remembered
	early.call.awaitCheck = func() error {
		<-checked
		return refusal
	}
	go func() {
		defer close(checked)
		refusal = x.admitAs(remembered)
		if refusal != nil {
			cancel()
		}
	}()
	defer func() { // after a panic too: it is reported only to a caller with a valid key
		<-checked
		if refusal != nil {
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
