package candidates

import (
	"fmt"
	"strings"

	"github.com/recruiting-marketplace/external-api/local/demo/pdffile"
)

// lines returns the resume's lines.
func (p person) lines() []string {
	return []string{
		p.name, p.title, p.email() + " | " + strings.TrimPrefix(p.linkedIn(), "https://www."), "",
		"Experience", p.title + ", " + p.company, "January 2020 - Present", "Keeps the systems of a hundred customers running and measured.", "",
		"Junior " + p.title + ", Larkfield Works", "March 2016 - December 2019", "Built the reports of the finance team.", "",
		"Education", "BSc Computer Science, Westmere University, 2012 - 2016", "",
		"Skills", "Go, PostgreSQL, Kubernetes, Python",
	}
}

// writePDF returns the resume as a PDF of one page.
func (p person) writePDF() []byte {
	var page strings.Builder
	page.WriteString("BT /F1 11 Tf 56 780 Td 16 TL\n")
	for _, line := range p.lines() {
		fmt.Fprintf(&page, "(%s) Tj T*\n", strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(line))
	}
	page.WriteString("ET\n")
	return pdffile.Encode(
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%sendstream", page.Len(), page.String()),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
	)
}
