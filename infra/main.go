// Command infra is the deployment: a CDK app that makes one stack a stage, from
// the contract's routes and the topology's tables, queues, buckets and functions.
//
// It adds no facts of its own about what is deployed: a route, table, queue or
// function is a row there. What is here is how a row becomes AWS resources, with
// the least permissions, and what watches over them. README.md beside is the
// operator's guide.
package main

import (
	"fmt"
	"log"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"
	"github.com/cdklabs/cdk-nag-go/cdknag/v2"
)

func main() {
	defer jsii.Close()
	if os.Getenv("CDK_OUTDIR") == "" {
		log.Fatal("infra is run by the CDK command line: use make synth")
	}
	app := awscdk.NewApp(&awscdk.AppProps{Context: &map[string]any{
		"aws:cdk:disable-creation-stack-traces": true, // they hold a path that is another at each run
	}})
	if err := addStages(app, contextText(app, "code", "../build")); err != nil {
		jsii.Close()
		log.Fatal(err)
	}
	app.Synth(nil)
}

// addStages makes the stack of every stage in the app's context, with the
// functions' code from a directory each below code.
func addStages(app awscdk.App, code string) error {
	rows, ok := app.Node().TryGetContext(jsii.String("stages")).(map[string]any)
	if !ok {
		return fmt.Errorf("the context has no stages: infra/cdk.json is not in use")
	}
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		stage, err := parseStage(name, rows[name])
		if err != nil {
			return err
		}
		stage.Version = contextText(app, "version", "dev")
		stage.SAM = contextText(app, "sam", "")
		newStack(app, stage, code)
	}
	awscdk.Aspects_Of(app).Add(cdknag.NewAwsSolutionsChecks(&cdknag.NagPackProps{Reports: jsii.Bool(false)}), nil)
	return nil
}

func contextText(app awscdk.App, name, fallback string) string {
	if text, ok := app.Node().TryGetContext(jsii.String(name)).(string); ok && text != "" {
		return text
	}
	return fallback
}

// stringPointers turns strings into what CDK takes.
func stringPointers(all ...string) *[]*string { return jsii.Strings(all...) }

// constructID makes the id of a construct from a logical name: "ingest-dlq" is "IngestDlq".
func constructID(name string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(name, "-") {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}
