package resume

import (
	"context"
	"testing"
)

func BenchmarkRead(b *testing.B) {
	for _, name := range []string{"maya-okafor.libreoffice.pdf", "maya-okafor.chromium.pdf", "jonas-lindqvist.docx", "priya-raman.txt"} {
		b.Run(name, func(b *testing.B) {
			content := sample(name)
			if _, err := Read(context.Background(), content); err != nil { // compiles the sandbox outside the measurement
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				doc, err := Read(context.Background(), content)
				if err != nil || Understand(doc, asOf).Name == "" {
					b.Fatal(err)
				}
			}
		})
	}
}
