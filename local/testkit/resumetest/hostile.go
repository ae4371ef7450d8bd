package resumetest

import (
	"fmt"
	"strings"

	"github.com/recruiting-marketplace/external-api/local/demo/pdffile"
)

// DOCXOfRelationships returns a DOCX file with n hyperlinks and n relationships, none of which
// belongs to any of the hyperlinks.
func DOCXOfRelationships(n int) []byte {
	var relationships strings.Builder
	for i := range n {
		fmt.Fprintf(&relationships, `<Relationship Id="%d" Target="%d"/>`, i, i)
	}
	body := "<w:p>" + strings.Repeat(`<w:hyperlink r:id="x"/>`, n) + "<w:t>Curriculum vitae</w:t></w:p>"
	return NewDOCX(
		Part{Name: "word/_rels/document.xml.rels", Text: "<Relationships>" + relationships.String() + "</Relationships>"},
		NewDocumentPart(body),
	)
}

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
