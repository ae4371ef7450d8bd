// Package resumes holds the sample resume files of invented people, for the
// demo, for integrators who want to see every outcome, and for tests. README.md
// beside it says which data to submit with which file and what comes of it.
package resumes

import "embed"

// Files holds every sample by its plain file name.
//
//go:embed *.pdf *.docx *.txt
var Files embed.FS
