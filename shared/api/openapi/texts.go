package openapi

import (
	_ "embed"

	"github.com/goccy/go-yaml"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

//go:embed texts.yaml
var textsYAML []byte

var texts = readTexts()

type textsFile struct {
	Overview  string
	Functions map[contract.Function]struct{ Title, Purpose string }
	Codes     map[contract.Code]struct{ When, Advice string }

	ItemErrors     []ItemError    `yaml:"itemErrors"`
	ResultStatuses []ResultStatus `yaml:"resultStatuses"`

	// The following are parts of the document; Media are by operation.
	ErrorFields  object `yaml:"errorFields"`
	ErrorDetails object `yaml:"errorDetails"`
	Headers      map[string]object
	Media        map[string]object
	Links        []link
	Changes      []Change
}

// readTexts returns the texts. It panics on a file that cannot be read or has other fields.
func readTexts() (t textsFile) {
	if err := yaml.UnmarshalWithOptions(textsYAML, &t, yaml.Strict()); err != nil {
		panic("openapi: texts.yaml: " + err.Error())
	}
	return t
}

// ItemError is an error code of a batch item, or of a rejected bulk item, with why it comes and
// what the caller can do.
type ItemError struct {
	Code          contract.SubmissionError
	Cause, Advice string
}

// ItemErrors holds every published one: what is wrong with the data first, then what ingestion
// finds, then what is no fault of the caller.
var ItemErrors = texts.ItemErrors

// ResultStatus is an outcome for a reference and what it means.
type ResultStatus struct {
	Status contract.ResultStatus
	OK     bool
	// Of names the endpoints that give the status so.
	Of, Meaning string
}

// ResultStatuses holds every outcome (contract, Reference results).
var ResultStatuses = texts.ResultStatuses

// Change is an entry of the changelog. Within a version of the path there are only
// additions (contract, Versioning).
type Change struct {
	// Version is the semantic version of the document that first had the change. Its major
	// number is that of the path; a correction of the document itself raises the last one.
	Version string
	// Date is YYYY-MM-DD.
	Date string
	// What is a sentence for callers.
	What string
}

// Changes is the changelog, newest first. Its first version is the document's.
var Changes = texts.Changes

// Title returns the heading of the routes that a function serves.
func Title(f contract.Function) string { return texts.Functions[f].Title }
