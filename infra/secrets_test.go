package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every resource that has a secret's value changes with the stage's number of secrets. CloudFormation
// reads a secret only for a resource that changes; the others keep the old value.
func TestEveryConsumerOfSecretsChangesWithTheirNumber(t *testing.T) {
	for _, stage := range stages {
		s, err := synthInContext(map[string]any{"stage": stage}, func(row map[string]any) { row["secrets"] = 1 })
		if err != nil {
			t.Fatal(err)
		}
		before := synthDeployed(t).templates[stage]
		consumers := 0
		for id, r := range s.templates[stage].Resources {
			if !strings.Contains(flatten(r.Properties), "{{resolve:") {
				continue
			}
			consumers++
			if cmp.Equal(before.Resources[id].Properties, r.Properties) {
				t.Errorf("%s: %s keeps the old secrets", stage, id)
			}
		}
		if want := map[bool]int{true: 2, false: 10}[stage == "dev"]; consumers < want {
			t.Errorf("%s: %d resources have secrets; want at least %d", stage, consumers, want)
		}
	}
}
