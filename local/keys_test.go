package main

import (
	"errors"
	"testing"

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
		{fault.Missing(), "no such account, actor or key: check --type, --principal, --actor and the key's id (keys list shows those there are)"},
		{errors.New("no route to host"), "no route to host"},
		{fault.As(errors.New("no route to host")), "no route to host"},
	} {
		if got := operatorError(tt.err).Error(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestReadyEnvironment(t *testing.T) {
	t.Parallel()
	for served, want := range map[string]string{"live,test": "test", "live, test": "test", "live": "live", "dev,live": "dev"} {
		if got := startupKeyEnvironment(served); got != want {
			t.Errorf("%q: got %q, want %q", served, got, want)
		}
	}
}
