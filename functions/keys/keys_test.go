package keys_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// testService is the function, the checker of its keys, and what they share.
type testService struct {
	*keys.Service
	checker  *apikey.Checker
	accounts *account.Store
	log      *bytes.Buffer
}

func newTestService(t *testing.T) testService {
	t.Helper()
	var log bytes.Buffer
	host := cloudtest.Host(t, map[string]string{"KEY_ENVIRONMENTS": "live, test"}, func() time.Time { return start })
	host.Log = slog.New(slog.NewJSONHandler(&log, nil))
	service, err := keys.New(t.Context(), host)
	if err != nil {
		t.Fatal(err)
	}
	table := host.Opener().Table(topology.Accounts)
	s := testService{service, apikey.NewChecker(table, []string{"live", "test"}), account.NewStore(table, dynamo.New(host.AWS).WriteTx), &log}
	s.putAgency(t, 1, true)
	return s
}

// putAgency stores a version of the one agency, with API access or without.
func (s testService) putAgency(t *testing.T, version int64, access bool) {
	t.Helper()
	agency := demo.Agency{
		Agency:  account.Agency{ID: "agency-1", Name: "Example Search", APIAccess: access, TalentNetworkAccess: true, PrimaryOwner: "owner"},
		Members: []account.Member{{ID: "owner", Name: "Olga Owner", Email: "olga@example.com", Owner: true, Approved: true}},
	}
	if err := agency.Apply(t.Context(), s.accounts, version); err != nil {
		t.Fatal(err)
	}
}

func newCreation() keys.Request {
	return keys.Request{
		Action: keys.Create, Type: contract.AgencyKey, Principal: "agency-1", Actor: "owner",
		Name: "Nightly import", Scopes: []contract.Scope{contract.IdentityRead}, Environment: "test",
	}
}

