package terminal

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
)

// writeResult replaces the file of outcomes: a line for each candidate, in the order of the input, and
// one without a number for each outcome of a candidate that is not in the input any more. A candidate
// without an outcome so far has no status.
func writeResult(name string, all []planned, outcomes map[string]client.Outcome) error {
	var text bytes.Buffer
	out := csv.NewWriter(&text)
	_ = out.Write([]string{"line", "clientReferenceId", "status", "candidateUserId", "errorCode", "errorMessage", "batchId", "submissionId"})
	lines := map[string]bool{}
	for _, one := range all {
		reference := *one.Item.ClientReferenceID
		lines[reference] = true
		_ = out.Write(resultCells(fmt.Sprint(one.line), reference, outcomes[reference]))
	}
	for _, reference := range sortedKeys(outcomes) {
		if !lines[reference] {
			_ = out.Write(resultCells("", reference, outcomes[reference]))
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return err
	}
	return replaceFile(name, text.Bytes())
}

func resultCells(line, reference string, outcome client.Outcome) []string {
	codes := []string{}
	messages := []string{}
	for _, e := range outcome.Errors {
		codes = append(codes, string(e.Code))
		messages = append(messages, e.Message)
	}
	cells := []string{line}
	for _, text := range []string{
		reference, string(outcome.Status), outcome.CandidateUserID,
		strings.Join(codes, ";"), strings.Join(messages, " "), outcome.BatchID, outcome.SubmissionID,
	} {
		cells = append(cells, resultCell(text))
	}
	return cells
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
