package emulator

import (
	"context"
	_ "embed"
	"os/exec"
	"path/filepath"
)

//go:embed fauxqs.mjs
var fauxqs string

// StartSQS starts SQS and returns once it serves requests. It ignores Options.Dir and keeps nothing on disk.
func StartSQS(ctx context.Context, o Options) (*Process, error) {
	if p := externalService(SQS); p != nil {
		return p, nil
	}
	module, err := o.findProgram(SQS, "fauxqs")
	if err != nil {
		return nil, err
	}
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, errNoNode
	}
	cmd := exec.Command(node, "--input-type=module", "--eval", fauxqs)
	cmd.Dir = filepath.Dir(filepath.Dir(module)) // where --eval looks for node_modules
	return startChild(ctx, cmd, &output{url: make(chan string, 1)}, pollUntilReady("AmazonSQS.ListQueues"))
}
