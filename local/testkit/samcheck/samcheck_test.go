package samcheck

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

var (
	lambdaAddress = flag.String("lambda", "", "address of sam local start-lambda; without it nothing is compared")
	apiAddress    = flag.String("api", "", "address of sam local start-api")
)

// Every event of events/ is invoked, and what an HTTP event gets is what the local system answers to the same
// request, request ids and times aside. A submission through SAM's API succeeds. The system's address and keys
// come from the environment, as the file env of its data directory has them.
func TestSAM(t *testing.T) {
	t.Parallel()
	if *lambdaAddress == "" {
		t.Skip("SAM is not running: .ci/sam starts it, and gives its addresses in flags")
	}
	scene, err := newScene(t.Context(), os.Getenv("BASE_URL"), os.Getenv("AGENCY_KEY"), os.Getenv("RECRUITER_KEY"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../../../events/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no events in the directory events: %v", err)
	}
	for _, file := range files {
		if err := scene.checkEvent(t.Context(), file); err != nil {
			t.Fatalf("%s: %v", filepath.Base(file), err)
		}
	}
	t.Logf("%d events get the answers of the local system", len(files))
	api := client.New(*apiAddress+contract.BasePath, os.Getenv("AGENCY_KEY"))
	batch, err := submitAndWait(t.Context(), api, "Maya Okafor", "maya-okafor.libreoffice.pdf")
	if err != nil {
		t.Fatalf("a submission through %s: %v", *apiAddress, err)
	}
	t.Logf("a submission through SAM's API has %s", batch.Items[0].Status)
}
