package main

import (
	"os"
	"strings"
	"testing"
)

// The guide has the table that the command prints.
func TestGuideHasTheTable(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(guide), formatTable()) {
		t.Errorf("put into infra/README.md:\n%s", formatTable())
	}
}
