package iam

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// readRecordedAccesses returns the accesses that the end-to-end tests recorded.
func readRecordedAccesses(t *testing.T) (uses []Access) {
	t.Helper()
	text, err := os.ReadFile("../../run/system/testdata/actions.golden")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		use, err := parseAccess(strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		if use.String() != strings.TrimSpace(line) {
			t.Errorf("%q is read as %q", line, use)
		}
		uses = append(uses, use)
	}
	return withReads(uses)
}

// parseAccess parses the result of [Access.String].
func parseAccess(line string) (Access, error) {
	function, rest, _ := strings.Cut(line, ": ")
	action, on, _ := strings.Cut(rest, " on ")
	kind, name, found := strings.Cut(on, " ")
	name, part, _ := strings.Cut(name, "/")
	if !found {
		return Access{}, fmt.Errorf("%q is no use: want \"function: action on kind name\"", line)
	}
	return Access{function, action, topology.Resource{Kind: topology.Kind(kind), Name: name, Part: part}}, nil
}

// withReads returns accesses with those of the reads container, which has the handlers of other functions and
// so makes their accesses.
func withReads(accesses []Access) (all []Access) {
	for _, access := range accesses {
		all = append(all, access)
		if slices.Contains(topology.ReadFunctions, access.Function) {
			access.Function = topology.Reads.Name
			all = append(all, access)
		}
	}
	return all
}

func allFunctions() []topology.Function {
	return slices.Concat(topology.Containers, topology.Functions)
}

// unusedGrants returns the grants that none of the accesses requires.
func unusedGrants(functions []topology.Function, uses []Access) (lines []string) {
	for _, f := range functions {
		for _, g := range f.Grants {
			for _, action := range g.Actions {
				if use := (Access{Function: f.Name, Action: action, On: g.On}); !slices.Contains(uses, use) {
					lines = append(lines, use.String())
				}
			}
		}
	}
	return lines
}

// ungrantedAccesses returns the accesses that no grant covers.
func ungrantedAccesses(functions []topology.Function, uses []Access) (lines []string) {
	for _, use := range uses {
		i := slices.IndexFunc(functions, func(f topology.Function) bool { return f.Name == use.Function })
		allowed := false
		if i >= 0 {
			_, allowed = functions[i].Allows(use.Action, use.On)
		}
		if !allowed {
			lines = append(lines, use.String())
		}
	}
	return lines
}

// The grants are exactly the accesses of the tests.
func TestGrantsAreWhatIsUsed(t *testing.T) {
	t.Parallel()
	uses := readRecordedAccesses(t)
	if lines := unusedGrants(allFunctions(), uses); len(lines) > 0 {
		t.Errorf("granted in shared/cloud/topology and used by no test:\n%s", strings.Join(lines, "\n"))
	}
	if lines := ungrantedAccesses(allFunctions(), uses); len(lines) > 0 {
		t.Errorf("used by tests and not granted in shared/cloud/topology:\n%s", strings.Join(lines, "\n"))
	}
}

