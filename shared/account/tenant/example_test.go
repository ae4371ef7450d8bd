package tenant_test

import (
	"errors"
	"fmt"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
)

func ExampleGuarded() {
	guarded := tenant.Guard("a store")
	for _, checked := range []error{nil, errors.New("the key was revoked")} {
		var none tenant.Admission
		store, err := guarded.Open(none, checked)
		fmt.Printf("%q %v\n", store, err)
	}
	fmt.Println(guarded.Open(tenant.Admit("agy_northlight"), nil))
	// Output:
	// "" no tenant is admitted
	// "" the key was revoked
	// a store <nil>
}

func ExampleOf() {
	for _, environment := range []string{tenant.Live, "test"} {
		t := tenant.Of("agy_northlight", environment)
		fmt.Println(t, t.IsLive())
	}
	// Output:
	// agy_northlight true
	// agy_northlight/test false
}
