package api

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
)

// writeResult replaces the file of outcomes: a line for each candidate, in the order of the input. A
// candidate without an outcome so far has no status.
func writeResult(name string, all []planned, outcomes map[string]client.Outcome) error {
	var text bytes.Buffer
	out := csv.NewWriter(&text)
	_ = out.Write([]string{"line", "clientReferenceId", "status", "candidateUserId", "errorCode", "errorMessage", "batchId", "submissionId"})
	for _, one := range all {
		outcome := outcomes[*one.Item.ClientReferenceID]
		codes := []string{}
		messages := []string{}
		for _, e := range outcome.Errors {
			codes = append(codes, string(e.Code))
			messages = append(messages, e.Message)
		}
		cells := []string{fmt.Sprint(one.line)}
		for _, text := range []string{
			*one.Item.ClientReferenceID, string(outcome.Status), outcome.CandidateUserID,
			strings.Join(codes, ";"), strings.Join(messages, " "), outcome.BatchID, outcome.SubmissionID,
		} {
			cells = append(cells, resultCell(text))
		}
		_ = out.Write(cells)
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return err
	}
	return replaceFile(name, text.Bytes())
}

// resultCell returns text for a cell. An apostrophe keeps spreadsheets from computing one that begins as a
// formula does.
func resultCell(text string) string {
	clean := blankControls(text)
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + clean
	}
	return clean
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
