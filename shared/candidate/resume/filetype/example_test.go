package filetype_test

import (
	"fmt"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
)

func ExampleSniff() {
	for _, content := range []string{
		"%PDF-1.7\n",
		"<!DOCTYPE html><title>Maya Okafor</title>",
		"# Maya Okafor\n\nEngineer",
		"Maya Okafor\nEngineer",
		"\x89PNG\r\n\x1a\n",
	} {
		kind, err := filetype.Sniff([]byte(content))
		if err != nil {
			fmt.Println("refused:", err)
			continue
		}
		fmt.Println(kind, kind.ContentType())
	}
	// Output:
	// pdf application/pdf
	// html text/html
	// markdown text/markdown
	// text text/plain
	// refused: this is a picture; send the resume with its text, as PDF or DOCX
}
