// Command corpus writes the resumes that measure the resume reader, into
// shared/candidate/resume/testdata/corpus: for each invented person of a seed file,
// four layouts as DOCX (of this command), LibreOffice's PDF and, in the tuning set,
// RTF of that DOCX, and Chromium's PDF of the same content as HTML.
//
// It needs soffice and chromium, so the files are committed, and it is run by hand
// from the repository's root when seeds or layouts change:
//
//	go run ./local/corpus [person…]
//
// With ids, it writes only the files of these people.
//
// The two seed files share only the layouts: no person, company or school, and hardly
// a heading. The reader is tuned on one set and measured on both.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

const root = "shared/candidate/resume/testdata/corpus"

func main() {
	for _, set := range []string{"tuning", "heldout"} {
		if err := generateSet(set); err != nil {
			fmt.Fprintln(os.Stderr, set+":", err)
			os.Exit(1)
		}
	}
}

func generateSet(set string) error {
	seed, err := os.ReadFile(filepath.Join(root, set+".json"))
	if err != nil {
		return err
	}
	var people []person
	if err := json.Unmarshal(seed, &people); err != nil {
		return err
	}
	out := filepath.Join(root, set)
	work, err := os.MkdirTemp("", "corpus")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	var documents, pages []string
	for i, p := range people {
		if len(os.Args) > 1 && !slices.Contains(os.Args[1:], p.ID) {
			continue
		}
		for _, layout := range layouts {
			name := p.ID + "." + layout.name
			nodes, font := layout.arrange(p, i), fonts[i%len(fonts)]
			docx, page := filepath.Join(out, name+".docx"), filepath.Join(work, name+".html")
			if err := os.WriteFile(docx, writeDOCX(nodes, font), 0o644); err != nil {
				return err
			}
			if err := os.WriteFile(page, writeHTML(nodes, font, i), 0o644); err != nil {
				return err
			}
			documents, pages = append(documents, docx), append(pages, page)
		}
	}
	if len(documents) == 0 {
		return nil
	}
	if err := convertWithOffice(work, out, documents, "pdf", ".libreoffice.pdf"); err != nil {
		return err
	}
	if set == "tuning" {
		if err := convertWithOffice(work, out, documents, "rtf", ".libreoffice.rtf"); err != nil {
			return err
		}
	}
	return printWithChromium(out, pages)
}

var fonts = []string{"Liberation Sans", "Liberation Serif", "DejaVu Sans"}

// convertWithOffice converts all documents in one run of LibreOffice and stores the
// results under the documents' names with suffix.
func convertWithOffice(work, out string, documents []string, kind, suffix string) error {
	args := append([]string{"--headless", "-env:UserInstallation=file://" + work + "/profile", "--convert-to", kind, "--outdir", work}, documents...)
	if output, err := exec.Command("soffice", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("soffice: %w\n%s", err, output)
	}
	for _, d := range documents {
		base := baseName(d)
		content, err := os.ReadFile(filepath.Join(work, base+"."+kind))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(out, base+suffix), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func printWithChromium(out string, pages []string) error {
	for _, page := range pages {
		target := filepath.Join(out, baseName(page)+".chromium.pdf")
		output, err := exec.Command("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", "--disable-pdf-tagging",
			"--print-to-pdf="+target, "file://"+page).CombinedOutput()
		if err != nil {
			return fmt.Errorf("chromium: %w\n%s", err, output)
		}
	}
	return nil
}

// baseName returns a file's name without folder and last extension.
func baseName(path string) string {
	base := filepath.Base(path)
	return base[:len(base)-len(filepath.Ext(base))]
}
