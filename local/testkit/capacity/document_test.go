package capacity_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	model "github.com/recruiting-marketplace/external-api/infra/capacity"
)

const document = "../../../docs/capacity.md"

// The document has the tables of the recorded measurements.
func TestDocumentHasTheTables(t *testing.T) {
	t.Parallel()
	if text := readDocument(t); text != fillDocument(t, text, model.ReadMeasurements()) && !*update {
		t.Error("go test ./local/testkit/capacity -args -update writes the tables of docs/capacity.md")
	}
}

func readDocument(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func writeDocument(t *testing.T, m model.Measurements) {
	t.Helper()
	if err := os.WriteFile(document, []byte(fillDocument(t, readDocument(t), m)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// fillDocument returns the document with the tables of these measurements.
func fillDocument(t *testing.T, text string, m model.Measurements) string {
	t.Helper()
	for name, table := range documentTables(m) {
		text = replaceTable(t, text, name, table)
	}
	return text
}

// replaceTable replaces the table between its mark and the end mark.
func replaceTable(t *testing.T, text, name, table string) string {
	t.Helper()
	begin := fmt.Sprintf("<!-- %s -->\n", name)
	end := "<!-- end -->\n"
	before, rest, found := strings.Cut(text, begin)
	_, after, ends := strings.Cut(rest, end)
	if !found || !ends {
		t.Fatalf("the document has no place for the table %s", name)
	}
	return before + begin + table + end + after
}
