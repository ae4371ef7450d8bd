package contract_test

import (
	"fmt"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// A row of the table says how an endpoint is called and what it takes.
func ExampleFindRoute() {
	route := contract.FindRoute("putFastTrack")
	fmt.Println(route.Method, route.Path)
	fmt.Println(route.KeyType, route.Scopes, route.Tier.Limit)
	for _, field := range contract.SchemaOf(route.Input).Fields {
		fmt.Println(field.In, field.Name, field.Schema.Kind)
	}
	// Output:
	// PUT /talent-network/candidates/{candidateUserId}/fast-track
	// agency [talent_network:write] 60
	// path candidateUserId string
	// body fastTrack boolean
}

// The tag "check" of a wire type is the one place of a constraint.
func ExampleSchemaOf() {
	schema := contract.SchemaOf(contract.FindRoute("submitBulk").Input)
	items := schema.Fields[schema.Field("items")]
	fmt.Println(items.Required, *items.Schema.Min, *items.Schema.Max)
	// Output: true 1 100
}

// A filter takes a key, and people know a word.
func ExampleDisplayName() {
	for _, value := range []string{"new_york", "ai_ml_researcher", "SERIES_A", "S_PLUS", "< 10 employees"} {
		fmt.Println(contract.DisplayName(value))
	}
	// Output:
	// New York
	// AI ML researcher
	// Series A
	// S plus
	// < 10 employees
}
