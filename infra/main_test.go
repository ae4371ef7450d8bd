package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// jsii talks to one Node process, so no test here is parallel.
func TestMain(m *testing.M) {
	_ = os.Setenv("JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION", "20") // as the Makefile does
	code := m.Run()
	jsii.Close()
	os.Exit(code)
}

// template is a synthesized stack as CloudFormation reads it, or a stage's stacks together.
type template struct {
	Resources map[string]resource
	Outputs   map[string]any
}

type resource struct {
	Type           string
	Properties     map[string]any
	Metadata       map[string]any
	UpdatePolicy   map[string]any
	DependsOn      []string
	DeletionPolicy string
}

// resourcesOf lists the resources of a type, by logical id.
func (tpl template) resourcesOf(kind string) map[string]resource {
	found := map[string]resource{}
	for id, r := range tpl.Resources {
		if r.Type == kind {
			found[id] = r
		}
	}
	return found
}

// synthesized is the result of synthesizing the stages of cdk.json.
type synthesized struct {
	// templates has the resources of all stacks of a stage, by the stage's name.
	templates map[string]template
	// stacks has each stack, by its name.
	stacks map[string]template
	// annotations are the errors and warnings of every rule, of cdk-nag too if synthChecked has synthesized.
	annotations []string
}

// build synthesizes the app of cdk.json, as it is deployed, once.
var build = sync.OnceValues(func() (synthesized, error) { return synthChecked(nil, nil, nil) })

func synthDeployed(t *testing.T) synthesized {
	t.Helper()
	s, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// synthInContext synthesizes the app with more context, like the option -c, and with every stage changed by change.
// The code is a stub, since tests only read the template.
func synthInContext(more map[string]any, change func(stage map[string]any)) (s synthesized, err error) {
	return synthApp(more, change, func(awscdk.App) {})
}

// synthChecked is synthInContext with the rules of cdk-nag, and with further constructs from plant in each service.
func synthChecked(more map[string]any, change func(stage map[string]any), plant func(stack awscdk.Stack)) (synthesized, error) {
	return synthApp(more, change, func(app awscdk.App) {
		for _, child := range *app.Node().Children() {
			if stack, ok := child.(awscdk.Stack); ok && plant != nil && strings.HasSuffix(*stack.StackName(), "-service") {
				plant(stack)
			}
		}
		addRules(app)
	})
}

func synthApp(more map[string]any, change func(stage map[string]any), finish func(app awscdk.App)) (s synthesized, err error) {
	context, err := cdkContext()
	if err != nil {
		return s, err
	}
	context["checking"] = "true"
	maps.Copy(context, more)
	if change != nil {
		for _, row := range context["stages"].(map[string]any) {
			change(row.(map[string]any))
		}
	}
	for _, name := range []string{"aws:cdk:enable-asset-metadata", "aws:cdk:enable-path-metadata"} { // as the command line does
		context[name] = true
	}
	programs, _ := more["programs"].(map[string]any)
	code, err := writeStubs(programs)
	if err != nil {
		return s, err
	}
	defer os.RemoveAll(code)
	out, err := os.MkdirTemp("", "cdk.out")
	if err != nil {
		return s, err
	}
	defer os.RemoveAll(out)
	defer func() { // jsii panics with what CDK refuses
		if v := recover(); v != nil {
			err = fmt.Errorf("%v", v)
		}
	}()
	app := awscdk.NewApp(&awscdk.AppProps{Context: &context, Outdir: jsii.String(out), AnalyticsReporting: jsii.Bool(false)})
	if err := addStages(app, code); err != nil {
		return s, err
	}
	finish(app)
	s.templates = map[string]template{}
	s.stacks = map[string]template{}
	for _, stack := range *app.Synth(nil).Stacks() {
		if err := s.addStack(out, *stack.StackName()); err != nil {
			return s, err
		}
	}
	return s, nil
}

// addStack reads what was synthesized for a stack in the directory out.
func (s *synthesized) addStack(out, name string) error {
	var tpl template
	var metadata map[string][]struct {
		Type string
		Data any
	}
	if err := errors.Join(readJSON(out+"/"+name+".template.json", &tpl), readJSON(out+"/"+name+".metadata.json", &metadata)); err != nil {
		return err
	}
	for path, messages := range metadata { // among them the findings of cdk-nag and CDK
		for _, m := range messages {
			if m.Type == "aws:cdk:error" || m.Type == "aws:cdk:warning" {
				s.annotations = append(s.annotations, fmt.Sprintf("%s: %v", path, m.Data))
			}
		}
	}
	s.stacks[name] = tpl
	return s.addResources(stageOf(name), tpl)
}

func readJSON(file string, to any) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, to)
}

func (s *synthesized) addResources(stage string, tpl template) error {
	if s.templates[stage].Resources == nil {
		s.templates[stage] = template{Resources: map[string]resource{}, Outputs: map[string]any{}}
	}
	for id, r := range tpl.Resources {
		if _, twice := s.templates[stage].Resources[id]; twice {
			return fmt.Errorf("two stacks of %s have a resource %s", stage, id)
		}
		s.templates[stage].Resources[id] = r
	}
	maps.Copy(s.templates[stage].Outputs, tpl.Outputs)
	return nil
}

// stageOf returns the stage of a stack: "prod-us" of "rmk-prod-us-data".
func stageOf(stack string) string {
	return stack[len("rmk-"):strings.LastIndex(stack, "-")]
}

// cdkContext returns the context of cdk.json, with the offline rules enabled.
func cdkContext() (map[string]any, error) {
	var config struct{ Context map[string]any }
	err := readJSON("cdk.json", &config)
	return config.Context, err
}

// writeStubs creates a directory with stub code for every function, or the program of that name.
func writeStubs(programs map[string]any) (string, error) {
	dir, err := os.MkdirTemp("", "code")
	if err != nil {
		return "", err
	}
	for _, f := range slices.Concat(topology.Containers, topology.Functions) {
		if err := os.MkdirAll(filepath.Join(dir, f.Name), 0o755); err != nil {
			return "", err
		}
		for _, file := range []string{"bootstrap", "Dockerfile"} {
			text, _ := programs[f.Name].(string)
			if err := os.WriteFile(filepath.Join(dir, f.Name, file), []byte("FROM scratch\n"+text), 0o755); err != nil {
				return "", err
			}
		}
	}
	return dir, nil
}

// A file of resources/ is refused that has a key besides Type and Properties, or a value that is not given.
func TestResourcesHaveTypeAndPropertiesAlone(t *testing.T) {
	for file, isValid := range map[string]bool{
		"Type: AWS::Logs::LogGroup\nProperties: {LogGroupName: {{.Name}}}\n":              true,
		"Type: AWS::Logs::LogGroup\nPropertys: {LogGroupName: {{.Name}}}\n":               false,
		"Type: AWS::Logs::LogGroup\nDeletionPolicy: Retain\nProperties: {A: {{.Name}}}\n": false,
		"Type: AWS::Logs::LogGroup\nProperties: {LogGroupName: {{.Title}}}\n":             false,
		"Type: AWS::Logs::LogGroup\nProperties: {LogGroupName: {{json .Name}}, A: {{.}\n": false,
	} {
		files := fstest.MapFS{"resources/Log.yaml": {Data: []byte(file)}}
		props, err := fillResource(files, "Log", map[string]any{"Name": "search"})
		if isValid != (err == nil) {
			t.Errorf("%q: got %+v, %v", file, props, err)
		}
		if err == nil && (*props.Properties)["LogGroupName"] != "search" {
			t.Errorf("%q has the properties %v", file, props.Properties)
		}
	}
}
