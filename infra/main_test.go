package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/assertions"
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

// template is a synthesized stack as CloudFormation reads it.
type template struct {
	Resources map[string]resource
	Outputs   map[string]any
}

type resource struct {
	Type           string
	Properties     map[string]any
	Metadata       map[string]any
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
	templates map[string]template
	// annotations are the errors and warnings of every rule.
	annotations []string
}

// build synthesizes the app of cdk.json, as it is deployed, once.
var build = sync.OnceValues(func() (synthesized, error) { return synthWith(nil, nil) })

func synthDeployed(t *testing.T) synthesized {
	t.Helper()
	s, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// synthWith synthesizes the app with every stage changed by change and further
// constructs from plant. The code is a stub, since tests only read the template.
func synthWith(change func(stage map[string]any), plant func(stack awscdk.Stack)) (synthesized, error) {
	return synthInContext(nil, change, plant)
}

// synthInContext is synthWith with more context, like the option -c.
func synthInContext(more map[string]any, change func(stage map[string]any), plant func(stack awscdk.Stack)) (s synthesized, err error) {
	context, err := cdkContext()
	if err != nil {
		return s, err
	}
	maps.Copy(context, more)
	if change != nil {
		for _, row := range context["stages"].(map[string]any) {
			change(row.(map[string]any))
		}
	}
	for _, name := range []string{"aws:cdk:enable-asset-metadata", "aws:cdk:enable-path-metadata"} { // as the command line does
		context[name] = true
	}
	code, err := writeStubs()
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
	for _, child := range *app.Node().Children() {
		if stack, ok := child.(awscdk.Stack); ok && plant != nil {
			plant(stack)
		}
	}
	s.templates = map[string]template{}
	for _, child := range *app.Node().Children() {
		if stack, ok := child.(awscdk.Stack); ok {
			if s.templates[*stack.StackName()], err = readTemplate(stack); err != nil {
				return s, err
			}
			s.annotations = append(s.annotations, annotationsOf(stack)...)
		}
	}
	return s, nil
}

func readTemplate(stack awscdk.Stack) (t template, err error) {
	data, err := json.Marshal(assertions.Template_FromStack(stack, nil).ToJSON())
	if err != nil {
		return t, err
	}
	return t, json.Unmarshal(data, &t)
}

// annotationsOf returns the findings of cdk-nag and CDK, as text.
func annotationsOf(stack awscdk.Stack) (found []string) {
	all := assertions.Annotations_FromStack(stack)
	for _, none := range []func(*string, any){all.HasNoError, all.HasNoWarning} {
		func() {
			defer func() { // findings are reported by a panic
				if v := recover(); v != nil {
					found = append(found, fmt.Sprint(v))
				}
			}()
			none(jsii.String("*"), assertions.Match_AnyValue())
		}()
	}
	return found
}

// cdkContext returns the context of cdk.json, with the offline rules enabled.
func cdkContext() (map[string]any, error) {
	data, err := os.ReadFile("cdk.json")
	if err != nil {
		return nil, err
	}
	var config struct{ Context map[string]any }
	return config.Context, json.Unmarshal(data, &config)
}

// writeStubs creates a directory with stub code for every function.
func writeStubs() (string, error) {
	dir, err := os.MkdirTemp("", "code")
	if err != nil {
		return "", err
	}
	for _, f := range append([]topology.Function{topology.Uploads}, topology.Functions...) {
		if err := os.MkdirAll(filepath.Join(dir, f.Name), 0o755); err != nil {
			return "", err
		}
		for _, file := range []string{"bootstrap", "Dockerfile"} {
			if err := os.WriteFile(filepath.Join(dir, f.Name, file), []byte("FROM scratch\n"), 0o755); err != nil {
				return "", err
			}
		}
	}
	return dir, nil
}
