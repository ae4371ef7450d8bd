package resume

import (
	"context"
	"fmt"
	"github.com/recruiting-marketplace/external-api/local/demo/resumes"
	"testing"
	"time"
)

func TestTry(t *testing.T) {
	es, _ := resumes.Files.ReadDir(".")
	for _, e := range es {
		b, _ := resumes.Files.ReadFile(e.Name())
		t0 := time.Now()
		d, err := Read(context.Background(), b)
		fmt.Println("==", e.Name(), err, time.Since(t0))
		for _, l := range d.Lines {
			fmt.Printf("%q\n", l)
		}
		fmt.Println(d.Links, d.Warnings)
	}
}