func TestPlantedGrantsAreFound(t *testing.T) {
	t.Parallel()
	f := topology.Function{Name: "f", Grants: []topology.Grant{{On: topology.Accounts.Items(), Actions: []string{"dynamodb:GetItem", "dynamodb:Scan"}}}}
	uses := []Access{{"f", "dynamodb:GetItem", topology.Accounts.Items()}, {"f", "dynamodb:GetItem", topology.Network.Items()}}
	if diff := cmp.Diff([]string{"f: dynamodb:Scan on table accounts"}, unusedGrants([]topology.Function{f}, uses)); diff != "" {
		t.Errorf("idle (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"f: dynamodb:GetItem on table network"}, ungrantedAccesses([]topology.Function{f}, uses)); diff != "" {
		t.Errorf("missing (-want +got):\n%s", diff)
	}
}

func TestHookRefusesWhatIsNotGranted(t *testing.T) {
	t.Parallel()
	function := topology.Function{Name: "f", Grants: []topology.Grant{
		{On: topology.Accounts.Items(), Actions: []string{"dynamodb:PutItem", "dynamodb:Query"}},
		{On: topology.Submissions.Entries(topology.DueIndex), Actions: []string{"dynamodb:Query"}},
		{On: topology.Resumes.Objects("uploads/"), Actions: []string{"s3:GetObject"}},
	}}
	name := aws.String
	for title, c := range map[string]struct {
		input any
		want  string // the refusal's text; "" where the call goes through
	}{
		"granted":                 {&dynamodb.PutItemInput{TableName: name("T-accounts")}, ""},
		"another action":          {&dynamodb.DeleteItemInput{TableName: name("T-accounts")}, "f: dynamodb:DeleteItem on table accounts"},
		"another table":           {&dynamodb.PutItemInput{TableName: name("T-network")}, "f: dynamodb:PutItem on table network"},
		"the index":               {&dynamodb.QueryInput{TableName: name("T-submissions"), IndexName: name("due")}, ""},
		"the index's table":       {&dynamodb.QueryInput{TableName: name("T-submissions")}, "f: dynamodb:Query on table submissions"},
		"an index of the table":   {&dynamodb.QueryInput{TableName: name("T-accounts"), IndexName: name("due")}, "f: dynamodb:Query on index accounts/due"},
		"an object":               {&s3.GetObjectInput{Bucket: name("B"), Key: name("uploads/a/b")}, ""},
		"an object elsewhere":     {&s3.GetObjectInput{Bucket: name("B"), Key: name("resumes/a")}, "f: s3:GetObject on objects resumes/resumes/"},
		"a part of a transaction": {&dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{{Put: &types.Put{TableName: name("T-accounts")}}, {ConditionCheck: &types.ConditionCheck{TableName: name("T-accounts")}}}}, "f: dynamodb:ConditionCheckItem on table accounts"},
	} {
		hook := enforce(function, func(r topology.Resource) (topology.Resource, bool) {
			r.Name = map[string]string{"T-accounts": "accounts", "T-network": "network", "T-submissions": "submissions", "B": "resumes"}[r.Name]
			return r, r.Name != ""
		})
		sent := false
		err := hook(t.Context(), cloud.Call{Input: c.input}, func() error { sent = true; return nil })
		got := ""
		if err != nil {
			got, _, _ = strings.Cut(err.Error(), " is not granted")
		}
		isRecorded := slices.ContainsFunc(Accesses(false), func(a Access) bool { return a.String() == c.want })
		if got != c.want || sent != (c.want == "") || isRecorded != (c.want != "") {
			t.Errorf("%s: refused %q (%v), sent %v; want %q", title, got, err, sent, c.want)
		}
	}
}

// A call of an unknown operation, or on a resource outside the topology, is not sent.
func TestHookRefusesTheUnknown(t *testing.T) {
	t.Parallel()
	hook := enforce(topology.Function{}, func(r topology.Resource) (topology.Resource, bool) { return r, false })
	for _, input := range []any{&dynamodb.ScanInput{}, &dynamodb.GetItemInput{TableName: aws.String("foreign")}} {
		if err := hook(t.Context(), cloud.Call{Input: input}, func() error { t.Error("sent"); return nil }); err == nil {
			t.Errorf("%T went through", input)
		}
	}
}

// A transaction requires the action of each of its parts.
func TestATransactionRequiresTheActionsOfItsParts(t *testing.T) {
	t.Parallel()
	table := aws.String("rmk-dev-accounts")
	got, err := requirementsOf(cloud.Call{Input: &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Put: &types.Put{TableName: table}},
		{ConditionCheck: &types.ConditionCheck{TableName: table}},
	}}})
	on := topology.Resource{Kind: topology.Items, Name: *table}
	want := []Access{{Action: "dynamodb:PutItem", On: on}, {Action: "dynamodb:ConditionCheckItem", On: on}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
