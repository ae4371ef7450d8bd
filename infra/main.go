// Command infra is the deployment: a CDK app that creates the stacks of every stage, from the
// contract's routes and the topology's tables, queues, buckets and functions.
//
// It knows how a row of those tables becomes AWS resources, with the least permissions
// and with alarms. It does not know what is deployed: a new route, table, queue or
// function is a new row, without a change here. README.md is the operator's guide.
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
		"aws:cdk:disable-creation-stack-traces": true, // they contain a path that differs at each run
	}})
	if err := addStages(app, contextText(app, "code", "../build")); err != nil {
		jsii.Close()
		log.Fatal(err)
	}
	addRules(app)
	app.Synth(nil)
}

// addStages creates the stacks of the stages in the app's context: of the one that the
// context's "stage" names, or of all. The code of each function is in a directory below code.
//
// A stage that lacks what its deployment needs is refused, unless the context's "checking" says
// that nothing will be deployed from the templates.
func addStages(app awscdk.App, code string) error {
	rows, ok := app.Node().TryGetContext(new("stages")).(map[string]any)
	if !ok {
		return fmt.Errorf("the context has no stages: infra/cdk.json is not in use")
	}
	names := slices.Sorted(maps.Keys(rows))
	if name := contextText(app, "stage", ""); name != "" {
		names = []string{name}
	}
	for _, name := range names {
		stage, err := parseStage(name, rows[name])
		if err != nil {
			return err
		}
		if contextText(app, "checking", "") == "" {
			if err := stage.checkDeployable(); err != nil {
				return err
			}
		}
		stage.Version = contextText(app, "version", "dev")
		stage.Generation = contextText(app, "generation", "unknown")
		stage.SAM = contextText(app, "sam", "")
		newDeployment(app, stage, code)
	}
	return nil
}

// addRules lets synthesis fail with what breaks a rule of cdk-nag.
func addRules(app awscdk.App) {
	awscdk.Aspects_Of(app).Add(cdknag.NewAwsSolutionsChecks(&cdknag.NagPackProps{Reports: new(false)}), nil)
}

func contextText(app awscdk.App, name, fallback string) string {
	if text, ok := app.Node().TryGetContext(new(name)).(string); ok && text != "" {
		return text
	}
	return fallback
}

// constructID returns the id of a construct for a logical name: "ingest-dlq" becomes
// "IngestDlq".
func constructID(name string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(name, "-") {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}
