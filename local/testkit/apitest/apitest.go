// Package apitest calls a function as its callers do, over HTTP and with a key, and
// reads the responses. The tests of functions share it. It opens no function and
// creates no accounts.
package apitest

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

// CreateKey creates a key of environment test, as the app does, with all scopes of its
// type unless some are given.
func CreateKey(t testing.TB, host cloud.Host, kind contract.KeyType, principal, actor string, scopes ...contract.Scope) string {
	t.Helper()
	if len(scopes) == 0 {
		scopes = kind.Scopes()
	}
	service, err := keys.New(t.Context(), host)
	if err != nil {
		t.Fatal(err)
	}
	out, err := service.Handle(t.Context(), keys.Request{
		Action: keys.Create, Type: kind, Principal: principal, Actor: actor, Name: "test", Environment: "test", Scopes: scopes,
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.Secret
}

// Response is a response with its body read.
type Response struct {
	Status int
	Header http.Header
	Body   string
}

// Send sends a request to a path below the base path, with the body in the form in which Lambda's
// events have it. headers are alternately names and values.
func Send(ctx context.Context, h http.Handler, key, method, path, body string, headers ...string) Response {
	r := httptest.NewRequestWithContext(ctx, method, contract.BasePath+path, http.NoBody)
	if body != "" {
		r.Body = gateway.NewStringBody(body)
		r.ContentLength = int64(len(body))
	}
	r.Header.Set("Authorization", "Bearer "+key)
	for pair := range slices.Chunk(headers, 2) {
		r.Header.Set(pair[0], pair[1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return Response{w.Code, w.Header(), w.Body.String()}
}

// DecodeOK returns the decoded body of a response that must be a 200.
func DecodeOK[T any](t testing.TB, a Response) (v T) {
	t.Helper()
	if a.Status != http.StatusOK {
		t.Fatalf("got status %d: %s", a.Status, a.Body)
	}
	if err := json.Unmarshal([]byte(a.Body), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// CheckError checks the status and code of a refusal and the fields in its details.
func (a Response) CheckError(t testing.TB, status int, code contract.Code, fields ...string) {
	t.Helper()
	var e contract.ErrorEnvelope
	err := json.Unmarshal([]byte(a.Body), &e)
	if err != nil || a.Status != status || e.Error.Code != code {
		t.Errorf("got %d %s, want %d %s", a.Status, a.Body, status, code)
		return
	}
	for _, field := range fields {
		if e.Error.Details == nil || e.Error.Details.FieldErrors[field] == nil {
			t.Errorf("%s does not name %s", a.Body, field)
		}
	}
}

// Company is a drawn company.
type Company struct {
	Name string // in a shape that names of companies have
	Word string // the distinctive word of the name, which no other drawn company has
	Form string // another form of the name, as texts have it
}

// DrawCompanies returns n companies with invented names, the same ones for the same n.
func DrawCompanies(n int) []Company {
	r := rand.New(rand.NewPCG(32, uint64(n)))
	pick := func(parts ...string) string { return parts[r.IntN(len(parts))] }
	companies := make([]Company, n)
	for i := range companies {
		word := pick("Zq", "Xv", "Qz", "Vx") + pick("a", "o", "u") + pick("rn", "lk", "mb", "x") + string(rune('a'+i%26))
		word += pick("eph", "ung", "ilt", "ox") + string(rune('a'+i/26%26))
		name := pick("%s", "%s Inc.", "%s GmbH", "%s S.A.", "%s Labs", "%s.ai", "%s & Co", "%s Systems Group, LLC", "The %s Company", "Global %s",
			"%s Health AI Ltd.", "%s Technologies B.V.", "Studio %s", "%s & Sons", "%s-Data")
		form := pick("%s", "%sPay", "get%s", "%sLife", "My%s", "%ser", "%sdb", "#%s", "@%shq", "%s’s")
		companies[i] = Company{Name: fmt.Sprintf(name, word), Word: word, Form: fmt.Sprintf(form, word)}
	}
	return companies
}
