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

// page is what a LaTeX template is filled with.
type page struct {
	P          person
	S          pageStyle
	Jobs       []pageJob
	Studies    []pageStudy
	Slug, Font string
	Job        string // the source's name without extension
	Europass   string // the language of the class europasscv
}

type pageStyle struct{ style }

// Heading returns a section's heading.
func (s pageStyle) Heading(section string) string { return s.heading(section) }

// Code returns the code of the language.
func (s pageStyle) Code() string { return s.l.values("code")[0] }

// Direction returns in which direction lines run.
func (s pageStyle) Direction() string { return s.l.direction() }

// Pick returns a number from 0 to n-1, the same for one person throughout. Decorations with different divisors vary
// independently.
func (s pageStyle) Pick(divisor, n int) int { return s.Look / divisor % n }

type pageJob struct {
	job
	Dates string
}

type pageStudy struct {
	study
	Dates string
}

// europassCodes are the languages that the class europasscv knows, beside English.
var europassCodes = []string{"da", "de", "es", "fr", "it", "nl", "pl", "pt", "sv"}

func newPage(p person, s style) page {
	font := drawByLook(s.Look, []string{"DejaVu Serif", "DejaVu Sans"})
	if s.l.values("code")[0] == "en" {
		font = drawByLook(s.Look, []string{"Latin Modern Roman", "DejaVu Sans", "Latin Modern Sans"})
	}
	filled := page{P: p, S: pageStyle{s}, Slug: path.Base(p.LinkedIn), Font: font, Europass: "english"}
	if code := s.l.values("code")[0]; slices.Contains(europassCodes, code) {
		filled.Europass = strings.ToLower(englishName(code))
	}
	for _, j := range p.Jobs {
		dates := s.formatPeriod(j.Start, j.End)
		if s.Lasting {
			dates += " (" + s.formatDuration(j.Start, j.End) + ")"
		}
		filled.Jobs = append(filled.Jobs, pageJob{j, dates})
	}
	for _, e := range p.Studies {
		filled.Studies = append(filled.Studies, pageStudy{e, s.formatPeriod(e.Start, e.End)})
	}
	return filled
}

var escapeTeX = strings.NewReplacer(`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`, "{", `\{`, "}", `\}`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`)

// writeTeX fills the template of a layout ("label-classic") of the held-out families.
func writeTeX(source string, p person, s style) error {
	content, err := fs.ReadFile(data, "heldout/latex/"+s.Layout+".tex")
	if err != nil {
		return err
	}
	filled := newPage(p, s)
	filled.Job = strings.TrimSuffix(filepath.Base(source), ".tex")
	filler, err := template.New(s.Layout).Delims("<<", ">>").Funcs(template.FuncMap{"x": escapeTeX.Replace}).Parse(string(content))
	if err != nil {
		return err
	}
	var out strings.Builder
	if err := filler.Execute(&out, filled); err != nil {
		return err
	}
	return os.WriteFile(source, []byte(out.String()), 0o644)
}
