package recommend_test

import (
	"fmt"
	"log"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/search/recommend"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// A role of the candidate's type comes before one of a related type. A role of an unrelated
// type is not recommended, and neither is one that pays less than the salary floor.
func ExampleRank() {
	posted := time.Date(2026, 3, 9, 0, 0, 0, 0, time.UTC)
	index, err := roleindex.Open(roleindex.Build(map[string]*roleindex.Doc{
		"backend":   {ID: "backend", RoleTypes: []string{"backend_engineer"}, TechStack: []string{"Go", "PostgreSQL"}, PostedAt: posted},
		"data":      {ID: "data", RoleTypes: []string{"data_engineer"}, TechStack: []string{"Go"}, PostedAt: posted},
		"poor":      {ID: "poor", RoleTypes: []string{"backend_engineer"}, TechStack: []string{"Go"}, SalaryLower: 60_000, SalaryUpper: 70_000},
		"recruiter": {ID: "recruiter", RoleTypes: []string{"people_talent"}},
	}))
	if err != nil {
		log.Fatal(err)
	}
	candidate := recommend.Candidate{RoleTypes: []string{"backend_engineer"}, Skills: []string{"go", "postgresql"}, SalaryFloor: 100_000}
	for _, r := range recommend.Rank(index.View(), roleindex.Query{}, candidate.Criteria(posted)) {
		fmt.Printf("%s %s %.2f\n", r.ID, r.Band(), r.Score)
	}
	// Output:
	// backend ENDORSED 0.82
	// data SUGGESTED 0.62
}

func ExampleRoleTypesOf() {
	fmt.Println(recommend.RoleTypesOf("Senior Backend Engineer"))
	// Output: [backend_engineer]
}

func ExampleSkillTerms() {
	fmt.Printf("%q\n", recommend.SkillTerms("Node.js on Kubernetes"))
	// Output: ["node.js" "node.js on" "kubernetes" "on kubernetes"]
}
