package tenant_test

import (
	"fmt"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
)

func ExampleOf() {
	for _, environment := range []string{tenant.Live, "test"} {
		t := tenant.Of("agy_northlight", environment)
		fmt.Println(t, t.IsLive())
	}
	// Output:
	// agy_northlight true
	// agy_northlight/test false
}
