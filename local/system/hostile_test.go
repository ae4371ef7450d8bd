package system_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// Files made to hurt their reader end as unreadable, and the next good one is
// read: nothing is left broken by them. Package resume tests many more.
func TestHostileFiles(t *testing.T) {
	t.Parallel()
	b := start(t, nil)
	api := b.agency()
	for name, content := range map[string][]byte{
		"a DOCX that unpacks to a gigabyte":  zipBomb(1 << 30),
		"a PDF page of a gigabyte of spaces": deflateBomb(1 << 30),
		"a PDF whose pages hold each other":  pageLoop(),
		"a PDF of a header and nothing more": []byte("%PDF-1.7\n"),
		"a DOCX without a body":              archived(),
		"a DOCX whose body is no XML":        archived(entry{"word/document.xml", []byte("not XML at all <<<"), 0}),
	} {
		t.Run(name, func(t *testing.T) {
			in := request(t, priya, "")
			in.Resume.ContentBase64 = base64.StdEncoding.EncodeToString(content)
			ends(t, outcome(t, api, in), contract.Failed, contract.ResumeParseFailed)
		})
	}
	ends(t, outcome(t, api, request(t, mayaLibreOffice, "")), contract.Succeeded, "")
	ends(t, outcome(t, api, request(t, jonas, "")), contract.Succeeded, "")
	b.settledForGood()
}

// entry is a part of an archive: content to be packed, or, with a size, packed already.
type entry struct {
	name    string
	content []byte
	size    uint64
}

func archived(entries ...entry) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	types := `<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`
	for _, e := range append([]entry{{"[Content_Types].xml", []byte(types), 0}}, entries...) {
		if e.size == 0 {
			f, _ := w.Create(e.name) // writing to memory cannot fail
			_, _ = f.Write(e.content)
			continue
		}
		f, _ := w.CreateRaw(&zip.FileHeader{Name: e.name, Method: zip.Deflate, CompressedSize64: uint64(len(e.content)), UncompressedSize64: e.size})
		_, _ = f.Write(e.content)
	}
	_ = w.Close()
	return b.Bytes()
}

func zipBomb(size int) []byte {
	return archived(entry{"word/document.xml", spaces(size), uint64(size)})
}

// spaces deflates size spaces by repeating one block of a megabyte.
func spaces(size int) []byte {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression)
	_, _ = w.Write(bytes.Repeat([]byte(" "), 1<<20))
	_ = w.Flush()
	return append(bytes.Repeat(b.Bytes(), size>>20), 1, 0, 0, 0xff, 0xff)
}

func deflateBomb(size int) []byte {
	var stream bytes.Buffer
	stream.Write([]byte{0x78, 0xda}) // zlib's frame; its checksum is wrong, which no reader minds
	stream.Write(spaces(size))
	stream.Write([]byte{0, 0, 0, 1})
	return pdf("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R>>",
		fmt.Sprintf("<</Filter/FlateDecode/Length %d>>stream\n%s\nendstream", stream.Len(), stream.String()))
}

func pageLoop() []byte {
	return pdf("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R 3 0 R]/Count 99>>",
		"<</Type/Pages/Parent 2 0 R/Kids[2 0 R 2 0 R]/Count 99>>")
}

// pdf writes objects 1, 2, 3 … with their cross-reference table; object 1 is the root.
func pdf(objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	table := fmt.Sprintf("xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for i, object := range objects {
		table += fmt.Sprintf("%010d 00000 n \n", b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	at := b.Len()
	fmt.Fprintf(&b, "%strailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", table, len(objects)+1, at)
	return b.Bytes()
}
