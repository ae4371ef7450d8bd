// Package pdffile writes PDF files from their objects, for demo resumes and for tests of readers.
// It knows the frame of a file, but not the content of the objects, which need not be valid.
package pdffile

import (
	"bytes"
	"fmt"
)

// Encode returns a PDF file of the objects 1, 2, 3 … with a correct cross-reference table. Object 1
// is the root.
func Encode(objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	table := fmt.Sprintf("xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for i, object := range objects {
		table += fmt.Sprintf("%010d 00000 n \n", b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	start := b.Len()
	fmt.Fprintf(&b, "%strailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", table, len(objects)+1, start)
	return b.Bytes()
}
