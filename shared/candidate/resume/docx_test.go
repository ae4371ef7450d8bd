package resume

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/resumetest"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

func TestDOCXReadsWhatStandsOutsideTheBody(t *testing.T) {
	t.Parallel()
	const body = `<w:document xmlns:w="w"><w:body>
		<w:p><w:pPr><w:tabs><w:tab w:val="right"/></w:tabs></w:pPr><w:r><w:t>Engineer,</w:t></w:r><w:r><w:t xml:space="preserve"> Acme</w:t></w:r><w:r><w:tab/><w:t>2019</w:t></w:r></w:p>
		<w:p><w:r><w:t>one</w:t><w:br/><w:t>two &amp; three</w:t></w:r></w:p>
		<w:p><mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:txbxContent></mc:Choice>
			<mc:Fallback><w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:txbxContent></mc:Fallback></mc:AlternateContent></w:p>
		<w:p><w:del><w:r><w:t>deleted</w:t></w:r></w:del><w:r><w:t>co</w:t></w:r><w:r><w:noBreakHyphen/><w:t>founder</w:t></w:r></w:p>
		<w:p><w:hyperlink r:id="l1"><w:r><w:t>profile</w:t></w:r></w:hyperlink></w:p>
		<w:p><w:r><w:instrText>HYPERLINK "https://example.org/</w:instrText></w:r><w:r><w:instrText>site" \h</w:instrText></w:r></w:p>
		<w:tbl><w:tr><w:tc><w:p><w:r><w:t>left</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>right</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
		</w:body></w:document>`
	content := resumetest.NewDOCX(
		resumetest.Part{Name: "_rels/.rels", Text: `<Relationships><Relationship Id="r1" Type="x/officeDocument" Target="word/main.xml"/></Relationships>`},
		resumetest.Part{Name: "word/main.xml", Text: body},
		resumetest.Part{Name: "word/_rels/main.xml.rels", Text: `<Relationships><Relationship Id="l1" Type="x/hyperlink" Target="https://www.linkedin.com/in/maya-okafor" TargetMode="External"/>
			<Relationship Id="h" Type="x/header" Target="/word/header1.xml"/><Relationship Id="f" Type="x/footer" Target="footer1.xml"/></Relationships>`},
		resumetest.Part{Name: "word/header1.xml", Text: `<w:hdr><w:p><w:r><w:t>Maya Okafor</w:t></w:r></w:p></w:hdr>`},
		resumetest.Part{Name: `word\footer1.xml`, Text: `<w:ftr><w:p><w:r><w:t>Page 1</w:t></w:r></w:p></w:ftr>`},
	)
	want := document.Document{
		Type:   filetype.DOCX,
		Blocks: [][]string{{"Maya Okafor", "Engineer, Acme\t2019", "one", "two & three"}, {"boxed"}, {"co-founder", "profile", "left\tright", "Page 1"}},
		Links:  []string{"https://www.linkedin.com/in/maya-okafor", "https://example.org/site"},
	}
	if diff := cmp.Diff(want, mustRead(t, content)); diff != "" {
		t.Errorf("document (-want +got):\n%s", diff)
	}
}

func FuzzDOCX(f *testing.F) {
	f.Add(`<w:document><w:body><w:p><w:r><w:t>Maya</w:t></w:r></w:p></w:body></w:document>`)
	f.Add(`<w:p><w:hyperlink r:id="1"/><w:instrText>HYPERLINK "x"</w:instrText>`)
	f.Add(`<mc:Fallback><a b='>'/></mc:Fallback>&amp;`)
	f.Fuzz(func(t *testing.T, body string) { checkRead(t, resumetest.NewDOCX(resumetest.NewDocumentPart(body))) })
}

func FuzzDOCXContainer(f *testing.F) {
	f.Add(readSample("jonas-lindqvist.docx"))
	f.Fuzz(func(t *testing.T, content []byte) { checkRead(t, append([]byte("PK\x03\x04"), content...)) })
}

// checkRead reads any bytes: the result is a document within the limits, whose fields can be extracted, or a *Failure.
func checkRead(t *testing.T, content []byte) {
	t.Helper()
	doc, err := Read(context.Background(), content)
	var failure *document.Failure
	if err != nil {
		if !errors.As(err, &failure) {
			t.Fatalf("an error without a type: %v", err)
		}
		return
	}
	checkDocument(t, doc)
	Extract(doc, asOf)
}

func checkDocument(t testing.TB, doc document.Document) {
	t.Helper()
	size := 0
	lines := slices.Concat(doc.Blocks...)
	for _, line := range lines {
		size += len(line)
		if n := utf8.RuneCountInString(line); n == 0 || n > words.MaxLine || strings.ContainsAny(line, "\r\n\x00") {
			t.Fatalf("a line of %d characters: %.80q", n, line)
		}
	}
	if size > document.MaxText || len(lines) > document.MaxLines || len(lines) == 0 || len(doc.Links) > document.MaxLinks {
		t.Fatalf("%d bytes in %d lines with %d links are over the limits", size, len(lines), len(doc.Links))
	}
}