func (s testService) mustHandle(t *testing.T, in keys.Request) keys.Response {
	t.Helper()
	out, err := s.Handle(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (s testService) authenticate(t *testing.T, secret string) contract.Code {
	t.Helper()
	_, err := s.checker.Authenticate(t.Context(), "Bearer "+secret, contract.DefaultTier, start)
	if err == nil {
		return ""
	}
	return fault.As(err).Code
}

func TestLifeOfAKey(t *testing.T) {
	t.Parallel()
	s := newTestService(t)
	created := s.mustHandle(t, newCreation())
	want := keys.Key{
		ID: created.Key.ID, Name: "Nightly import", Type: contract.AgencyKey, Principal: "agency-1", Status: keys.Active,
		Scopes: []contract.Scope{contract.IdentityRead, contract.TalentNetworkRead}, Environment: "test",
		Last4:     created.Secret[len(created.Secret)-4:],
		CreatedBy: contract.IdentityCreator{Name: "Olga Owner", Email: "olga@example.com"}, CreatedAt: contract.At(start),
	}
	if diff := cmp.Diff(&want, created.Key); diff != "" || !strings.HasPrefix(want.ID, "key_") || len(want.ID) != 30 {
		t.Fatalf("created %s (-want +got):\n%s", want.ID, diff)
	}
	if code := s.authenticate(t, created.Secret); code != "" {
		t.Fatalf("a new key: %s", code)
	}

	one := newCreation()
	one.KeyID = want.ID
	one.Action = keys.Rename
	one.Name = "Backfill"
	want.Name = "Backfill"
	lastUse := contract.At(start)
	want.LastUsedAt = &lastUse
	if diff := cmp.Diff(&want, s.mustHandle(t, one).Key); diff != "" {
		t.Errorf("renamed (-want +got):\n%s", diff)
	}

	s.putAgency(t, 2, false)
	if code := s.authenticate(t, created.Secret); code != contract.RevokedAPIKey {
		t.Errorf("switched off: got %q, want revoked_api_key", code)
	}
	one.Action = keys.List
	want.Status = keys.Disabled
	if diff := cmp.Diff([]keys.Key{want}, s.mustHandle(t, one).Keys); diff != "" {
		t.Errorf("listed (-want +got):\n%s", diff)
	}
	s.putAgency(t, 3, true)
	if code := s.authenticate(t, created.Secret); code != "" {
		t.Errorf("switched on again: %s", code)
	}

	one.Action = keys.Revoke
	want.Status = keys.Revoked
	want.RevokedAt = &lastUse
	for range 2 {
		if diff := cmp.Diff(&want, s.mustHandle(t, one).Key); diff != "" {
			t.Errorf("revoked (-want +got):\n%s", diff)
		}
		if code := s.authenticate(t, created.Secret); code != contract.RevokedAPIKey {
			t.Errorf("the next request: got %q, want revoked_api_key", code)
		}
	}
}

func TestExpiryIsKept(t *testing.T) {
	t.Parallel()
	s := newTestService(t)
	in := newCreation()
	expires := contract.At(start.Add(time.Second))
	in.ExpiresAt = &expires
	created := s.mustHandle(t, in)
	if created.Key.ExpiresAt == nil || !created.Key.ExpiresAt.Equal(expires.Time) {
		t.Fatalf("expires %v, want %v", created.Key.ExpiresAt, expires)
	}
	_, err := s.checker.Authenticate(t.Context(), "Bearer "+created.Secret, contract.DefaultTier, expires.Time)
	if fault.As(err).Code != contract.ExpiredAPIKey {
		t.Errorf("after its expiry: %v", err)
	}
}

func TestInvokeAnswersFailuresInWords(t *testing.T) {
	t.Parallel()
	s := newTestService(t)
	for _, tt := range []struct {
		name, payload, kind string
		code                contract.Code
		fields              []string
	}{
		{"no object", `[]`, "invalid_request_error", contract.MalformedJSON, nil},
		{"trailing data", `{} {}`, "invalid_request_error", contract.MalformedJSON, nil},
		{"unknown field", `{"action":"list","agency":"a"}`, "invalid_request_error", contract.MalformedJSON, nil},
		{"wrong case", `{"Action":"list"}`, "invalid_request_error", contract.MalformedJSON, nil},
		{"duplicate field", `{"action":"list","action":"revoke"}`, "invalid_request_error", contract.MalformedJSON, nil},
		{"wrong type", `{"action":1}`, "invalid_request_error", contract.MalformedJSON, nil},
		{"bad time", `{"expiresAt":"tomorrow"}`, "invalid_request_error", contract.MalformedJSON, nil},
		{"empty", `{}`, "invalid_request_error", contract.ValidationFailed, []string{"action", "type", "principal", "actor"}},
		{"no key id", `{"action":"revoke","type":"agency","principal":"agency-1","actor":"owner"}`, "invalid_request_error", contract.ValidationFailed, []string{"keyId"}},
		{"other environment", `{"action":"create","type":"agency","principal":"agency-1","actor":"owner","name":"n","scopes":["identity:read"],"environment":"dev"}`, "invalid_request_error", contract.ValidationFailed, []string{"environment"}},
		{"rules of the account", `{"action":"create","type":"agency","principal":"agency-1","actor":"owner","environment":"live"}`, "invalid_request_error", contract.ValidationFailed, []string{"name", "scopes"}},
		{"the first moment of the calendar", `{"action":"create","type":"agency","principal":"agency-1","actor":"owner","environment":"live","name":"n","scopes":["identity:read"],"expiresAt":"0001-01-01T00:00:00Z"}`, "invalid_request_error", contract.ValidationFailed, []string{"expiresAt"}},
		{"the first moment of stored times", `{"action":"create","type":"agency","principal":"agency-1","actor":"owner","environment":"live","name":"n","scopes":["identity:read"],"expiresAt":"1970-01-01T00:00:00Z"}`, "invalid_request_error", contract.ValidationFailed, []string{"expiresAt"}},
		{"outsider", `{"action":"list","type":"agency","principal":"agency-1","actor":"stranger"}`, "not_found", "", nil},
		{"switched off", "", "permission_error", "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name == "switched off" {
				s.putAgency(t, 2, false)
				payload, err := json.Marshal(newCreation())
				if err != nil {
					t.Fatal(err)
				}
				tt.payload = string(payload)
			}
			got, err := s.Invoke(t.Context(), json.RawMessage(tt.payload))
			if err != nil || got.Error == nil {
				t.Fatalf("got %+v, %v; want an answer with an error", got, err)
			}
			if got.Error.Type != tt.kind || got.Error.Code != tt.code || got.Error.Message == "" {
				t.Errorf("got %+v, want %s %s", got.Error, tt.kind, tt.code)
			}
			for _, field := range tt.fields {
				if len(got.Error.Details.FieldErrors[field]) == 0 {
					t.Errorf("does not name %s: %v", field, got.Error.Details.FieldErrors)
				}
			}
		})
	}
}

func TestInvokeAnswersAndLogsNoSecret(t *testing.T) {
	t.Parallel()
	s := newTestService(t)
	payload, err := json.Marshal(newCreation())
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Invoke(t.Context(), payload)
	if err != nil || got.Error != nil || got.Secret == "" {
		t.Fatalf("got %+v, %v", got, err)
	}
	line := s.log.String()
	if strings.Count(line, "\n") != 1 || !strings.Contains(line, `"key_id":"`+got.Key.ID+`"`) {
		t.Errorf("logged %q, want one line with the key's id", line)
	}
	for _, private := range []string{got.Secret, "olga@example.com", "Olga"} {
		if strings.Contains(line, private) {
			t.Errorf("logged %q", private)
		}
	}
}

func TestNewNeedsItsSettings(t *testing.T) {
	t.Parallel()
	whole := map[string]string{"TABLE_ACCOUNTS": "accounts", "KEY_ENVIRONMENTS": "live"}
	for name, change := range map[string]map[string]string{
		"no table": {"TABLE_ACCOUNTS": ""}, "bad environment": {"KEY_ENVIRONMENTS": "live,Test"}, "no environment": {"KEY_ENVIRONMENTS": ","},
	} {
		getenv := func(n string) string {
			if v, ok := change[n]; ok {
				return v
			}
			return whole[n]
		}
		if _, err := keys.New(t.Context(), cloud.NewHost(getenv, time.Now, slog.New(slog.DiscardHandler))); err == nil {
			t.Errorf("%s: made a service", name)
		}
	}
}
