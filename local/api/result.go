package api

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"maps"
	"os"
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
		codes, messages := []string{}, []string{}
		for _, e := range outcome.Errors {
			codes, messages = append(codes, string(e.Code)), append(messages, e.Message)
		}
		_ = out.Write([]string{
			fmt.Sprint(one.line), *one.Item.ClientReferenceID, string(outcome.Status), outcome.CandidateUserID,
			strings.Join(codes, ";"), strings.Join(messages, " "), outcome.BatchID, outcome.SubmissionID,
		})
	}
	out.Flush()
	if err := cmp.Or(out.Error(), os.WriteFile(name+".new", text.Bytes(), 0o600)); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
