package main

import (
	"os"
	"strings"
	"testing"
)

// The guide has the costs that the command prints.
func TestGuideHasTheCosts(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{formatLoads(), formatUnits(), formatFixed(), formatAlarms(), formatSearch()} {
		if !strings.Contains(string(guide), part) {
			t.Errorf("put into infra/README.md:\n%s", part)
		}
	}
}
