package resumetest

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
)

// DOCXOfRelationships returns a DOCX file with n hyperlinks and n relationships, none of which
// belongs to any of the hyperlinks.
func DOCXOfRelationships(n int) []byte {
	var relationships strings.Builder
	for i := range n {
		fmt.Fprintf(&relationships, `<Relationship Id="%d" Target="%d"/>`, i, i)
	}
	return buildArchive(map[string]string{
		"[Content_Types].xml":          `<Types><Override ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
		"word/_rels/document.xml.rels": "<Relationships>" + relationships.String() + "</Relationships>",
		"word/document.xml":            "<w:p>" + strings.Repeat(`<w:hyperlink r:id="x"/>`, n) + "<w:t>Curriculum vitae</w:t></w:p>",
	})
}

// ODTOfRows returns an ODT file with n table rows, each nested in the one before.
func ODTOfRows(n int) []byte {
	return buildArchive(map[string]string{
		"mimetype":    "application/vnd.oasis.opendocument.text",
		"content.xml": "<office:text><table:table-row><table:table-cell>" + strings.Repeat("<table:table-row><table:table-cell><text:p>2019 - 2020</text:p>", n),
	})
}

func buildArchive(parts map[string]string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, content := range parts {
		f, _ := w.Create(name) // writing to memory cannot fail
		_, _ = f.Write([]byte(content))
	}
	_ = w.Close()
	return b.Bytes()
}

// PDFOfForms returns a PDF file with depth forms, each of which draws the next one width times.
// Drawing them all takes longer than any reader waits.
func PDFOfForms(width, depth int) []byte {
	var b bytes.Buffer
	stream := func(dict, content string) {
		fmt.Fprintf(&b, "<<%s/Length %d>>stream\n%s\nendstream\nendobj\n", dict, len(content), content)
	}
	b.WriteString("%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n" +
		"3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>>>\nendobj\n4 0 obj\n")
	stream("", "/X Do")
	for i := range depth {
		fmt.Fprintf(&b, "%d 0 obj\n", 5+i)
		stream(fmt.Sprintf("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X %d 0 R>>/Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>", 6+i),
			strings.Repeat("BT /F1 9 Tf (x) Tj ET /X Do ", width))
	}
	b.WriteString("trailer\n<</Root 1 0 R>>\n%%EOF\n")
	return b.Bytes()
}
