package resume

import (
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/background"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/jobs"
)

// The types of the steps, under the names that callers use.
type (
	Document   = document.Document
	Failure    = document.Failure
	Month      = dates.Month
	Experience = jobs.Experience
	Education  = background.Education
)

// MaxFile is the largest number of bytes of one file.
const MaxFile = document.MaxFile
