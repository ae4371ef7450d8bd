package personname_test

import (
	"fmt"

	"github.com/recruiting-marketplace/external-api/shared/identity/personname"
)

func ExampleCompare() {
	fmt.Println(personname.Compare("Dr. Robert Smith", "SMITH, Bob"))
	fmt.Println(personname.Compare("Екатерина Соколова", "Yekaterina Sokolova"))
	fmt.Println(personname.Compare("Viktor Halvorsen", "Viktor Halvrosen"))
	fmt.Println(personname.Compare("John Smith", "Jane Smith"))
	// Output:
	// same
	// same
	// uncertain
	// different
}
