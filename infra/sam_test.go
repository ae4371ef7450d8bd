package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var setting = regexp.MustCompile(`(?m)^(\w+) = (.+)$`)

// samconfig.toml refers to the files that make sam and make run write, and contains only
// keys that SAM knows.
func TestSamconfig(t *testing.T) {
	config, err := os.ReadFile("../samconfig.toml")
	if err != nil {
		t.Fatal(err)
	}
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string][]string{
		"version": {"0.1"}, "template_file": {`"build/sam/cdk.out/rmk-dev-service.template.json"`}, "env_vars": {`".local/sam.json"`},
		"add_host": {`["host.docker.internal:host-gateway"]`}, "warm_containers": {`"LAZY"`}, "port": {"3000", "3001"}, "lint": {"true"},
	}
	found := setting.FindAllStringSubmatch(string(config), -1)
	for _, f := range found {
		if !slices.Contains(known[f[1]], f[2]) {
			t.Errorf("%s = %s", f[1], f[2])
		}
	}
	for _, section := range []string{"build", "local_start_api", "local_start_lambda", "local_invoke", "validate"} {
		if !strings.Contains(string(config), "[default."+section+".parameters]") {
			t.Errorf("no section %s", section)
		}
	}
	if !strings.Contains(string(makefile), "-o ../build/sam/cdk.out") || len(found) < 10 {
		t.Error("make sam writes its template elsewhere")
	}
}

// For SAM the functions have this machine's architecture and variables for the AWS
// endpoints.
func TestTemplateForSAM(t *testing.T) {
	context := map[string]any{"sam": "amd64", "stage": "dev"}
	s, err := synthInContext(context, nil)
	if err != nil {
		t.Fatal(err)
	}
	for id, r := range s.templates["dev"].resourcesOf("AWS::Lambda::Function") {
		env := variablesOf(r)
		declared := []string{"AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_DYNAMODB", "AWS_ENDPOINT_URL_SQS", "AWS_ENDPOINT_URL_S3"}
		if strings.HasPrefix(id, "Platform") {
			declared = append(declared, "PUBLIC_URL")
		}
		for _, name := range declared {
			if value, there := env[name]; !there || value != "" {
				t.Errorf("%s: %s is %q", id, name, value)
			}
		}
		if r.Metadata["SkipBuild"] != true {
			t.Errorf("%s: sam build would look for its sources: %v", id, r.Metadata)
		}
		if flatten(r.Properties["Architectures"]) != `["x86_64"]` {
			t.Errorf("%s: got %v", id, r.Properties["Architectures"])
		}
	}
	for id, r := range synthDeployed(t).templates["dev"].resourcesOf("AWS::Lambda::Function") {
		for name := range variablesOf(r) {
			if strings.HasPrefix(name, "AWS_") {
				t.Errorf("%s is deployed with %s", id, name)
			}
		}
	}
}
