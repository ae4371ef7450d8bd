package optional_test

import (
	"fmt"

	"github.com/recruiting-marketplace/external-api/shared/api/optional"
)

func ExampleNonZero() {
	fmt.Println(optional.NonZero("") == nil, *optional.NonZero("Berlin"))
	// Output: true Berlin
}

func ExampleValue() {
	var none *int
	fmt.Println(optional.Value(none), optional.Value(new(7)))
	// Output: 0 7
}

func ExampleOr() {
	var none *int
	fmt.Println(optional.Or(none, 20), optional.Or(new(7), 20))
	// Output: 20 7
}
