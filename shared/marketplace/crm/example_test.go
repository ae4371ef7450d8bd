package crm_test

import (
	"fmt"

	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
)

// A rejected application has reached its furthest stage.
func ExampleReachedStatus() {
	fmt.Println(crm.ReachedStatus("IN_REVIEW", nil))
	fmt.Println(crm.ReachedStatus("REJECTED", new("Submitted"), new("Final round")))
	fmt.Println(crm.ReachedStatus("WITHDRAWN"))
	// Output:
	// IN_REVIEW
	// INTERVIEWING
	// SUBMITTED
}

func ExampleParseChangeNotice() {
	notice, err := crm.ParseChangeNotice(`{"recruiterId":"rec_ingrid","at":"2026-03-01T09:00:00Z"}`)
	fmt.Println(notice.RecruiterID, notice.At, err)
	_, err = crm.ParseChangeNotice(`{}`)
	fmt.Println(err)
	// Output:
	// rec_ingrid 2026-03-01 09:00:00 +0000 UTC <nil>
	// the change notice has no recruiter
}
