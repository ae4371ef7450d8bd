package terminal

import "testing"

// No file stops the reading of rows, and each problem is one of a line.
func FuzzRows(f *testing.F) {
	f.Add(headings+"Ada Example,ada@example.com,https://www.linkedin.com/in/ada"+rest+"a\n", "Full Name", "ote=60k", true)
	f.Add("name;locations\nAda;\"Europe, UK\"\n;;\n", "", "salaryMin=1", false)
	f.Add(`{"name":1,"preferences":{"locations":"uk"},"x":null}`+"\n[]\n", "x", "resume=a", false)
	f.Fuzz(func(t *testing.T, text, heading, value string, ignore bool) {
		l := layout{Map: map[string]string{"name": heading}, Set: map[string]string{"salaryMin": value}, IgnoreColumns: ignore}
		rows, problems := readCSV([]byte(text), l)
		objects, more := readNDJSON([]byte(text), l)
		for _, row := range append(rows, objects...) {
			_, wrong := checkRow(row)
			problems = append(problems, append(wrong, repetitions{}.check(row)...)...)
			if row.line < 1 {
				t.Errorf("a row has the line %d", row.line)
			}
		}
		for _, p := range gatherProblems(append(problems, more...), nil, len(rows)) {
			if p.Message == "" {
				t.Errorf("%+v has no message", p)
			}
		}
	})
}
