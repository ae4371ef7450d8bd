// Package candidates writes a list of invented candidates with their resumes, as an agency has it:
// a CSV file and a directory of PDF files. The sandbox verifies each of them.
package candidates

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/recruiting-marketplace/external-api/local/demo/pdffile"
)

var (
	givenNames = strings.Fields("Ada Bela Carla Dario Edda Farid Greta Hugo Ilse Jano Kira Levin Mona " +
		"Nils Olga Pavel Quira Ruben Selma Timo Ursa Viktor Wanda Xenia Yannik")
	familyNames = strings.Fields("Abendrot Birkhain Castellor Dunmarsh Elmsvik Falkmoor Grauholt Hollowell Irmelin " +
		"Jarnefield Kestrelby Lindqvaard Morvane Nordhollow Osterwick Pellmoor Quillington Ravensholt Silberbach " +
		"Thornvale Umberfield Velmar Wintermoor Yarrowby Zellerhain")
	titles    = strings.Split("Backend Engineer,Data Analyst,Product Designer,Site Reliability Engineer", ",")
	companies = strings.Split("Brightwater Systems,Fernhill Labs,Copperleaf Software,Harbourline Data", ",")
)

// Write writes candidates.csv with n candidates, and the directory resumes, into dir. The same n
// yields the same files.
func Write(dir string, n int) error {
	if err := os.MkdirAll(filepath.Join(dir, "resumes"), 0o700); err != nil {
		return err
	}
	var list bytes.Buffer
	out := csv.NewWriter(&list)
	_ = out.Write([]string{ // a buffer takes every line
		"Name", "E-mail", "LinkedIn URL", "Locations", "Workplace types", "Salary min", "Ideal funding rounds", "Visa authorization",
		"Resume", "Client reference ID",
	})
	for i := range n {
		given := givenNames[i%len(givenNames)]
		family := familyNames[i/len(givenNames)%len(familyNames)]
		slug := strings.ToLower(fmt.Sprintf("%s-%s-%d", given, family, i+1)) // unique by the number
		name := given + " " + family
		email := slug + "@example.com"
		profile := "linkedin.com/in/" + slug
		text := strings.NewReplacer(
			"{name}", name, "{title}", titles[i%len(titles)], "{company}", companies[i/len(titles)%len(companies)],
			"{email}", email, "{linkedIn}", profile,
		).Replace(strings.TrimSpace(resumeText))
		if err := os.WriteFile(filepath.Join(dir, "resumes", slug+".pdf"), writePDF(text), 0o600); err != nil {
			return err
		}
		_ = out.Write([]string{
			name, email, "https://www." + profile, "Europe; UK", "Remote",
			fmt.Sprint(60_000 + 500*(i%100)), "Seed; Series A", "HAS_VISA_AUTHORIZATION",
			slug + ".pdf", fmt.Sprint("candidate-", i+1),
		})
	}
	out.Flush()
	return os.WriteFile(filepath.Join(dir, "candidates.csv"), list.Bytes(), 0o600)
}

//go:embed resume.txt
var resumeText string

func writePDF(text string) []byte {
	var page strings.Builder
	page.WriteString("BT /F1 11 Tf 56 780 Td 16 TL\n")
	for line := range strings.SplitSeq(text, "\n") {
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
