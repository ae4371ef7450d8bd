package resume

import (
	"bytes"
	"compress/flate"
	"fmt"
	"strings"

	"github.com/recruiting-marketplace/external-api/local/demo/pdffile"
	"github.com/recruiting-marketplace/external-api/local/testkit/resumetest"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
)

// hostile is a file made to hurt its reader. want is the kind of failure, "" for
// for a file that can be read, anyKind where pdfium may do either.
type hostile struct {
	name    string
	want    document.Kind
	content []byte
}

const anyKind = "any"

func hostilePDFs() []hostile {
	page := func(stream string, resources string) []byte {
		return pdffile.Encode("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
			"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<<"+resources+">>>>", stream)
	}
	plain := "BT /F1 12 Tf 50 700 Td (Maya Okafor) Tj ET"
	font := "/Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>"
	return []hostile{
		{"pdf: a gigabyte of spaces behind deflate", anyKind, page(newStream("/Filter/FlateDecode", wrapZlib(repeatDeflated(" ", 1<<30))), font)},
		{"pdf: 400 MB behind two deflates", anyKind, page(newStream("/Filter[/FlateDecode/FlateDecode]", wrapZlib(resumetest.CompressDeflate(wrapZlib(repeatDeflated(" ", 400<<20))))), font)},
		{"pdf: twenty million glyphs", anyKind, page(newStream("/Filter/FlateDecode", wrapZlib(repeatDeflated("BT /F1 9 Tf (aaaaaaaaaaaaaaaa) Tj ET\n", 42<<20))), font)},
		{"pdf: graphics state pushed for ever", anyKind, page(newStream("/Filter/FlateDecode", wrapZlib(repeatDeflated("q ", 100<<20))), font)},
		{"pdf: arrays nested a million deep", anyKind, page(newStream("", "BT "+strings.Repeat("[", 1_000_000)+" TJ ET"), font)},
		{"pdf: objects nested a million deep", anyKind, pdffile.Encode("<</Type/Catalog/Pages 2 0 R/X "+strings.Repeat("<</A[", 500_000)+">>", "<</Type/Pages/Kids[]/Count 0>>")},
		{"pdf: page tree that is its own child", anyKind, pdffile.Encode("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[2 0 R 2 0 R 2 0 R]/Count 1000000>>")},
		{"pdf: two page trees that hold each other", anyKind, pdffile.Encode("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R 3 0 R]/Count 99>>", "<</Type/Pages/Parent 2 0 R/Kids[2 0 R 2 0 R]/Count 99>>")},
		{"pdf: cross-reference table before itself", anyKind, bytes.Replace(page(newStream("", plain), font), []byte("/Root"), []byte("/Prev 9 /XRefStm 9 /Root"), 1)},
		{"pdf: two thousand million pages", anyKind, pdffile.Encode("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 2147483647>>", "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9e37 9e37]>>")},
		{"pdf: media box without end", anyKind, pdffile.Encode("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
			"<</Type/Page/Parent 2 0 R/MediaBox[-1e38 -1e38 1e38 1e38]/UserUnit 1e30/Contents 4 0 R/Resources<<"+font+">>>>", newStream("", plain))},
		{"pdf: form that draws itself", anyKind, pdffile.Encode("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
			"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>>>", newStream("", "/X Do"),
			newStream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 5 0 R>>>>", "/X Do /X Do /X Do"))},
		{"pdf: forms that draw ten others, ten deep", anyKind, formTree(10, 12)},
		{"pdf: predictor of two thousand million columns", anyKind, page(newStream("/Filter/FlateDecode/DecodeParms<</Predictor 15/Columns 2147483647/Colors 32/BitsPerComponent 16>>", wrapZlib(resumetest.CompressDeflate([]byte(plain)))), font)},
		{"pdf: object stream that extends itself", anyKind, pdffile.Encode("<</Type/Catalog/Pages 9 0 R>>", newStream("/Type/ObjStm/N 2147483647/First 2147483647/Extends 2 0 R", "9 0 <<>>"))},
		{"pdf: cross-reference stream of empty entries", anyKind, xrefStream()},
		{"pdf: font with a bottomless character map", anyKind, page(newStream("", plain), "/Font<</F1<</Type/Font/Subtype/Type0/Encoding/Identity-H/ToUnicode 4 0 R/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/W["+strings.Repeat("0 65535 1 ", 50_000)+"]>>]>>>>")},
		{"pdf: ten thousand link annotations", "", pdffile.Encode("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
			"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<<"+font+">>/Annots["+
				strings.Repeat("<</Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(https://example.org/a)>>>>", 10_000)+"]>>", newStream("", plain))},
		{"pdf: thirty pages of scattered words", anyKind, newScatteredPDF(30, 1900)},
		{"pdf: a header and nothing else", document.Corrupt, []byte("%PDF-1.7\n")},
		{"pdf: cut off in the middle", anyKind, cutEnd(readSample("maya-okafor.libreoffice.pdf"), 2)},
		{"pdf: cut off early", anyKind, cutEnd(readSample("maya-okafor.libreoffice.pdf"), 20)},
		{"pdf: locked with a password", document.Encrypted, readSample("maya-okafor.locked.pdf")},
		{"pdf: a picture only", document.NoTextLayer, readSample("tomas-novak.scan.pdf")},
	}
}

func hostileDOCXs() []hostile {
	const open, close = `<w:document xmlns:w="w"><w:body>`, `</w:body></w:document>`
	paragraph := `<w:p><w:r><w:t>Maya Okafor</w:t></w:r></w:p>`
	return []hostile{
		{"docx: a gigabyte of spaces", document.ResourceLimit, resumetest.NewDOCX(resumetest.Part{Name: "word/document.xml", Deflated: repeatDeflated(" ", 1<<30), Size: 1 << 30})},
		{"docx: a gigabyte that says it is small", document.Corrupt, resumetest.NewDOCX(resumetest.Part{Name: "word/document.xml", Deflated: repeatDeflated(" ", 1<<30), Size: 100})},
		{"docx: a hundred thousand entries", document.ResourceLimit, manyEntries(100_000)},
		{"docx: two thousand entries", document.ResourceLimit, manyEntries(2000)},
		{"docx: a thousand headers of 4 MB", document.ResourceLimit, manyHeaders(900)},
		{"docx: entity bomb", document.Corrupt, resumetest.NewDOCX(resumetest.NewDocumentPart(`<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><w:document><w:t>&b;</w:t></w:document>`))},
		{"docx: external entity", document.Corrupt, resumetest.NewDOCX(resumetest.NewDocumentPart(`<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><w:document><w:p><w:t>&a;</w:t></w:p></w:document>`))},
		{"docx: unknown entity", document.Corrupt, resumetest.NewDOCX(resumetest.NewDocumentPart(open + `<w:p><w:t>&nbsp;</w:t></w:p>` + close))},
		{"docx: elements nested 100,000 deep", document.ResourceLimit, resumetest.NewDOCX(resumetest.NewDocumentPart(strings.Repeat("<w:p>", 100_000)))},
		{"docx: a tag of 20 MB", document.ResourceLimit, resumetest.NewDOCX(resumetest.NewDocumentPart(`<w:document a="` + strings.Repeat("x", 20<<20) + `"/>`))},
		{"docx: a tag of 3 MB", document.ResourceLimit, resumetest.NewDOCX(resumetest.NewDocumentPart(`<w:document ` + strings.Repeat(`a="" `, 600_000) + `/>`))},
		{"docx: a tag of 3 MB that hides its end", document.ResourceLimit, resumetest.NewDOCX(resumetest.NewDocumentPart(`<w:document a=">` + strings.Repeat("x", 3<<20) + `"/>`))},
		{"docx: a tag of 3 MB behind a quote in a comment", document.ResourceLimit, resumetest.NewDOCX(resumetest.NewDocumentPart(`<!-- ' --><w:document b='>' ` + strings.Repeat(`a="" `, 600_000) + `/>`))},
		{"docx: quotes in comments", document.NoTextLayer, resumetest.NewDOCX(resumetest.NewDocumentPart(open + strings.Repeat(`<!-- don't -->`, 10_000) + close))},
		{"docx: a comment of 3 MB", document.ResourceLimit, resumetest.NewDOCX(resumetest.NewDocumentPart(open + `<!--` + strings.Repeat("x", 3<<20) + `-->` + close))},
		{"docx: a paragraph of 3 MB", "", resumetest.NewDOCX(resumetest.NewDocumentPart(open + `<w:p><w:t>` + strings.Repeat("word ", 600_000) + `</w:t></w:p>` + close))},
		{"docx: 200,000 empty paragraphs", document.NoTextLayer, resumetest.NewDOCX(resumetest.NewDocumentPart(open + strings.Repeat(`<w:p/>`, 200_000) + close))},
		{"docx: no body part", document.Corrupt, resumetest.NewDOCX()},
		{"docx: body cut off", document.Corrupt, resumetest.NewDOCX(resumetest.NewDocumentPart(open + paragraph + `<w:p><w:r>`))},
		{"docx: container cut off", document.Corrupt, cutEnd(readSample("jonas-lindqvist.docx"), 2)},
		{"docx: relations that lead to themselves", "", resumetest.NewDOCX(resumetest.NewDocumentPart(open+paragraph+close),
			resumetest.Part{Name: "word/_rels/document.xml.rels", Text: `<Relationships><Relationship Id="1" Type="x/header" Target="document.xml"/><Relationship Id="2" Type="x/footer" Target="../word/document.xml"/></Relationships>`})},
		{"docx: locked with a password", document.Encrypted, encryptEntries(resumetest.NewDOCX(resumetest.NewDocumentPart(open + paragraph + close)))},
	}
}

// newScatteredPDF returns pages whose words stand in as many columns as possible.
func newScatteredPDF(pages, words int) []byte {
	objects := []string{"<</Type/Catalog/Pages 2 0 R>>", ""}
	kids := ""
	var text strings.Builder
	text.WriteString("BT /F1 4 Tf\n")
	for i := range words {
		fmt.Fprintf(&text, "1 0 0 1 %d %d Tm (w%d) Tj\n", 20+i%19*30, 780-i/19*7-i%3, i)
	}
	text.WriteString("ET")
	for i := range pages {
		kids += fmt.Sprintf("%d 0 R ", 4+i)
	}
	objects[1] = fmt.Sprintf("<</Type/Pages/Kids[%s]/Count %d>>", kids, pages)
	objects = append(objects, newStream("", text.String()))
	for range pages {
		objects = append(objects, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 3 0 R/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>")
	}
	return pdffile.Encode(objects...)
}

func newStream[T string | []byte](dict string, content T) string {
	return fmt.Sprintf("<<%s/Length %d>>stream\n%s\nendstream", dict, len(content), string(content))
}

// formTree returns forms of which each draws the next one width times.
func formTree(width, depth int) []byte {
	objects := []string{"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>>>", newStream("", "/X Do")}
	for i := range depth {
		objects = append(objects, newStream(fmt.Sprintf("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X %d 0 R>>/Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>", 6+i),
			strings.Repeat("BT /F1 9 Tf (x) Tj ET /X Do ", width)))
	}
	return pdffile.Encode(append(objects, newStream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]", "BT (x) Tj ET"))...)
}

func xrefStream() []byte {
	head := "%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 1 0 R>>\nendobj\n"
	return []byte(head + "2 0 obj\n" + newStream("/Type/XRef/Size 2147483647/W[0 0 0]/Index[0 2147483647]/Root 1 0 R/Prev 50", "") +
		fmt.Sprintf("\nendobj\nstartxref\n%d\n%%%%EOF\n", len(head)))
}

func manyEntries(n int) []byte {
	parts := []resumetest.Part{resumetest.NewDocumentPart("<w:document/>")}
	for i := range n {
		parts = append(parts, resumetest.Part{Name: fmt.Sprintf("%x", i), Deflated: []byte{3, 0}})
	}
	return resumetest.NewDOCX(parts...)
}

func manyHeaders(n int) []byte {
	parts := []resumetest.Part{resumetest.NewDocumentPart("<w:document/>")}
	var rels strings.Builder
	four := resumetest.CompressDeflate([]byte("<w:hdr>" + strings.Repeat(" ", 4<<20-20) + "</w:hdr>"))
	for i := range n {
		fmt.Fprintf(&rels, `<Relationship Id="h%d" Type="x/header" Target="h%d.xml"/>`, i, i)
		parts = append(parts, resumetest.Part{Name: fmt.Sprintf("word/h%d.xml", i), Deflated: four, Size: 4<<20 - 20 + len("<w:hdr></w:hdr>")})
	}
	return resumetest.NewDOCX(append(parts, resumetest.Part{Name: "word/_rels/document.xml.rels", Text: "<Relationships>" + rels.String() + "</Relationships>"})...)
}

// encryptEntries sets the encryption flag of every entry in the central directory but the first, the content types.
func encryptEntries(content []byte) []byte {
	out := bytes.Clone(content)
	first := true
	for i := 0; i+9 < len(out); i++ {
		if bytes.HasPrefix(out[i:], []byte("PK\x01\x02")) {
			if !first {
				out[i+8] |= 1
			}
			first = false
		}
	}
	return out
}

func cutEnd(content []byte, by int) []byte { return content[:len(content)/by] }

// repeatDeflated packs about size bytes of a repeated text by repeating one flushed deflate block, without ever holding them.
func repeatDeflated(text string, size int) []byte {
	const chunk = 1 << 20
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression)
	_, _ = w.Write([]byte(strings.Repeat(text, chunk/len(text))))
	_ = w.Flush()
	return append(bytes.Repeat(b.Bytes(), size/chunk), 1, 0, 0, 0xff, 0xff)
}

// wrapZlib frames deflated data as PDF wants it. Its checksum is wrong, which no PDF reader minds.
func wrapZlib(deflated []byte) []byte {
	return append(append([]byte{0x78, 0xda}, deflated...), 0, 0, 0, 1)
}
