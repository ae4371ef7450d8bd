package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/demo/resumes"
	"github.com/recruiting-marketplace/external-api/local/run/envfile"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// kills is how often the process is killed; itemsPerLife is how many items it has just
// accepted then.
const (
	kills        = 8
	itemsPerLife = 3
)

// shortLeases let a restarted process soon take over what the killed one had claimed.
var shortLeases = []string{
	"FUNCTION_TIMEOUT=5s", "INGEST_LEASE_GRACE=200ms", "INGEST_RESEND=500ms", "INGEST_RETRY_DELAY=100ms", "SWEEP_EVERY=200ms",
}

// A system that is killed repeatedly, after a submit but before its item has ended, and
// during a submit, loses nothing and does nothing twice.
func TestKilledSystemLosesNothing(t *testing.T) {
	t.Parallel()
	dir := loadedDir(t)
	p := startProcess(t, dir, shortLeases...)
	v := &crashTest{t: t, env: p.waitUntilReady()}
	for life := range kills {
		for i := range itemsPerLife {
			v.submitUntilAccepted(v.newCandidate(life, i))
		}
		cut := v.newCandidate(life, itemsPerLife)
		over := make(chan struct{})
		go func() {
			defer close(over)
			_, _ = v.newClient(1).Submit(context.Background(), cut) // perhaps answered, perhaps not
		}()
		moment := rand.N(time.Duration(life+1) * 20 * time.Millisecond)
		t.Logf("life %d ends %v after the last answer", life, moment)
		<-time.After(moment)
		p.kill()
		<-over
		if err := hideEnvFile(dir); err != nil { // as the next process would, so that its file is not confused with this one
			t.Fatal(err)
		}
		p = startProcess(t, dir, shortLeases...)
		v.env = p.waitUntilReady()
		v.table = openTables(t, dir)
		v.endLeases()
		v.submitUntilAccepted(cut)
	}
	v.checkNothingLost()
}

// crashTest records what was submitted to a process that is killed repeatedly.
type crashTest struct {
	t       *testing.T
	env     map[string]string
	table   func(topology.Table) dynamo.Table
	batches []string
	emails  []string
}

// newClient returns a client that waits a quarter of the advised time.
func (v *crashTest) newClient(attempts int) *client.Client {
	return client.New(v.env["BASE_URL"], v.env["AGENCY_KEY"], client.WithAttempts(attempts),
		client.WithWait(func(ctx context.Context, d time.Duration) error {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(d / 4):
				return nil
			}
		}))
}

// newCandidate returns a request for a new person. No file is a PDF: the process would be
// killed before it had compiled the PDF engine.
func (v *crashTest) newCandidate(life, i int) contract.SubmitRequest {
	v.t.Helper()
	files := []struct{ name, file string }{
		{"Priya Raman", "priya-raman.txt"}, {"Jonas Lindqvist", "jonas-lindqvist.docx"},
	}
	chosen := files[i%len(files)]
	content, err := resumes.Files.ReadFile(chosen.file)
	if err != nil {
		v.t.Fatal(err)
	}
	slug := fmt.Sprintf("person-%d-%d", life, i)
	return contract.SubmitRequest{
		IdempotencyKey: slug, Name: chosen.name, Email: slug + "@example.com", LinkedInURL: "https://www.linkedin.com/in/" + slug,
		Preferences: contract.WorkPreferences{
			Locations: []contract.Location{"uk"}, WorkplaceTypes: []contract.WorkplaceType{"REMOTE"}, SalaryMin: 90_000,
			IdealFundingRounds: []contract.FundingRound{"SEED"}, VisaAuthorization: "HAS_VISA_AUTHORIZATION",
		},
		Resume: contract.ResumeFile{ContentBase64: base64.StdEncoding.EncodeToString(content)},
	}
}

// submitUntilAccepted submits, with retries, until the request is accepted.
func (v *crashTest) submitUntilAccepted(in contract.SubmitRequest) {
	v.t.Helper()
	accepted, err := v.newClient(20).Submit(v.t.Context(), in)
	if err != nil {
		v.t.Fatal(err)
	}
	v.batches = append(v.batches, accepted.BatchID)
	v.emails = append(v.emails, in.Email)
}

// endLeases replaces a minute's wait: it ends the leases of submits that died with the
// process.
func (v *crashTest) endLeases() {
	v.t.Helper()
	for _, claim := range v.storedItems(topology.Submissions, "I#") {
		if claim["answer"] != nil {
			continue
		}
		err := v.table(topology.Submissions).Update(topology.PK, claim[topology.PK]).Range(topology.SK, claim[topology.SK]).
			Set("lease", 0).Run(v.t.Context())
		if err != nil {
			v.t.Fatal(err)
		}
	}
}

// checkNothingLost waits until every item has ended and counts what is stored.
func (v *crashTest) checkNothingLost() {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.t.Context(), 5*time.Minute) // a guard against hanging
	defer cancel()
	for i, id := range v.batches {
		batch, err := v.newClient(20).WaitForBatch(ctx, id)
		if err != nil || len(batch.Items) != 1 || batch.Items[0].Status != contract.Succeeded {
			v.t.Errorf("%s: got %+v, %v; want succeeded", v.emails[i], batch, err)
		}
	}
	members := map[any]int{}
	for _, m := range v.storedItems(topology.Network, "M#") {
		members[m["email"]]++
	}
	for _, email := range v.emails {
		if members[email] != 1 {
			v.t.Errorf("%s: %d memberships; want one", email, members[email])
		}
	}
	headers := slices.DeleteFunc(v.storedItems(topology.Submissions, "B#"), func(item map[string]any) bool { return item[topology.SK] != "H" })
	if len(headers) != len(v.batches) {
		v.t.Errorf("%d batches were made of %d submits", len(headers), len(v.batches))
	}
	if left := v.storedItems(topology.Submissions, "L#"); len(left) > 0 {
		v.t.Errorf("live items are left: %v", left)
	}
}

// storedItems returns the items whose partition key begins with prefix.
func (v *crashTest) storedItems(t topology.Table, prefix string) (items []map[string]any) {
	v.t.Helper()
	err := v.table(t).Scan().Consistent(true).Filter("begins_with($, ?)", topology.PK, prefix).All(v.t.Context(), &items)
	if err != nil {
		v.t.Fatal(err)
	}
	return items
}

// openTables returns a lookup of the tables of the process with its data in dir.
func openTables(t *testing.T, dir string) func(topology.Table) dynamo.Table {
	t.Helper()
	env, err := envfile.Read(filepath.Join(dir, "aws"))
	if err != nil || len(env) == 0 {
		t.Fatalf("the process did not write its endpoints: %v", err)
	}
	host := cloud.NewHost(func(name string) string { return env[name] }, time.Now, slog.New(slog.DiscardHandler))
	return func(table topology.Table) dynamo.Table {
		opened := host.Opener().Table(table)
		return opened
	}
}
