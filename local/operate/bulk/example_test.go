package bulk_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/recruiting-marketplace/external-api/local/operate/bulk"
)

// A run applies every line that is not blank and returns the position from which the
// next run continues.
func ExampleLoad_Run() {
	load := bulk.Load{
		Apply: func(_ context.Context, line string) (refused string, err error) {
			if !strings.HasPrefix(line, "{") {
				return "not a JSON object", nil
			}
			return "", nil
		},
		Parallel: 2,
		Done:     func(bulk.Position) error { return nil },
		Refused:  func(line int, reason string) { fmt.Printf("line %d: %s\n", line, reason) },
	}
	source := "{}\n\nnonsense\n{}\n"
	end, err := load.Run(context.Background(), strings.NewReader(source), bulk.Position{})
	fmt.Printf("%d lines, %d refused, %d bytes, %v\n", end.Lines, end.Refused, end.Offset, err)
	// Output:
	// line 3: not a JSON object
	// 3 lines, 1 refused, 16 bytes, <nil>
}
