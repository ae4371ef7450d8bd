package resume

import (
	"encoding/base64"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/resumetest"
)

// oleObject is the content of an embedded object: the header of a compound file, and a program.
var oleObject = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 20) + "C:\\Windows\\calc.exe\x00" +
	strings.Repeat("MZ payload of the object\n", 400)

// newDOCXWithObject returns a file whose object has a target.
func newDOCXWithObject(target string, more ...resumetest.Part) []byte {
	parts := []resumetest.Part{
		resumetest.NewDocumentPart(`<w:document xmlns:w="w"><w:body><w:p><w:r><w:t>Maya Okafor</w:t></w:r></w:p>
			<w:p><w:r><w:object><v:shape id="s1"/><o:OLEObject Type="Embed" ProgID="Package" ShapeID="s1" r:id="o1"/>
			</w:object></w:r></w:p><w:p><w:r><w:t>Carpenter since 2019</w:t></w:r></w:p></w:body></w:document>`),
		{
			Name: "word/_rels/document.xml.rels",
			Text: `<Relationships><Relationship Id="o1" Type="x/oleObject" ` + target + `/></Relationships>`,
		},
	}
	return resumetest.NewDOCX(append(parts, more...)...)
}

// newODTWithObject returns a file with an object in a frame.
func newODTWithObject(object string, more ...resumetest.Part) []byte {
	return resumetest.NewODT(`<text:p>Maya Okafor</text:p><text:p><draw:frame>`+object+`</draw:frame></text:p>
		<text:p>Carpenter since 2019</text:p>`, more...)
}

// TestEmbeddedObjectsAreNoText reads files with an object between two paragraphs: of the object nothing becomes text or
// a link.
func TestEmbeddedObjectsAreNoText(t *testing.T) {
	t.Parallel()
	const head, tail = `{\rtf1\ansi Maya Okafor\par{\object\objupdate`, `}\par Carpenter since 2019\par}`
	inBase64 := base64.StdEncoding.EncodeToString([]byte(oleObject))
	want := []string{"Maya Okafor", "Carpenter since 2019"}
	for name, content := range map[string][]byte{
		"rtf": fmt.Appendf(nil, `%s\objemb{\*\objclass Package}{\*\objdata %x}{\result{\pict 0100}calc.exe}%s`,
			head, oleObject, tail),
		"rtf, raw": fmt.Appendf(nil, `%s\objautlink{\*\objdata\bin%d %s}%s`, head, len(oleObject), oleObject, tail),
		"docx": newDOCXWithObject(`Target="embeddings/oleObject1.bin"`,
			resumetest.Part{Name: "word/embeddings/oleObject1.bin", Text: oleObject}),
		"docx, linked":  newDOCXWithObject(`Target="file:///C:/Windows/calc.exe" TargetMode="External"`),
		"odt":           newODTWithObject(`<draw:object-ole xlink:href="./O"/>`, resumetest.Part{Name: "O", Text: oleObject}),
		"odt, in place": newODTWithObject(`<draw:image><office:binary-data>` + inBase64 + `</office:binary-data></draw:image>`),
		"odt, document": newODTWithObject(`<draw:object><office:document><text:p>calc.exe</text:p></office:document></draw:object>`),
		"html": []byte(`<html><body><p>Maya Okafor</p><object data="data:application/x-oleobject;base64,` + inBase64 +
			`"></object><p>Carpenter since 2019</p></body></html>`),
	} {
		doc := mustRead(t, content)
		if diff := cmp.Diff(want, slices.Concat(doc.Blocks...)); diff != "" || len(doc.Links) > 0 {
			t.Errorf("%s: links %q, text (-want +got):\n%.600s", name, doc.Links, diff)
		}
	}
}

// TestReaderCannotStartPrograms fails if a package of the reader can start a program or load code.
func TestReaderCannotStartPrograms(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := strings.Fields(string(out))
	if len(packages) < 50 || slices.Contains(packages, "os/exec") || slices.Contains(packages, "plugin") {
		t.Errorf("the reader is of %q", packages)
	}
}
