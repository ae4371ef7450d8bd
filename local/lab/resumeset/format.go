package main

import (
	"archive/zip"
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
	"unicode/utf16"
	"unicode/utf8"
)

// formats has a file of templates for each format.
//
//go:embed formats
var formats embed.FS

const (
	textWidth  = 84
	labelWidth = 24 // of the first cell of a row
	enginesDir = "local/lab/resumeset"
	themesDir  = "local/lab/resumeset/heldout"
)

// containers are the parts of the formats that are zip files, in their order. Each is a template.
var containers = map[string][]string{
	"docx": {"[Content_Types].xml", "_rels/.rels", "word/document.xml", "word/styles.xml", "word/_rels/document.xml.rels"},
	"odt":  {"mimetype", "content.xml", "META-INF/manifest.xml"},
}

// writeFile fills the templates of a format with a resume and writes the file. Printed is a page that an engine makes a PDF file
// of. TeX has a template for each layout ("label-classic") of the held-out families.
func writeFile(file string, resume any, s style, format string, printed bool) error {
	var links []string
	filler := template.New("document")
	fill := func(name string, value any) string {
		var out strings.Builder
		if err := filler.ExecuteTemplate(&out, name, value); err != nil {
			panic(err)
		}
		return out.String()
	}
	filler.Funcs(template.FuncMap{
		"s":       func() style { return s },
		"printed": func() bool { return printed },
		"render":  fill,
		"tables":  splitTables,
		"sized":   func(blocks []block, width int) sized { return sized{blocks, width} },
		"columns": s.splitColumns,
		"runs":    s.splitRuns,
		"link": func(url string) string {
			links = append(links, url)
			return fmt.Sprintf("l%d", len(links))
		},
		"links":   func() []string { return links },
		"replace": strings.ReplaceAll,
		"join":    strings.Join,
		"json":    func(text string) string { return string(must(json.Marshal(text))) },
		"aligned": alignRight,
		"beside":  besideLabel,
		"wrap":    wrapText,
		"dashes":  func(text string) string { return strings.Repeat("-", utf8.RuneCountInString(text)) },
		"typst":   quoteTypst,
		"rtf":     escapeRTF,
		"x":       escapeTeX.Replace,
		"add":     func(a, b int) int { return a + b },
		"div":     func(a, b int) int { return a / b },
	})
	if format == "tex" {
		template.Must(filler.Delims("<<", ">>").Parse(string(must(fs.ReadFile(data, "heldout/latex/"+s.Layout+".tex")))))
	} else {
		template.Must(filler.ParseFS(formats, "formats/"+format+".tmpl"))
	}
	parts := containers[format]
	if parts == nil {
		return os.WriteFile(file, []byte(fill("document", resume)), 0o644)
	}
	var b bytes.Buffer
	container := zip.NewWriter(&b)
	for _, name := range parts {
		_, _ = must(container.Create(name)).Write([]byte(fill(name, resume))) // a buffer takes every byte
	}
	_ = container.Close()
	return os.WriteFile(file, b.Bytes(), 0o644)
}

// sized is blocks with the width of their column, in twentieths of a point.
type sized struct {
	Blocks []block
	Width  int
}

// splitColumns returns the widths of a table's columns: of the narrow and the wide one, or a quarter for the first.
func (s style) splitColumns(t sized) []int {
	switch first := t.Blocks[0]; {
	case first.Kind == aside && s.AsideRight:
		return []int{t.Width * 7 / 10, t.Width * 3 / 10}
	case first.Kind == aside:
		return []int{t.Width * 3 / 10, t.Width * 7 / 10}
	case len(first.Cells) == 2:
		return []int{t.Width / 4, t.Width * 3 / 4}
	}
	return []int{t.Width / 4, t.Width * 3 / 8, t.Width * 3 / 8}
}

// splitRuns splits a text in two where an editor's cursor may have been.
func (s style) splitRuns(text string) []string {
	i := strings.Index(text, " ")
	if i < 0 || s.Look%3 > 0 {
		return []string{text}
	}
	return []string{text[:i], text[i:]}
}

