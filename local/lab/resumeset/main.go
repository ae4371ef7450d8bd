// Command resumeset measures the resume reader on files that it was not built on.
//
//	go run ./local/lab/resumeset make              # writes the development set into .local/resumeset
//	go run ./local/lab/resumeset make --heldout    # and the held-out one
//	go run ./local/lab/resumeset score             # prints the table of the development set
//	go run ./local/lab/resumeset score --heldout   # and of the held-out one, figures only
//	go run ./local/lab/resumeset score --errors=jobs --only=typst   # prints what was missed, development set only
//
// A set consists of invented people in many languages (languages/*.txt), written by
// families of generators (families.json), each with headings, date forms, orders,
// decorations and layouts of its own. Seeds are fixed: the same source makes the same
// content. Beside every file lies its truth, FILE.truth.json (type truth).
//
// The folder heldout contains two families and five languages. Those who work on the reader
// read none of them: neither their files nor their errors, only the table. The scorer prints no error of a held-out file.
//
// Text, HTML, DOCX, ODT and RTF files need Go alone. PDF files need Python 3.10 or
// later, with packages (requirements.txt) installed beside the set, and npm. The held-out
// families also need Chromium and XeLaTeX (Debian: texlive-xetex, texlive-latex-extra,
// texlive-plain-generic, texlive-fonts-recommended).
package main

import (
	"github.com/alecthomas/kong"
)

// folder is where sets are written, unless --dir says otherwise.
const folder = ".local/resumeset"

type cli struct {
	Make  makeCommand  `cmd:"" help:"Write the set's files and their truths."`
	Score scoreCommand `cmd:"" help:"Print the figures of the reader on the set, as Markdown."`
}

func main() {
	ctx := kong.Parse(&cli{}, kong.Name("resumeset"), kong.ShortUsageOnError(), kong.Vars{"folder": folder},
		kong.Description("Makes resumes that the reader was not built on, and scores the reader on them."))
	ctx.FatalIfErrorf(ctx.Run())
}
