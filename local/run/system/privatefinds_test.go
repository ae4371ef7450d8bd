package system_test

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// mayHold lists the kinds of items that may contain personal data while nothing is in progress.
var mayHold = map[itemkey.Kind][]personalKind{
	itemkey.Member: {memberText}, itemkey.MemberAddress: {memberText}, itemkey.Recruiter: {memberText},

	itemkey.Membership: {candidateText}, itemkey.MembershipRow: {candidateText},
	itemkey.OwnerRow: {candidateText}, itemkey.StatusRow: {candidateText}, itemkey.OwnerStatusRow: {candidateText},
	itemkey.LinkedInIdentity: {candidateText}, itemkey.EmailIdentity: {candidateText}, itemkey.EmailLink: {candidateText},
	itemkey.Candidate: {candidateText}, itemkey.CandidateRow: {candidateText}, itemkey.CandidateChange: {candidateText},
	itemkey.Application: {candidateText}, itemkey.CandidateApplication: {candidateText},
	itemkey.RecruiterApplication: {candidateText}, itemkey.AgencyApplication: {candidateText},
	itemkey.Match: {candidateText}, itemkey.RecruiterMatch: {candidateText},
}

// leakChecker reports keys and personal data in places where they must not be.
type leakChecker struct {
	t    *testing.T
	keys []string
}

// checkSecrets fails if a text contains the random part of a key.
func (f *leakChecker) checkSecrets(where, text string) {
	f.t.Helper()
	for _, key := range f.keys {
		if _, secret, _ := strings.Cut(key[len("rmk_"):], "_"); strings.Contains(text, secret) {
			f.t.Errorf("%s: there is a key in %.200s", where, lineWith(text, secret))
		}
	}
}

// checkText fails if a text contains a key, or personal data of a kind that is not allowed.
func (f *leakChecker) checkText(where, text string, allowed ...personalKind) {
	f.t.Helper()
	f.checkSecrets(where, text)
	lower := strings.ToLower(text)
	for of, private := range privateTexts {
		for _, part := range private {
			if !slices.Contains(allowed, of) && strings.Contains(lower, part) {
				f.t.Errorf("%s holds %q: %.300s", where, part, lineWith(lower, part))
			}
		}
	}
}

// checkTables checks every item of every table, its key included.
func (f *leakChecker) checkTables(sys *testSystem) {
	f.t.Helper()
	held := map[personalKind]int{}
	for _, table := range topology.Tables {
		for _, item := range sys.storedItems(table, "") {
			kinds := slices.DeleteFunc(slices.Clone(itemkey.Tables[table.Name]), func(k itemkey.Kind) bool {
				return !k.Has(item[topology.PK].(string), item[topology.SK].(string))
			})
			for _, kind := range kinds {
				text := plainText(item)
				f.checkText(fmt.Sprintf("%s: an item %s", table.Name, kind), text, mayHold[kind]...)
				for _, of := range mayHold[kind] {
					held[of]++
				}
			}
		}
	}
	if held[candidateText] < 10 || held[memberText] < 3 {
		f.t.Errorf("the tables contain only %v items with personal data", held)
	}
}

// plainText returns all texts in a value, bytes included.
func plainText(v any) string {
	switch v := v.(type) {
	case map[string]any:
		text := ""
		for name, value := range v {
			text += name + " " + plainText(value) + "\n"
		}
		return text
	case []any:
		text := ""
		for _, value := range v {
			text += plainText(value) + "\n"
		}
		return text
	case []byte:
		return string(v)
	}
	return fmt.Sprint(v)
}

// checkObjects checks the name, headers and content of every file. Names contain no personal data;
// the contents of resumes and CRM indexes may.
func (f *leakChecker) checkObjects(sys *testSystem) {
	f.t.Helper()
	client := s3.NewFromConfig(sys.hostWithoutHooks().AWS, func(o *s3.Options) { o.UsePathStyle = true })
	for _, bucket := range topology.Buckets {
		names := sys.storedObjects(bucket, "")
		f.checkText("the names in "+bucket.Name, strings.Join(names, "\n"))
		for _, name := range names {
			out, err := client.GetObject(f.t.Context(), &s3.GetObjectInput{Bucket: new(sys.Host.Getenv(bucket.Env)), Key: &name})
			must(f.t, err)
			content, err := io.ReadAll(out.Body)
			must(f.t, err)
			f.checkSecrets("a file of "+bucket.Name, string(content))
			f.checkText("the header of a file of "+bucket.Name, fmt.Sprint(out.Metadata, *out.ContentType))
		}
	}
}
