package system_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"testing"

	"github.com/recruiting-marketplace/external-api/local/demo/pdffile"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// Malicious files end as unreadable, and the next good one is read. Package resume tests
// many more.
func TestHostileFiles(t *testing.T) {
	t.Parallel()
	sys := startSystem(t, nil)
	api := sys.newAgencyClient()
	for name, content := range map[string][]byte{
		"a DOCX that unpacks to a gigabyte":  zipBomb(1 << 30),
		"a PDF page of a gigabyte of spaces": deflateBomb(1 << 30),
		"a PDF whose pages hold each other":  pageLoop(),
		"a PDF of a header and nothing more": []byte("%PDF-1.7\n"),
		"a DOCX without a body":              buildArchive(),
		"a DOCX whose body is no XML":        buildArchive(archiveEntry{"word/document.xml", []byte("not XML at all <<<"), 0}),
	} {
		t.Run(name, func(t *testing.T) {
			in := newSubmitRequest(t, priya, "")
			in.Resume.ContentBase64 = base64.StdEncoding.EncodeToString(content)
			checkItem(t, submitAndWait(t, api, in), contract.Failed, contract.ResumeParseFailed)
		})
	}
	checkItem(t, submitAndWait(t, api, newSubmitRequest(t, mayaLibreOffice, "")), contract.Succeeded, "")
	checkItem(t, submitAndWait(t, api, newSubmitRequest(t, jonas, "")), contract.Succeeded, "")
	sys.checkNothingPending()
}

// archiveEntry is a part of an archive: content to be packed, or, with a size, packed already.
type archiveEntry struct {
	name    string
	content []byte
	size    uint64
}

func buildArchive(entries ...archiveEntry) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	types := `<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`
	for _, e := range append([]archiveEntry{{"[Content_Types].xml", []byte(types), 0}}, entries...) {
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
	return buildArchive(archiveEntry{"word/document.xml", deflateSpaces(size), uint64(size)})
}

// deflateSpaces deflates size spaces by repeating one block of a megabyte.
func deflateSpaces(size int) []byte {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression)
	_, _ = w.Write(bytes.Repeat([]byte(" "), 1<<20))
	_ = w.Flush()
	return append(bytes.Repeat(b.Bytes(), size>>20), 1, 0, 0, 0xff, 0xff)
}

func deflateBomb(size int) []byte {
	var stream bytes.Buffer
	stream.Write([]byte{0x78, 0xda}) // zlib's frame; its checksum is wrong, which no reader minds
	stream.Write(deflateSpaces(size))
	stream.Write([]byte{0, 0, 0, 1})
	return pdffile.Encode("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R>>",
		fmt.Sprintf("<</Filter/FlateDecode/Length %d>>stream\n%s\nendstream", stream.Len(), stream.String()))
}

func pageLoop() []byte {
	return pdffile.Encode("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R 3 0 R]/Count 99>>",
		"<</Type/Pages/Parent 2 0 R/Kids[2 0 R 2 0 R]/Count 99>>")
}
