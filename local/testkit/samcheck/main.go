// Command samcheck compares the functions that SAM runs in containers with the local system (.ci/sam). Every
// event of events/ is invoked, and what an HTTP event gets must be what the local system answers to the same
// request, request ids and times aside. A submission through SAM's API must succeed.
//
//	samcheck --lambda=http://127.0.0.1:3001 --api=http://127.0.0.1:3000
//
// The system's address and keys come from the environment, as the file env of its data directory has them.
package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/alecthomas/kong"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

type command struct {
	Lambda    string `required:"" help:"Address of sam local start-lambda."`
	API       string `required:"" help:"Address of sam local start-api."`
	Base      string `required:"" env:"BASE_URL" help:"Base URL of the local system."`
	Agency    string `required:"" env:"AGENCY_KEY" help:"Agency key."`
	Recruiter string `required:"" env:"RECRUITER_KEY" help:"Recruiter key."`
}

func main() {
	var c command
	kong.Parse(&c, kong.Description("Compares functions under SAM with the local system.")).FatalIfErrorf(c.run(context.Background()))
}

func (c command) run(ctx context.Context) error {
	scene, err := c.newScene(ctx)
	if err != nil {
		return err
	}
	files, err := filepath.Glob("events/*.json")
	if err == nil && len(files) == 0 {
		err = errors.New("no events in the directory events")
	}
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := scene.checkEvent(ctx, file); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(file), err)
		}
	}
	fmt.Printf("%d events get the answers of the local system\n", len(files))
	batch, err := submitAndWait(ctx, client.New(c.API+contract.BasePath, c.Agency), "Maya Okafor", "maya-okafor.libreoffice.pdf")
	if err != nil {
		return fmt.Errorf("a submission through %s: %w", c.API, err)
	}
	fmt.Printf("a submission through SAM's API has %s\n", batch.Items[0].Status)
	return nil
}
