package resume_test

import (
	"context"
	"fmt"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume"
)

const plainText = `Maya Okafor
Leeds, United Kingdom | maya.okafor@example.com | linkedin.com/in/maya-okafor

Experience
Backend Engineer at Example Quarry Ltd
March 2021 – present
• Payments in Go and PostgreSQL

Skills
Go, PostgreSQL, Kubernetes`

func ExampleRead() {
	document, err := resume.Read(context.Background(), []byte(plainText))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(document.Type, len(document.Blocks[0]), "lines")
	fields := resume.Extract(document, time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))
	fmt.Println(fields.Name, fields.Emails, fields.LinkedIn)
	fmt.Printf("%s at %s since %s\n", fields.Title, fields.Company, fields.Experiences[0].Start)
	fmt.Println(fields.Skills, fields.Years, "years")
	// Output:
	// text 8 lines
	// Maya Okafor [maya.okafor@example.com] [https://www.linkedin.com/in/maya-okafor]
	// Backend Engineer at Example Quarry Ltd since 2021-03
	// [Go PostgreSQL Kubernetes] 5.1 years
}

func ExampleCheckIdentity() {
	fields := resume.Fields{Name: "Viktor Halvorsen", Emails: []string{"viktor@example.org"}}
	verdict := resume.CheckIdentity(fields, "Maya Okafor", "maya.okafor@example.com", "https://www.linkedin.com/in/maya-okafor")
	fmt.Println(verdict.Mismatch, "-", verdict)
	// Output: true - name different, email unequal, linkedin missing
}
