package terminal

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
)

type resumesCommands struct {
	Upload resumesUpload `cmd:"" help:"Upload resumes for bulk submissions, and print their ids."`
}

type resumesUpload struct {
	Files []string `arg:"" name:"file" type:"existingfile" help:"Files to upload."`
}

// Run checks all files and uploads them.
func (u resumesUpload) Run(c *call) error {
	contents := make([][]byte, len(u.Files))
	problems := []problem{}
	for i, name := range u.Files {
		content, err := readRegular(os.OpenFile, name)
		if err == nil {
			err = checkContent(name, content)
		}
		if err != nil {
			problems = append(problems, problem{Column: resumeColumn, Message: err.Error()})
		}
		contents[i] = content
	}
	if len(problems) > 0 {
		return printFlagProblems(c, problems)
	}
	api, err := c.agencyClient()
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	type row = contract.ResumeUpload
	rows := func(yield func(row, error) bool) {
		for i, name := range u.Files {
			file := contract.ResumeFile{FileName: new(filepath.Base(name)), ContentBase64: base64.StdEncoding.EncodeToString(contents[i])}
			upload, err := api.Upload(ctx, file)
			if !yield(upload, err) || err != nil {
				return
			}
		}
	}
	return printRows(c, rows, 0,
		column[row]{"RESUME", func(r row) string { return r.ResumeFileID }},
		column[row]{"FILE", func(r row) string { return optional.Value(r.FileName) }},
		column[row]{"TYPE", func(r row) string { return r.ContentType }},
		column[row]{"BYTES", func(r row) string { return fmt.Sprint(r.SizeBytes) }},
		column[row]{"EXPIRES", func(r row) string { return formatTime(&r.ExpiresAt) }})
}
