package catalogue_test

import (
	"fmt"
	"log"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// The filters of a request select roles of an index.
func ExampleAddFilters() {
	index, err := roleindex.Open(roleindex.Build(map[string]*roleindex.Doc{
		"boston": {ID: "boston", Locations: []string{"boston"}, SalaryLower: 90_000, SalaryUpper: 120_000},
		"london": {ID: "london", Locations: []string{"uk"}, SalaryLower: 90_000, SalaryUpper: 120_000},
		"junior": {ID: "junior", Locations: []string{"boston"}, SalaryLower: 40_000, SalaryUpper: 50_000},
	}))
	if err != nil {
		log.Fatal(err)
	}
	query := roleindex.Query{AnyOf: map[roleindex.Field][]string{}, Flags: map[roleindex.Flag]bool{}}
	request := contract.ListRolesRequest{Locations: []contract.Location{"boston"}, MinSalary: new(int64(100_000))}
	catalogue.AddFilters(&query, request, time.Now())
	for _, row := range index.View().Search(query).Rows {
		fmt.Println(row.ID)
	}
	// Output: boston
}
