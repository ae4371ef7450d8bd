package role

import (
	"fmt"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// A stranger sees a stealth role under a placeholder: no text of it names the company.
func ExampleRedact() {
	stealth := rawRole("r1", Role{
		Listing: Listing{Title: "Engineer at Zqorn", CompanyID: "co1", Visibility: contract.RoleVisibilityStealth},
		Prose:   Prose{Description: new("Join Zqorn Labs: https://zqorn.example.com/jobs")},
	}, &Company{CompanyFacts: CompanyFacts{Name: "Zqorn Labs", Aliases: []string{"Zqorn"}, Industries: []string{"ai"}}}, nil, nil)

	stranger := Redact(stealth, Caller{})
	fmt.Println(stranger.Listing().Title, "|", stranger.Company().Name, stranger.Company().Industries, "|", stranger.Description())
	member := Redact(stealth, Caller{Involvement: Involvement{Assignment: &Assignment{ApprovalStatus: new(contract.ApprovalStatusApproved)}}})
	fmt.Println(member.Listing().Title, "|", member.Company().Name)
	// Output:
	// Engineer at Confidential company | Confidential company [ai] | Join Confidential company:
	// Engineer at Zqorn | Zqorn Labs
}
