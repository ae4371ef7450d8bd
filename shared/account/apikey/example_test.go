package apikey_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// A key is stored by its hash. Each request with it is authenticated and counted in one
// call.
func ExampleChecker_Authenticate() {
	ctx := context.Background()
	table := cloudtest.Table(cloudtest.ForExample(), topology.Accounts)
	key, err := apikey.Generate(rand.Reader, "live")
	if err != nil {
		panic(err)
	}
	record := apikey.Record{Caller: apikey.Caller{
		KeyID: "key_01", KeyName: "Nightly import", Type: contract.AgencyKey, Principal: "agency-1",
		Scopes: []contract.Scope{contract.IdentityRead}, Environment: "live",
	}}
	record.PK, record.SK = apikey.RecordKey(apikey.Hash(key))
	if err := table.Put(record).Run(ctx); err != nil {
		panic(err)
	}

	checker := apikey.NewChecker(table, []string{"live"})
	now := time.Date(2026, 3, 1, 12, 0, 20, 0, time.UTC)
	for range 2 {
		a, err := checker.Authenticate(ctx, "Bearer "+key, contract.DefaultTier, now)
		fmt.Println(a.Caller.Principal, a.Caller.Scopes, a.Remaining, "of", a.Limit, "until", a.Reset.Format(time.TimeOnly), err)
	}
	_, err = checker.Authenticate(ctx, "Bearer rmk_live_wrong", contract.DefaultTier, now)
	fmt.Println(err)
	// Output:
	// agency-1 [identity:read] 119 of 120 until 12:01:00 <nil>
	// agency-1 [identity:read] 118 of 120 until 12:01:00 <nil>
	// The API key is invalid. Check that it was copied whole and belongs to this environment.
}

// Most of what is no key is recognised without a call, by its shape and checksum.
func ExampleEnvironment() {
	key, err := apikey.Generate(rand.Reader, "test")
	if err != nil {
		panic(err)
	}
	fmt.Println(apikey.Environment(key))
	fmt.Println(apikey.Environment(key[1:]))
	// Output:
	// test true
	//  false
}
