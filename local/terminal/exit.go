package terminal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// The exit codes other than 0 and 1; see [Description].
const (
	exitInput       = 2
	exitOutcome     = 3
	exitRefused     = 4
	exitUnreachable = 5
	exitInterrupted = 130
)

// exitError is an error with an exit code, which kong uses, and the API's error if there is one.
type exitError struct {
	error
	code    int
	refused *client.Error
}

// ExitCode returns the exit code.
func (e exitError) ExitCode() int { return e.code }

// Unwrap returns the error.
func (e exitError) Unwrap() error { return e.error }

func newExitError(code int, format string, values ...any) error {
	return exitError{fmt.Errorf(format, values...), code, nil}
}

// remedies are what to do about an error of the API.
var remedies = map[contract.Code]string{
	"invalid_api_key":         "check the key: an agency key and a recruiter key are two different ones",
	"expired_api_key":         "the key has expired; create another one",
	"revoked_api_key":         "the key was revoked; create another one",
	"missing_scope":           "create a key with the scope",
	"wrong_key_type":          "the command needs a key of the other type: AGENCY_KEY or RECRUITER_KEY",
	"talent_network_disabled": "ask the marketplace to enable the talent network for your agency",
	"idempotency_key_reused":  "an earlier request had this Idempotency-Key and another body; choose another one",
	"cursor_expired":          "changes are kept for 30 days; begin without --cursor, or with --cursor latest",
	"idempotency_in_progress": "an earlier attempt still runs; repeat the command in a minute",
	"unknown_filter_value":    "`enumerations` lists the values",
}

// explain returns an error of a call for the terminal: with each problem of a field on a line, what
// to do, and an exit code.
func explain(err error) error {
	refused, ok := errors.AsType[*client.Error](err)
	_, coded := errors.AsType[exitError](err)
	_, ofFile := errors.AsType[*fs.PathError](err)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled):
		return newExitError(exitInterrupted, "interrupted")
	case coded, ofFile: // it says enough: it has an exit code, or is one of this machine's files
		return err
	case ok && refused.Status >= http.StatusInternalServerError:
		return exitError{errors.New(printable(err.Error())), exitUnreachable, refused}
	case ok:
		return exitError{errors.New(printable(err.Error()) + listProblems(refused)), exitRefused, refused}
	}
	return newExitError(exitUnreachable, "%s; is the address right, and the system up?", printable(err.Error()))
}

func listProblems(refused *client.Error) (text string) {
	for _, problem := range refused.Form {
		text += "\n  " + printable(problem)
	}
	for _, field := range slices.Sorted(maps.Keys(refused.Fields)) {
		for _, problem := range refused.Fields[field] {
			text += "\n  " + printable(field+": "+problem)
		}
	}
	if remedy := remedies[refused.Code]; remedy != "" {
		text += "\n  " + remedy
	}
	return text
}
