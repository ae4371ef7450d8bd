package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
)

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

func newPage(p person, s style) page {
	font := drawByLook(s.Look, []string{"DejaVu Serif", "DejaVu Sans"})
	if s.Code() == "en" {
		font = drawByLook(s.Look, []string{"Latin Modern Roman", "DejaVu Sans", "Latin Modern Sans"})
	}
	filled := page{P: p, S: s, Slug: path.Base(p.LinkedIn), Font: font, Europass: "english"}
	if slices.Contains(europassCodes, s.Code()) {
		filled.Europass = strings.ToLower(englishName(s.Code()))
	}
	return filled
}

var escapeTeX = strings.NewReplacer(`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`, "{", `\{`, "}", `\}`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`)

// writeTeX fills the template of a layout ("label-classic") of the held-out families.
func writeTeX(source string, p person, s style) error {
	content := must(fs.ReadFile(data, "heldout/latex/"+s.Layout+".tex"))
	filled := newPage(p, s)
	filled.Job = strings.TrimSuffix(filepath.Base(source), ".tex")
	filler := template.New(s.Layout).Delims("<<", ">>").Funcs(template.FuncMap{"x": escapeTeX.Replace})
	var out strings.Builder
	if err := template.Must(filler.Parse(string(content))).Execute(&out, filled); err != nil {
		return err
	}
	return os.WriteFile(source, []byte(out.String()), 0o644)
}