// quoteTypst writes a text so that none of its characters is markup.
func quoteTypst(text string) string {
	return `#"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

func escapeRTF(text string) string {
	var out strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		switch {
		case unit == '\t':
			out.WriteString(`\tab `)
		case unit == '\\' || unit == '{' || unit == '}':
			out.WriteString(`\` + string(rune(unit)))
		case unit < 128:
			out.WriteByte(byte(unit))
		default:
			fmt.Fprintf(&out, `\u%d?`, int16(unit))
		}
	}
	return out.String()
}

// besideLabel sets the lines of a block, without the mark of a heading, beside a label.
func besideLabel(label, text string) string {
	text = strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", labelWidth))
	return strings.TrimRight(padText(label, labelWidth)+strings.TrimPrefix(text, "### "), " ")
}

// alignRight replaces a tab by the spaces that push what follows to the margin.
func alignRight(text string) string {
	left, right, ok := strings.Cut(text, "\t")
	if !ok {
		return text
	}
	return padText(left, textWidth-utf8.RuneCountInString(right)) + right
}

// padText adds at least two spaces, up to a width.
func padText(text string, width int) string {
	return text + strings.Repeat(" ", max(2, width-utf8.RuneCountInString(text)))
}

// wrapText breaks a text at words after a mark, below whose end the other lines begin.
func wrapText(mark, text string) string {
	var out strings.Builder
	out.WriteString(mark)
	length := 0
	for i, word := range strings.Fields(text) {
		switch {
		case i > 0 && length+utf8.RuneCountInString(word) > textWidth-4:
			out.WriteString("\n" + strings.Repeat(" ", utf8.RuneCountInString(mark)))
			length = 0
		case i > 0:
			out.WriteString(" ")
		}
		out.WriteString(word)
		length += utf8.RuneCountInString(word) + 1
	}
	return out.String()
}

// page is what a template of LaTeX or YAMLResume is filled with.
type page struct {
	P          person
	S          style
	Slug, Font string
	Job        string // the source's name without extension
	Europass   string // the language of the class europasscv
}

// JobDates returns the dates of a job.
func (p page) JobDates(j job) string {
	if p.S.Lasting {
		return p.S.Period(j.Start, j.End) + " (" + p.S.formatDuration(j.Start, j.End) + ")"
	}
	return p.S.Period(j.Start, j.End)
}

// europassCodes are the languages that the class europasscv knows, beside English.
var europassCodes = []string{"da", "de", "es", "fr", "it", "nl", "pl", "pt", "sv"}

func newPage(p person, s style, job string) page {
	font := drawByLook(s.Look, []string{"DejaVu Serif", "DejaVu Sans"})
	if s.Code() == "en" {
		font = drawByLook(s.Look, []string{"Latin Modern Roman", "DejaVu Sans", "Latin Modern Sans"})
	}
	filled := page{P: p, S: s, Slug: path.Base(p.LinkedIn), Font: font, Job: job, Europass: "english"}
	if slices.Contains(europassCodes, s.Code()) {
		filled.Europass = strings.ToLower(englishName(s.Code()))
	}
	return filled
}

var escapeTeX = strings.NewReplacer(
	`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`, "{", `\{`, "}", `\}`,
	"~", `\textasciitilde{}`, "^", `\textasciicircum{}`,
)

type engineWork struct {
	pages  [][3]string    // sources in YAMLResume's form, each with its theme and the page that is made of it
	finish []func() error // called when the pages are written
	files  [][2]string    // sources, pages among them, each with its file
}

func (w *engineWork) add(source, file string) { w.files = append(w.files, [2]string{source, file}) }

// run makes the files that need engines: pages of themes first, which are sources
// of PDF files. It installs the pinned packages and fonts, unless they are there.
func (w *engineWork) run(dir string) error {
	if len(w.pages) > 0 {
		if err := install("make", "--no-print-directory", themesDir+"/node_modules/.stamp"); err != nil {
			return fmt.Errorf("install the themes: %w", err)
		}
		if err := runEngine(w.pages, "node", themesDir+"/yamlresume.mjs"); err != nil {
			return fmt.Errorf("render the themes: %w", err)
		}
	}
	for _, finish := range w.finish {
		if err := finish(); err != nil {
			return fmt.Errorf("finish the pages: %w", err)
		}
	}
	if err := install("make", "--no-print-directory", enginesDir+"/node_modules/.stamp"); err != nil {
		return fmt.Errorf("install the engines: %w", err)
	}
	venv := filepath.Join(dir, "venv")
	if err := install(".ci/venv", venv, enginesDir+"/requirements.txt", "--only-binary=:all:"); err != nil {
		return fmt.Errorf("install the engines of Python: %w", err)
	}
	return runEngine(w.files, venv+"/bin/python", enginesDir+"/convert.py", dir)
}

func install(command string, args ...string) error {
	if out, err := exec.Command(command, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", command, err, out)
	}
	return nil
}

// runEngine runs a program that takes a JSON list of tasks.
func runEngine[T any](tasks []T, name string, args ...string) error {
	command := exec.Command(name, args...)
	command.Stdin = bytes.NewReader(must(json.Marshal(tasks)))
	command.Stderr = os.Stderr
	return command.Run()
}
