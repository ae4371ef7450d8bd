package identity_test

import (
	"fmt"

	"github.com/recruiting-marketplace/external-api/shared/identity"
)

func ExampleLinkedIn() {
	for _, raw := range []string{
		"http://uk.linkedin.com/in/Maya-Okafor/?trk=people",
		"linkedin.com/in/jos%C3%A9/en",
		"https://www.linkedin.com/company/example",
	} {
		canonical, ok := identity.LinkedIn(raw)
		fmt.Println(canonical, ok)
	}
	// Output:
	// https://www.linkedin.com/in/maya-okafor true
	// https://www.linkedin.com/in/josé true
	//  false
}

func ExampleEmail() {
	fmt.Println(identity.Email("Maya.Okafor+Jobs@Example.COM"))
	fmt.Println(identity.Email("Maya <maya@example.com>"))
	// Output:
	// maya.okafor+jobs@example.com true
	//  false
}
