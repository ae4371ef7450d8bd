package cloud_test

import (
	"context"
	"fmt"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// A handler reads what it needs in one wave: each read stores its result in a
// variable of its own.
func ExampleInParallel() {
	var agency string
	var members int
	err := cloud.InParallel(context.Background(),
		func(context.Context) error { agency = "Northwind"; return nil },
		func(context.Context) error { members = 3; return nil },
	)
	fmt.Println(agency, members, err)

	// The first error cancels the others' context and is returned.
	err = cloud.InParallel(context.Background(),
		func(context.Context) error { return fmt.Errorf("the table is away") },
		func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
	)
	fmt.Println(err)
	// Output:
	// Northwind 3 <nil>
	// the table is away
}
