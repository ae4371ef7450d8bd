package fault_test

import (
	"errors"
	"fmt"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// A refusal has words for its caller, and a cause that only the log shows.
func ExampleNew() {
	err := fault.New(fault.Forbidden, contract.FastTrackDisabled, "Fast-track is not enabled for the agency.").
		Because(errors.New("agency agy_1 has flags 0x2"))

	fmt.Println("caller:", err.Kind.Status, err.Kind.Type, err.Code, err.Message)
	fmt.Println("log:", err)
	// Output:
	// caller: 403 permission_error fast_track_disabled Fast-track is not enabled for the agency.
	// log: Fast-track is not enabled for the agency.: agency agy_1 has flags 0x2
}

// Any other error is internal, and its text stays inside.
func ExampleAs() {
	err := fault.As(errors.New("dial tcp 10.0.0.7: connection refused"))
	fmt.Println(err.Kind.Status, err.Message)
	// Output: 500 An internal error occurred. Retry with exponential backoff.
}
