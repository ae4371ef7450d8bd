package operate

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// The error for an operator names the wrong flag, or the cause of a failure.
func TestKeysForOperator(t *testing.T) {
	t.Parallel()
	two := fault.Field(contract.ValidationFailed, "environment", "Must be live.")
	two.Fields["scopes"] = []string{`scopes[0]: "x" is not offered.`}
	for _, tt := range []struct {
		err  error
		want string
	}{
		{two, "environment: Must be live.\nscopes[0]: \"x\" is not offered."},
		{fault.New(fault.Forbidden, contract.NoCode, "Access is off."), "Access is off."},
		{fault.Missing(), "no such account, actor or key: check --type, --principal, --actor and the key's id (see keys list)"},
		{errors.New("no route to host"), "no route to host"},
		{fault.As(errors.New("no route to host")), "no route to host"},
	} {
		if got := operatorError(tt.err).Error(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// The list of keys has a heading, and tells when a key was created, expires and was last used.
func TestKeyTable(t *testing.T) {
	t.Parallel()
	at := contract.At(time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC))
	var out strings.Builder
	if err := writeKeyTable(&out, []keys.Key{
		{ID: "key-1", Name: "ATS", Status: keys.Active, Last4: "x7Qz", Environment: "test", CreatedAt: at, LastUsedAt: &at, Scopes: []contract.Scope{contract.IdentityRead}},
		{ID: "key-22", Name: "Old", Status: keys.Expired, Last4: "abcd", Environment: "live", CreatedAt: at, ExpiresAt: &at},
	}); err != nil {
		t.Fatal(err)
	}
	want := `
ID      NAME  STATUS   ENDS IN  ENVIRONMENT  CREATED           EXPIRES           LAST USED         SCOPES
key-1   ATS   active   x7Qz     test         2026-05-06 07:08  -                 2026-05-06 07:08  identity:read
key-22  Old   expired  abcd     live         2026-05-06 07:08  2026-05-06 07:08  -                 
`
	if diff := cmp.Diff(want[1:], out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A command for a deployment names its account; locally it is the demo's. The flag that is missing is named.
func TestKeysOfADeploymentNeedTheirAccount(t *testing.T) {
	for _, c := range []struct {
		table, arguments string
		refused          bool
	}{
		{"", "revoke key_1", false},
		{"accounts", "revoke key_1", true},
		{"accounts", "revoke key_1 --principal=agy_1", true},
		{"accounts", "revoke key_1 --principal=agy_1 --actor=rec_1", false},
		{"accounts", "list --type=personal --principal=rec_1", false},
		{"accounts", "list --type=personal", true},
	} {
		t.Setenv("TABLE_ACCOUNTS", c.table)
		parser, err := kong.New(&Keys{}, kong.Exit(func(int) {}))
		if err != nil {
			t.Fatal(err)
		}
		_, err = parser.Parse(strings.Fields(c.arguments))
		if refused := err != nil && strings.Contains(err.Error(), "--principal"); refused != c.refused {
			t.Errorf("%s, table %q: %v", c.arguments, c.table, err)
		}
	}
}
