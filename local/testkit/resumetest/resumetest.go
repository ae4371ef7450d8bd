// Package resumetest prepares tests that read PDF files, and tests of memory, for the race detector.
//
// Compiling pdfium takes 1.5 s and 140 MB, but under the race detector ten times as long and
// six times as much. The compiled code is the same in both, and is cached in the temporary
// folder: a process without the detector can compile it for one with it.
package resumetest

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"context"
	"fmt"
	"os/exec"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/local/demo/pdffile"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
)

// Race reports whether this binary is built with the race detector.
var Race = func() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}()

// Warm compiles pdfium into the cache that test binaries share. TestMain of every package with tests that
// read PDF files calls it; without the race detector it does nothing.
func Warm() error {
	if !Race {
		return nil
	}
	_, err := runPlain("shared/candidate/resume/pdf", "TestSandboxCompiles")
	return err
}

// RanPlain runs the calling test in a process without the race detector if this one has it, and
// reports whether it did; if so, the caller must return. It is for limits of memory and time,
// which apply to the program as it is deployed, and for long computations in one goroutine.
// folder is that of the test's package.
func RanPlain(t *testing.T, folder string) bool {
	t.Helper()
	if !Race {
		return false
	}
	output, err := runPlain(folder, t.Name())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s", output)
	return true
}

// runPlain runs one test of a package without the race detector and returns its output. It
// needs the go command. It runs a test and not a program, because wazero keeps separate
// caches for test binaries and other programs.
func runPlain(folder, test string) (output []byte, err error) {
	output, err = exec.Command("go", "test", "-race=false", "-vet=off", "-count=1", "-v", "-run=^"+test+"$",
		"github.com/recruiting-marketplace/external-api/"+folder).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s without the race detector: %w\n%s", test, err, output)
	}
	return output, err
}

// EndingContext ends after End calls of Err, and counts the calls.
type EndingContext struct {
	context.Context
	Checks, End int
}

// Err returns nil for the first End calls, and context.Canceled for all others.
func (c *EndingContext) Err() error {
	c.Checks++
	if c.Checks > c.End {
		return context.Canceled
	}
	return nil
}

// Part is an entry of a zip: text to be packed, or data that is deflated already and its size unpacked.
type Part struct {
	Name, Text string
	Deflated   []byte
	Size       int
}

// NewDocumentPart returns the part of a DOCX file that holds its body.
func NewDocumentPart(xml string) Part { return Part{Name: "word/document.xml", Text: xml} }

const wordTypes = `<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`

// NewDOCX returns a DOCX file of these parts and its content types.
func NewDOCX(parts ...Part) []byte {
	return ZipParts(append([]Part{{Name: "[Content_Types].xml", Text: wordTypes}}, parts...)...)
}

// NewODT returns an ODT file with a body and further parts.
func NewODT(body string, more ...Part) []byte {
	kind := Part{Name: "mimetype", Text: filetype.ODT.ContentType()}
	content := Part{Name: "content.xml", Text: "<c><b>" + body + "</b></c>"}
	return ZipParts(append([]Part{kind, content}, more...)...)
}

// ZipParts returns a zip of these parts, in order.
func ZipParts(parts ...Part) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, p := range parts {
		if p.Deflated == nil {
			p.Deflated = CompressDeflate([]byte(p.Text))
			p.Size = len(p.Text)
		}
		f, err := w.CreateRaw(&zip.FileHeader{
			Name: p.Name, Method: zip.Deflate, CompressedSize64: uint64(len(p.Deflated)), UncompressedSize64: uint64(p.Size),
		})
		if err != nil {
			panic(err)
		}
		_, _ = f.Write(p.Deflated)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// CompressDeflate returns content deflated.
func CompressDeflate(content []byte) []byte {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression)
	_, _ = w.Write(content)
	_ = w.Close()
	return b.Bytes()
}

// Wrap returns a file of a format with body as its content.
func Wrap(of filetype.Type, body string) []byte {
	switch of {
	case filetype.Markdown:
		return []byte("# Curriculum vitae\n" + body)
	case filetype.HTML:
		return []byte("<html>" + body)
	case filetype.RTF:
		return []byte(`{\rtf1 ` + body)
	case filetype.DOCX:
		return NewDOCX(NewDocumentPart(body))
	case filetype.ODT:
		return NewODT(body)
	}
	return []byte("Maya Okafor\n" + body)
}

// Repeat repeats unit up to n bytes.
func Repeat(n int, unit string) string { return strings.Repeat(unit, n/len(unit)) }

// PDFOfForms returns a PDF file with depth forms, each of which draws the next one width times.
// Drawing them all takes longer than any reader waits.
func PDFOfForms(width, depth int) []byte {
	objects := []string{
		"<</Type/Catalog/Pages 2 0 R>>",
		"<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>>>",
		newStream("", "/X Do"),
	}
	drawing := strings.Repeat("BT /F1 9 Tf (x) Tj ET /X Do ", width)
	for i := range depth {
		resources := fmt.Sprintf("<</XObject<</X %d 0 R>>/Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>", 6+i)
		objects = append(objects, newStream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources"+resources, drawing))
	}
	return pdffile.Encode(objects...)
}

func newStream(entries, content string) string {
	return fmt.Sprintf("<<%s/Length %d>>stream\n%s\nendstream", entries, len(content), content)
}
