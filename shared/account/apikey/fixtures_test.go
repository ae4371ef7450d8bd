package apikey_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// start is 20 seconds into a minute.
var start = time.Date(2026, 3, 1, 12, 0, 20, 0, time.UTC)

// newKey makes a key that no other test has.
func newKey(t testing.TB, environment string) string {
	t.Helper()
	random := make([]byte, 256)
	for i := range random {
		random[i] = byte(rand.Uint32())
	}
	key, err := apikey.Generate(bytes.NewReader(random), environment)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// storeKey stores a key's item as key administration would.
func storeKey(t testing.TB, table dynamo.Table, change func(*apikey.Record)) (authorization, hash string) {
	t.Helper()
	key := newKey(t, "live")
	hash = apikey.Hash(key)
	r := apikey.Record{Caller: apikey.Caller{
		KeyID: "key_01", KeyName: "Nightly import", Type: contract.AgencyKey, Principal: "agency-1",
		Creator: "member-1",
		Scopes:  []contract.Scope{contract.IdentityRead}, Environment: "live", Last4: key[len(key)-4:],
		CreatedAt: cloud.ToMillis(start.Add(-time.Hour)),
	}}
	r.PK, r.SK = apikey.RecordKey(hash)
	if change != nil {
		change(&r)
	}
	if err := table.Put(r).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return "Bearer " + key, hash
}

// codeOf is the public code of an error, "" for none.
func codeOf(err error) contract.Code {
	if err == nil {
		return ""
	}
	var e *fault.Error
	if !errors.As(err, &e) {
		return contract.Code("no fault: " + err.Error())
	}
	return e.Code
}
