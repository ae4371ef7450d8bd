package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// runScript runs one of the scripts with fakes of the commands that it starts: aws
// prints the account, and every cdk prints its arguments.
func runScript(t *testing.T, name, account string, env []string, args ...string) (string, error) {
	t.Helper()
	bin := t.TempDir()
	for file, text := range map[string]string{
		"aws": `case "$*" in
			"sts get-caller-identity"*) echo ` + account + ` ;;
			*"describe-stacks --region us-east-1 --stack-name rmk-prod-"*-edge*) echo "$EDGE_ORIGIN" ;;
			*"OutputKey=='ApiHost'].OutputValue"*) echo "$API_HOST" ;;
			*describe-stacks*-service*) echo "$API_HOST balancer" ;;
		esac`,
		"cdk": `echo "cdk $*"; env | grep ^AWS_ | sort`,
	} {
		if err := os.WriteFile(filepath.Join(bin, file), []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command("./"+name, args...)
	command.Env = append([]string{
		"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "CDK=" + bin + "/cdk", "CDKLOCAL=" + bin + "/cdk", "VERSION=v1", "BUILD=echo building",
	}, env...)
	out, err := command.CombinedOutput()
	return string(out), err
}

// A deployment shows what it changes, asks, and refuses to mix an emulator with an
// account.
func TestDeployRefusesMixUps(t *testing.T) {
	region := "AWS_REGION=eu-west-1"
	for name, c := range map[string]struct {
		account string
		env     []string
		args    []string
		want    string
		ok      bool
	}{
		"confirmed":            {"123456789012", []string{region, "CONFIRM=dev"}, []string{"deploy", "dev"}, "cdk deploy rmk-dev-data rmk-dev-service --exclusively --no-notices -c stage=dev -c version=v1", true},
		"says what it touches": {"123456789012", []string{region, "CONFIRM=dev"}, []string{"deploy", "dev"}, "account  123456789012\nregion   eu-west-1\nstacks   rmk-dev-*\naction   deploy", true},
		"the stage's region":   {"123456789012", []string{"AWS_REGION=us-east-1", "CONFIRM=prod-eu"}, []string{"deploy", "prod-eu"}, "region   eu-west-1", true},
		"a diff asks nothing":  {"123456789012", []string{region}, []string{"diff", "dev"}, "cdk diff rmk-dev-* --method=template", true},
		"removal":              {"123456789012", []string{region, "CONFIRM=dev"}, []string{"destroy", "dev"}, "cdk destroy rmk-dev-*", true},
		"not confirmed":        {"123456789012", []string{region}, []string{"deploy", "dev"}, "not confirmed", false},
		"another's name":       {"123456789012", []string{region, "CONFIRM=prod-us"}, []string{"deploy", "dev"}, "not confirmed", false},
		"an endpoint":          {"123456789012", []string{region, "CONFIRM=dev", "AWS_ENDPOINT_URL=http://localhost:4566"}, []string{"deploy", "dev"}, "AWS_ENDPOINT_URL points to an emulator", false},
		"a service's endpoint": {"123456789012", []string{region, "AWS_ENDPOINT_URL_S3=http://localhost:4566"}, []string{"diff", "dev"}, "AWS_ENDPOINT_URL_S3 points to an emulator", false},
		"LocalStack's keys":    {"123456789012", []string{region, "CONFIRM=dev", "AWS_ACCESS_KEY_ID=test"}, []string{"deploy", "dev"}, "an emulator's", false},
		"LocalStack's account": {"000000000000", []string{region, "CONFIRM=dev"}, []string{"deploy", "dev"}, "LocalStack's", false},
		"no such stage":        {"123456789012", []string{region, "CONFIRM=qa"}, []string{"deploy", "qa"}, "no stage qa", false},
		"no region":            {"123456789012", []string{"CONFIRM=dev"}, []string{"deploy", "dev"}, "no region", false},
	} {
		out, err := runScript(t, "deploy", c.account, c.env, c.args...)
		if (err == nil) != c.ok || !strings.Contains(out, c.want) {
			t.Errorf("%s: got %v\n%s\nwant %q", name, err, out, c.want)
		}
		if strings.Contains(out, "building") != c.ok {
			t.Errorf("%s: got\n%s\nwant a build if and only if it goes on", name, out)
		}
		if !c.ok && strings.Contains(out, "cdk ") {
			t.Errorf("%s: cdk was started:\n%s", name, out)
		}
	}
}

// The edge is deployed after the service, with a text that changes with the service's outputs, and the
// deployment fails if the edge still leads to another API.
func TestTheEdgeFollowsTheService(t *testing.T) {
	deployEdge := func(host, origin string) (line, out string, err error) {
		out, err = runScript(t, "deploy", "123456789012", []string{"CONFIRM=prod-us", "API_HOST=" + host, "EDGE_ORIGIN=" + origin}, "deploy", "prod-us")
		before, after, found := strings.Cut(out, "cdk deploy rmk-prod-us-edge ")
		if !found || !strings.Contains(before, "cdk deploy rmk-prod-us-data rmk-prod-us-service --exclusively ") {
			t.Fatalf("got %v\n%s\nwant the edge after data and service", err, out)
		}
		line, _, _ = strings.Cut(after, "\n")
		return line, out, err
	}
	first, out, err := deployEdge("one.example.com", "one.example.com")
	if err != nil || !strings.Contains(first, "-c generation=") {
		t.Errorf("got %v\n%s", err, out)
	}
	if again, _, _ := deployEdge("one.example.com", "one.example.com"); again != first {
		t.Errorf("without a change: got %s\nwant %s", again, first)
	}
	other, out, err := deployEdge("two.example.com", "one.example.com")
	if other == first {
		t.Errorf("another API: the edge is not deployed: %s", other)
	}
	if err == nil || !strings.Contains(out, "the edge leads to one.example.com and not to two.example.com") {
		t.Errorf("an edge that leads elsewhere: got %v\n%s", err, out)
	}
}

// Deploying to LocalStack uses only its own credentials, and requires a running one.
func TestLocalStackRefusesRealCredentials(t *testing.T) {
	for name, c := range map[string]struct {
		env  []string
		want string
	}{
		"a profile":       {[]string{"AWS_PROFILE=work"}, "AWS_PROFILE"},
		"a session":       {[]string{"AWS_SESSION_TOKEN=x"}, "AWS_SESSION_TOKEN"},
		"real keys":       {[]string{"AWS_ACCESS_KEY_ID=AKIAEXAMPLE"}, "may be real"},
		"another machine": {[]string{"LOCALSTACK=https://dynamodb.us-east-1.amazonaws.com"}, "not on this machine"},
		"nobody there":    {[]string{"LOCALSTACK=http://127.0.0.1:9"}, "no LocalStack answers"},
	} {
		out, err := runScript(t, "localstack", "123456789012", c.env)
		if err == nil || !strings.Contains(out, c.want) || strings.Contains(out, "cdk ") {
			t.Errorf("%s: got %v\n%s\nwant %q", name, err, out, c.want)
		}
	}
}
