package resume

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo/pdffile"
	"github.com/recruiting-marketplace/external-api/local/testkit/resumetest"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
)

// allMutants is how many spoilt files of each format a benchmark reads; the test reads the first of them.
const allMutants = 2000

// readOriginals are the good files of each format that mutants are made from.
func readOriginals(tb testing.TB) map[filetype.Type][][]byte {
	tb.Helper()
	file := func(name string) []byte {
		content, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		return content
	}
	return map[filetype.Type][][]byte{
		filetype.PDF:      {readSample("maya-okafor.libreoffice.pdf"), readSample("maya-okafor.chromium.pdf"), file("testdata/corpus/tuning/lukasz.sidebar.chromium.pdf")},
		filetype.DOCX:     {readSample("jonas-lindqvist.docx"), file("testdata/corpus/tuning/omar.table.docx")},
		filetype.ODT:      {file("testdata/jonas-lindqvist.odt")},
		filetype.RTF:      {file("testdata/jonas-lindqvist.rtf"), file("testdata/corpus/tuning/aisha.table.libreoffice.rtf")},
		filetype.HTML:     {file("testdata/jonas-lindqvist.html")},
		filetype.Text:     {readSample("priya-raman.txt")},
		filetype.Markdown: {[]byte("# Maya Okafor\n\n**Engineer** at [Acme](https://example.org)\n\n## Experience\n\n- Engineer, Acme, 2019 – Present\n")},
	}
}

// newMutant spoils a file in one to eight places, the same for the same number. Of
// containers it spoils a part every second time, since a spoilt container hardly
// ever opens.
func newMutant(content []byte, number int) []byte {
	dice := rand.New(rand.NewPCG(uint64(number), uint64(len(content))))
	if filetype.IsZip(content) && number%2 == 0 {
		return damageZipEntry(content, dice)
	}
	return damageBytes(content, dice)
}

func damageBytes(content []byte, dice *rand.Rand) []byte {
	out := bytes.Clone(content)
	for range 1 + dice.IntN(8) {
		if len(out) < 2 {
			return out
		}
		at := dice.IntN(len(out) - 1)
		end := min(len(out), at+1+dice.IntN(64))
		switch dice.IntN(7) {
		case 0:
			out[at] ^= 1 << dice.IntN(8)
		case 1:
			out[at] = byte(dice.IntN(256))
		case 2:
			out = append(out[:at:at], out[end:]...)
		case 3:
			out = append(out[:end:end], bytes.Repeat(out[at:end], 1+dice.IntN(50))...)
		case 4:
			out = append(append(out[:at:at], []byte(fmt.Sprint(dice.Int64()))...), out[end:]...)
		case 5:
			from := dice.IntN(len(out))
			copy(out[at:end], out[from:])
		case 6:
			if dice.IntN(4) == 0 {
				out = out[:at+1]
			}
		}
	}
	return out
}

// damageZipEntry spoils one part of a container.
func damageZipEntry(content []byte, dice *rand.Rand) []byte {
	r, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		panic(err)
	}
	chosen := dice.IntN(len(r.File))
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i, f := range r.File {
		in, err := f.Open()
		if err != nil {
			panic(err)
		}
		text, _ := io.ReadAll(in)
		if i == chosen {
			text = damageBytes(text, dice)
		}
		out, err := w.Create(f.Name)
		if err != nil {
			panic(err)
		}
		_, _ = out.Write(text)
	}
	_ = w.Close()
	return b.Bytes()
}

// readMutants reads the numbered mutants of a format, and counts those that were read and those that failed, by kind.
func readMutants(tb testing.TB, files [][]byte, from, to int) map[document.Kind]int {
	tb.Helper()
	kinds := make(map[document.Kind]int)
	for i := from; i < to; i++ {
		start := time.Now()
		doc, err := Read(context.Background(), newMutant(files[i%len(files)], i))
		var failure *document.Failure
		switch {
		case errors.As(err, &failure):
			kinds[failure.Kind]++
		case err != nil:
			tb.Errorf("mutant %d: an error without a type: %v", i, err)
		default:
			kinds[""]++
			checkDocument(tb, doc)
			Extract(doc, asOf)
		}
		if took := time.Since(start); took > time.Minute {
			tb.Errorf("mutant %d took %s", i, took)
		}
	}
	if doc, err := Read(context.Background(), files[0]); err != nil || len(doc.Blocks) == 0 {
		tb.Errorf("a good file could not be read after the mutants: %v", err)
	}
	return kinds
}

func TestMutantsEndTyped(t *testing.T) {
	t.Parallel()
	for kind, files := range readOriginals(t) {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			n := 200
			if kind == filetype.PDF || resumetest.Race {
				n = 40
			}
			t.Logf("%v", readMutants(t, files, 0, n))
		})
	}
}

// BenchmarkMutants reads all mutants; its time is that of 2,000 files.
func BenchmarkMutants(b *testing.B) {
	for kind, files := range readOriginals(b) {
		b.Run(string(kind), func(b *testing.B) {
			var kinds map[document.Kind]int
			for b.Loop() {
				kinds = readMutants(b, files, 0, allMutants)
			}
			b.Logf("%d mutants: %v", allMutants, kinds)
		})
	}
}

func FuzzPDF(f *testing.F) {
	f.Add([]byte("1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj trailer<</Root 1 0 R>>"))
	f.Add(pdffile.Encode("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>", "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]>>")[8:])
	f.Fuzz(func(t *testing.T, content []byte) { checkRead(t, append([]byte("%PDF-1.7"), content...)) })
}
