package cloudtest

import (
	"context"
	"fmt"
	"testing"
)

// ForExample returns what an example, which has no [testing.T], passes to the functions of
// this package. A failure panics.
func ForExample() testing.TB { return example{} }

// example embeds the interface for its unexported method; a method that is not
// implemented here panics.
type example struct{ testing.TB }

func (example) Helper()                           {}
func (example) Cleanup(func())                    {}
func (example) Context() context.Context          { return context.Background() }
func (example) Fatal(args ...any)                 { panic(fmt.Sprint(args...)) }
func (example) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
