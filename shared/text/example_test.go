package text_test

import (
	"fmt"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

func ExampleFold() {
	fmt.Println(text.Fold("ＣＡＦÉ"), text.Fold("Łódź"), text.Fold("Straße"))
	// Output: cafe lodz strasse
}

func ExampleWords() {
	fmt.Printf("%q\n", text.Words("Senior C++/Go engineer, Lowe's"))
	// Output: ["senior" "c++" "go" "engineer" "lowes"]
}

func ExampleDistance() {
	distance := func(a, b string) int { return text.Distance([]rune(a), []rune(b), 2) }
	fmt.Println(distance("berlin", "berln"), distance("berlin", "brelin"), distance("berlin", "madrid"))
	// Output: 1 1 3
}
