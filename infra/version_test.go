package main

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// changedResources returns the logical ids of what is new, gone or different.
func changedResources(before, after template) (ids []string) {
	all := maps.Clone(before.Resources)
	maps.Copy(all, after.Resources)
	for id := range all {
		if !cmp.Equal(before.Resources[id], after.Resources[id]) {
			ids = append(ids, id)
		}
	}
	return slices.Sorted(slices.Values(ids))
}

// A release changes only the functions whose program or settings it changes, and platform, which
// reports the commit. The edge changes with the outputs of the service that it reads.
func TestReleasesChangeOnlyWhatDiffers(t *testing.T) {
	for name, c := range map[string]struct {
		context map[string]any
		change  func(stage map[string]any)
		parts   []string // each changed resource has one of them in its id
		fewest  int
	}{
		"the same":       {map[string]any{}, nil, nil, 0},
		"another commit": {map[string]any{"version": "v2"}, nil, []string{"Platform"}, 3},
		"a program":      {map[string]any{"programs": map[string]any{"roles": "changed"}}, nil, []string{"Roles"}, 3},
		"the container":  {map[string]any{"programs": map[string]any{"uploads": "changed"}}, nil, []string{"UploadsTask", "UploadsService"}, 1},
		"a setting": {
			map[string]any{}, func(stage map[string]any) { stage["profileProvider"] = "enrichlayer" }, []string{"Ingest"}, 2,
		},
		"outputs of the service": {map[string]any{"generation": "2"}, nil, []string{"Edge"}, 2},
	} {
		c.context["stage"] = "prod-us"
		s, err := synthInContext(c.context, c.change)
		if err != nil {
			t.Fatal(err)
		}
		changed := changedResources(synthService(t), s.templates["prod-us"])
		if len(changed) < c.fewest {
			t.Errorf("%s: changes only %v", name, changed)
		}
		for _, id := range changed {
			if !slices.ContainsFunc(c.parts, func(part string) bool { return strings.Contains(id, part) }) {
				t.Errorf("%s: changes %s", name, id)
			}
		}
		t.Logf("%s: %d resources: %v", name, len(changed), changed)
	}
}

// The alarm of a new version counts failures by the version in log lines, so that it must differ from
// that of the version before.
func TestVersionsDifferWithSettings(t *testing.T) {
	s, err := synthInContext(map[string]any{"stage": "prod-us"}, func(stage map[string]any) { stage["secrets"] = 1 })
	if err != nil {
		t.Fatal(err)
	}
	before := synthService(t)
	for id, r := range s.templates["prod-us"].resourcesOf("AWS::Lambda::Function") {
		name := variablesOf(r)[topology.SettingFunction]
		same := variablesOf(r)[topology.SettingVersion] == variablesOf(before.Resources[id])[topology.SettingVersion]
		if same && name != "platform" && name != authorizer {
			t.Errorf("%s has other secrets and the same version", name)
		}
	}
}
