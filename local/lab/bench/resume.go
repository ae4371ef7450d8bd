package main

// measureResumes measures row 12: resumes to text and to fields, by type, and another program that makes
// text of the same PDF files.
func measureResumes(b *bench) (figures []figure, err error) {
	for _, kind := range []string{"pdf", "docx", "rtf"} {
		r, err := b.runGo(goBench{pkg: "./shared/candidate/resume", pattern: "^BenchmarkTypes$/^" + kind + "$", time: "2x"})
		if err != nil {
			return figures, err
		}
		name := "Types/" + kind
		if kind == "pdf" {
			text := r.figure(12, "text of a PDF, mean", "ms CPU", name, "text-cpu-ms", ratioAtMost(2.5))
			figures = append(figures, text.beside("pdftotext", r.at(name, "pdftotext-cpu-ms")))
		}
		figures = append(figures,
			r.figure(12, "fields of a "+kind+", p50", "ms CPU", name, "fields-p50-cpu-ms", atMost(30)),
			r.figure(12, "fields of a "+kind+", p99", "ms CPU", name, "fields-p99-cpu-ms", told),
			r.figure(12, "peak memory for "+kind, "MB", name, "peak-MB", told))
	}
	return figures, nil
}
