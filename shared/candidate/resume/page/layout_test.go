package page

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// newSpan returns a line of text at a position, ten points high and five per letter.
func newSpan(left, bottom float64, text string) Span {
	return Span{Box: Box{left, bottom, left + 5*float64(len([]rune(text))), bottom + 10}, Text: text, Size: 10}
}

// marked returns a line of text that begins with a mark.
func marked(left, bottom float64, text string) Span {
	s := newSpan(left, bottom, text)
	s.body = left + 10
	return s
}

func TestReadingOrder(t *testing.T) {
	t.Parallel()
	headline := newSpan(50, 780, "Maya Ngozi")
	headline.Size = 20
	headline.Top = 800
	second := newSpan(50, 758, "Okafor")
	second.Size = 20
	second.Top = 778
	item := newSpan(60, 700, "• built it")
	item.body = 72
	tests := []struct {
		name  string
		spans []Span
		want  [][]string
	}{
		{"lines from the top, pieces from the left", []Span{newSpan(50, 700, "two"), newSpan(50, 720, "one"), newSpan(300, 720, "2019 – now")}, [][]string{{"one\t2019 – now", "two"}}},
		{"columns under a common headline", []Span{
			newSpan(50, 760, "Maya Okafor, a name as wide as the page is"),
			newSpan(50, 720, "Contact"), newSpan(50, 705, "Austin, TX"), newSpan(50, 690, "Skills"), newSpan(50, 675, "Go, SQL"),
			newSpan(200, 722, "Experience"), newSpan(200, 708, "Engineer at Acme Robotics"), newSpan(200, 694, "2019 – now"), newSpan(200, 680, "Education"), newSpan(200, 666, "Lakeside University")},
			[][]string{{"Maya Okafor, a name as wide as the page is"}, {"Contact", "Austin, TX", "Skills", "Go, SQL"},
				{"Experience", "Engineer at Acme Robotics", "2019 – now", "Education", "Lakeside University"}}},
		{"a heading that reaches over its column", []Span{
			newSpan(50, 720, "Contact"), newSpan(50, 705, "Austin, TX"), newSpan(50, 692, "Core and Other Technical Skills"), newSpan(50, 675, "Go, SQL"),
			newSpan(150, 722, "Experience"), newSpan(150, 708, "Engineer at Acme"), newSpan(150, 694, "2019 – now"), newSpan(150, 680, "Education"), newSpan(150, 666, "Lakeside University")},
			[][]string{{"Contact", "Austin, TX", "Core and Other Technical Skills", "Go, SQL"}, {"Experience", "Engineer at Acme", "2019 – now", "Education", "Lakeside University"}}},
		{"headings beside their text, below the name", []Span{
			newSpan(50, 740, "Maya Okafor"), newSpan(200, 740, "maya@example.com"), newSpan(50, 720, "Skills"), newSpan(200, 720, "Tools"), newSpan(200, 708, "Go, SQL"), newSpan(50, 690, "Experience"), newSpan(200, 690, "Engineer"), newSpan(200, 678, "Acme Works"),
			newSpan(200, 666, "2019 – now"), newSpan(50, 640, "Education"), newSpan(200, 640, "Lakeside University"), newSpan(200, 628, "Physics")},
			[][]string{{"Maya Okafor\tmaya@example.com", "Skills\tTools", "Go, SQL", "Experience\tEngineer", "Acme Works", "2019 – now", "Education\tLakeside University", "Physics"}}},
		{"dates left of what they date are no column", []Span{
			newSpan(50, 700, "2019 – now"), newSpan(200, 700, "Engineer, Acme"), newSpan(200, 685, "Built things"),
			newSpan(50, 660, "2015 – 2019"), newSpan(200, 660, "Developer, Beta"), newSpan(200, 645, "Built more"),
			newSpan(50, 620, "2012 – 2015"), newSpan(200, 620, "Intern, Gamma")},
			[][]string{{"2019 – now\tEngineer, Acme", "Built things", "2015 – 2019\tDeveloper, Beta", "Built more", "2012 – 2015\tIntern, Gamma"}}},
		{"list items and their further lines", []Span{newSpan(50, 700, "Engineer"), newSpan(60, 688, "• built a"), newSpan(68, 676, "machine"), newSpan(60, 664, "• sold it"), newSpan(50, 640, "Developer")},
			[][]string{{"Engineer", "• built a machine", "• sold it", "Developer"}}},
		{"a head between an item's mark and its words", []Span{newSpan(63, 712, "Engineer"), item, newSpan(63, 688, "Developer"), newSpan(63, 676, "Acme")},
			[][]string{{"Engineer", "• built it", "Developer", "Acme"}}},
		{"list items without marks", []Span{newSpan(50, 700, "Engineer at Acme Robotics"), newSpan(64, 688, "built a machine that works"), newSpan(50, 660, "Developer")},
			[][]string{{"Engineer at Acme Robotics", "• built a machine that works", "Developer"}}},
		{"a headline of two lines", []Span{headline, second, newSpan(50, 730, "Engineer"), newSpan(50, 715, "Austin"), newSpan(50, 700, "Texas"), newSpan(50, 685, "x"), newSpan(50, 670, "y")},
			[][]string{{"Maya Ngozi Okafor", "Engineer", "Austin", "Texas", "x", "y"}}},
		{"a range of dates torn by its cell", []Span{newSpan(50, 700, "Jan 2019 –"), newSpan(200, 700, "Engineer, Acme"), newSpan(50, 688, "Mar 2021"), newSpan(214, 688, "built")},
			[][]string{{"Jan 2019 – Mar 2021\tEngineer, Acme", "• built"}}},
		{"rows of a table whose cells have two lines", []Span{
			newSpan(50, 700, "2019 – 2021"), newSpan(150, 700, "Senior Software"), newSpan(240, 700, "Acme"), newSpan(150, 688, "Engineer"),
			newSpan(50, 670, "2015 – 2019"), newSpan(150, 670, "Developer"), newSpan(240, 670, "Beta Medical"), newSpan(240, 658, "Devices"),
			newSpan(240, 620, "Page")},
			[][]string{{"2019 – 2021\tSenior Software Engineer\tAcme", "2015 – 2019\tDeveloper\tBeta Medical Devices", "Page"}}},
		{"a line below that would have fitted into the cell", []Span{
			newSpan(50, 700, "Lake College"), newSpan(300, 700, "2019 – 2021"), newSpan(50, 688, "Bachelor of Arts")},
			[][]string{{"Lake College\t2019 – 2021", "Bachelor of Arts"}}},
		{"headings beside their text, one on two lines", []Span{
			newSpan(50, 720, "Core"), newSpan(50, 708, "Competencies"), newSpan(200, 720, "Go, SQL, Kubernetes"),
			newSpan(50, 680, "Languages"), newSpan(200, 680, "English, French"), newSpan(50, 640, "Education"), newSpan(200, 640, "Lakeside University")},
			[][]string{{"Core Competencies\tGo, SQL, Kubernetes", "Languages\tEnglish, French", "Education\tLakeside University"}}},
		{"an address longer than its column", []Span{
			newSpan(50, 720, "Contact"), newSpan(50, 705, "linkedin.com/in/maya-okafor-the-engineer-of-acme"), newSpan(50, 690, "Skills"), newSpan(50, 675, "Go, SQL"),
			newSpan(200, 722, "Experience"), newSpan(200, 708, "Engineer at Acme"), newSpan(200, 694, "2019 – now"), newSpan(200, 680, "Education"), newSpan(200, 666, "Lakeside University")},
			[][]string{{"Contact", "linkedin.com/in/maya-okafor-the-engineer-of-acme", "Skills", "Go, SQL"},
				{"Experience", "Engineer at Acme", "2019 – now", "Education", "Lakeside University"}}},
		{"marks of a timeline above their dates", []Span{
			newSpan(50, 740, "Employment History"), newSpan(50, 720, "●"), newSpan(62, 720, "Engineer"), newSpan(62, 708, "Acme GmbH"), newSpan(62, 696, "2019 – 2021"),
			newSpan(50, 670, "●"), newSpan(62, 670, "Developer"), newSpan(62, 658, "Beta Ltd"), newSpan(62, 646, "2015 – 2019")},
			[][]string{{"Employment History", "Engineer", "Acme GmbH", "2019 – 2021", "Developer", "Beta Ltd", "2015 – 2019"}}},
		{"marks of a timeline in lines of dates, one above a heading", []Span{
			marked(50, 740, "● 2019 – 2021"), newSpan(60, 728, "Engineer, Acme GmbH"), newSpan(60, 708, "Education"), marked(50, 688, "● Physics"), newSpan(60, 676, "Lakeside University")},
			[][]string{{"2019 – 2021", "Engineer, Acme GmbH", "Education", "Physics", "Lakeside University"}}},
		{"marks right of their dates, above what begins where they do", []Span{
			newSpan(50, 720, "2019 – 2021"), marked(150, 720, "• Acme GmbH"), newSpan(150, 708, "Engineer"), newSpan(150, 696, "– Built the machines"),
			newSpan(50, 684, "2015 – 2019"), marked(150, 684, "• Beta Ltd"), newSpan(150, 672, "Developer"), newSpan(150, 660, "– Wrote what was needed")},
			[][]string{{"2019 – 2021\tAcme GmbH", "Engineer", "– Built the machines", "2015 – 2019\tBeta Ltd", "Developer", "– Wrote what was needed"}}},
		{"a date beside a line that is wider than the labels above and below", []Span{
			newSpan(50, 760, "3"), newSpan(75, 760, "Studies"), newSpan(50, 740, "Kirkwall Art Academy"), newSpan(300, 740, "2015 – 2017"),
			newSpan(50, 720, "4"), newSpan(75, 720, "Languages"), newSpan(75, 700, "English, French")},
			[][]string{{"3\tStudies", "Kirkwall Art Academy\t2015 – 2017", "4\tLanguages", "English, French"}}},
		{"a row of labels above a row of cells", []Span{
			newSpan(50, 700, "Unternehmen und Ort"), newSpan(160, 700, "Stelle"), newSpan(330, 700, "Zeit"),
			newSpan(50, 688, "Acme Robotics GmbH"), newSpan(160, 688, "Pflegefachkraft"), newSpan(330, 688, "2014 – 2018")},
			[][]string{{"Unternehmen und Ort\tStelle\tZeit", "Acme Robotics GmbH\tPflegefachkraft\t2014 – 2018"}}},
		{"a line below a full cell that is wider than it, and one that is a place", []Span{
			newSpan(50, 700, "Senior Engineer of Machines, Acme Robotics"), newSpan(265, 700, "2019 – 2021"), newSpan(50, 688, "Austin, TX"),
			newSpan(50, 676, "Built and sold the machines that others had only planned")},
			[][]string{{"Senior Engineer of Machines, Acme Robotics\t2019 – 2021", "Austin, TX", "Built and sold the machines that others had only planned"}}},
		{"list items whose marks are drawn, one on two lines", []Span{
			newSpan(50, 700, "Engineer, Acme Robotics"), newSpan(400, 700, "2019 – 2021"),
			newSpan(65, 688, "Built the machines that others had only planned for years and then sold most of them to"),
			newSpan(65, 676, "a rival"), newSpan(65, 664, "Trained staff"), newSpan(65, 652, "Wrote what was needed")},
			[][]string{{"Engineer, Acme Robotics\t2019 – 2021", "• Built the machines that others had only planned for years and then sold most of them to a rival", "• Trained staff", "• Wrote what was needed"}}},
		{"nothing", nil, nil},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, columnLines(ReadingOrder(tt.spans, MaxColumns))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// The marks of a timeline are dropped, and those of the list items beside it stay, whichever of them is checked first.
func TestTimelinesWithListItems(t *testing.T) {
	t.Parallel()
	want := [][]string{{"Engineer, Acme\t2019 – 2021", "• Built casks", "Cooper, Tern\t2015 – 2019", "• Kept books", "Clerk, Bluestem\t2012 – 2015", "• Wrote letters"}}
	for range 20 { // the order of a map differs from run to run
		spans := []Span{
			marked(50, 740, "● Engineer, Acme"), newSpan(400, 740, "2019 – 2021"), marked(60, 728, "• Built casks"),
			marked(50, 700, "● Cooper, Tern"), newSpan(400, 700, "2015 – 2019"), marked(60, 688, "• Kept books"),
			marked(50, 660, "● Clerk, Bluestem"), newSpan(400, 660, "2012 – 2015"), marked(60, 648, "• Wrote letters"),
		}
		if diff := cmp.Diff(want, columnLines(ReadingOrder(spans, MaxColumns))); diff != "" {
			t.Fatalf("lines (-want +got):\n%s", diff)
		}
	}
}

func columnLines(columns []Column) (blocks [][]string) {
	for _, c := range columns {
		blocks = append(blocks, c.Lines)
	}
	return blocks
}

func TestColumnsGoOnOnTheNextPage(t *testing.T) {
	t.Parallel()
	first := func() []Column {
		return []Column{{50, 750, []string{"Maya Okafor"}}, {50, 300, []string{"Contact"}}, {200, 60, []string{"Experience", "Engineer"}}}
	}
	tests := []struct {
		name string
		page []Column
		want [][]string
	}{
		{"both columns", []Column{{52, 500, []string{"Skills"}}, {201, 400, []string{"Developer", "Education"}}},
			[][]string{{"Maya Okafor"}, {"Contact", "Skills"}, {"Experience", "Engineer", "Developer", "Education"}}},
		{"one, moved to the left", []Column{{50, 400, []string{"Developer"}}}, [][]string{{"Maya Okafor"}, {"Contact"}, {"Experience", "Engineer", "Developer"}}},
		{"one more, elsewhere", []Column{{200, 500, []string{"Developer"}}, {400, 400, []string{"Skills"}}},
			[][]string{{"Maya Okafor"}, {"Contact"}, {"Experience", "Engineer", "Developer"}, {"Skills"}}},
		{"an empty page", nil, [][]string{{"Maya Okafor"}, {"Contact"}, {"Experience", "Engineer"}}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, columnLines(AppendColumns(AppendColumns(nil, first()), tt.page))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestJoinWords(t *testing.T) {
	t.Parallel()
	word := func(left float64, text string) Span { return newSpan(left, 700, text) }
	tests := []struct {
		name  string
		words []Span
		want  []string
	}{
		{"a space", []Span{word(50, "Maya"), word(73, "Okafor")}, []string{"Maya Okafor"}},
		{"a gap", []Span{word(50, "Maya"), word(90, "2019")}, []string{"Maya", "2019"}},
		{"the next line", []Span{word(50, "Maya"), newSpan(73, 680, "Okafor")}, []string{"Maya", "Okafor"}},
		{"from right to left", []Span{word(80, "עומר"), word(60, "חדד")}, []string{"עומר חדד"}},
		{"a drifted letter", []Span{word(50, "Nguy"), word(75, "n"), word(83, "An"), word(70, "ễ")}, []string{"Nguyễn An"}},
		{"words drawn in another order", []Span{word(106, "Acme"), word(50, "Engineer"), word(93, "of")}, []string{"Engineer of Acme"}},
		{"English words within Hebrew ones", []Span{word(99, "עומר"), word(58, "Acme"), word(81, "Ltd"), word(40, "חדד")}, []string{"עומר Acme Ltd חדד"}},
		{"numbers and dashes within Hebrew ones", []Span{word(40, "חדד"), word(58, "2021"), word(81, "–"), word(89, "2019"), word(112, "עומר")}, []string{"עומר 2019 – 2021 חדד"}},
		{"an English page with Hebrew words", []Span{word(50, "•"), word(57, "חדד"), word(75, "עומר"), word(98, "at"), word(111, "אורן"), newSpan(50, 680, "עומר"), newSpan(50, 660, "נועה")}, []string{"• עומר חדד at אורן", "עומר", "נועה"}},
		{"brackets as they are shown", []Span{word(50, "(עומר)"), word(84, "חדד")}, []string{"חדד (עומר)"}},
		{"an opening bracket, closed on the next line", []Span{word(55, "(עומר"), word(84, "חדד")}, []string{"חדד (עומר"}},
		{"turned brackets", []Span{word(50, ")עומר("), word(84, "חדד")}, []string{"חדד (עומר)"}},
		{"the mark of a list item", []Span{word(50, "•"), word(65, "built")}, []string{"• built"}},
		{"the mark of a timeline left of Hebrew dates", []Span{word(50, "●"), word(60, "2019"), word(83, "עומר")}, []string{"●", "עומר 2019"}},
		{"a word in two pieces that touch", []Span{word(50, "Norde"), word(75, "n")}, []string{"Norden"}},
		{"a drifted end", []Span{word(50, "Th"), word(68, "Mai"), word(60, "ị")}, []string{"Thị Mai"}},
	}
	for _, tt := range tests {
		var got []string
		for _, s := range JoinWords(tt.words) {
			got = append(got, s.Text)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestFontChangePartsFacts(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, first, second string
		size                float64
		want                string
	}{
		{"two facts", "Acme Ltd.", "Senior Engineer", 10, "Acme Ltd.\tSenior Engineer"},
		{"two facts and a comma", "Acme Ltd.,", "Senior Engineer", 10, "Acme Ltd.,\tSenior Engineer"},
		{"a name in large letters", "Maya", "Ngozi", 24, "Maya Ngozi"},
		{"two facts and a name in small letters", "Engineer,", "tern", 10, "Engineer,\ttern"},
		{"two facts in large letters", "Cooper,", "Bluestem", 24, "Cooper,\tBluestem"},
		{"emphasis in a sentence", "Acme", "sold machines", 10, "Acme sold machines"},
		{"emphasis after a label", "Clients:", "Acme Ltd", 10, "Clients: Acme Ltd"},
		{"emphasis in a list item", "• Acme", "Machines", 10, "• Acme Machines"},
	}
	for _, tt := range tests {
		words := []Span{{Box: Box{300, 600, 320, 610}, Text: "Text", Size: 10}, {Box: Box{300, 580, 320, 590}, Text: "Text", Size: 10}, {Box: Box{300, 560, 320, 570}, Text: "Text", Size: 10}}
		left := 50.0
		for i, text := range []string{tt.first, tt.second} {
			for word := range strings.FieldsSeq(text) {
				right := left + 5*float64(len(word))
				words = append(words, Span{Box: Box{left, 700, right, 710}, Text: word, Size: tt.size, Font: []string{"Sans-Bold", "Sans-Italic"}[i]})
				left = right + 3
			}
		}
		if got := JoinWords(words)[0].Text; got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// In letters of one width words begin below each other, and a space is as wide as a letter.
func TestLettersOfOneWidth(t *testing.T) {
	t.Parallel()
	var words []Span
	for i := range 4 {
		for n, text := range []string{"sold", "them", "both", "here"} {
			words = append(words, Span{Box: Box{50 + 30*float64(n), 700 - 12*float64(i), 74 + 30*float64(n), 710 - 12*float64(i)}, Text: text})
		}
	}
	if got := len(JoinWords(words)); got != 4 {
		t.Errorf("%d spans, want 4: one on each line", got)
	}
}

// A space between words may be as wide as the gap between two narrow columns, where other
// lines tell that a column begins.
func TestNarrowGapsPartColumns(t *testing.T) {
	t.Parallel()
	line := func(bottom float64, end float64) []Span {
		return []Span{{Box: Box{50, bottom, end, bottom + 10}, Text: "text"}, {Box: Box{200, bottom, 260, bottom + 10}, Text: "2019"}}
	}
	rows := slices.Concat(line(700, 150), line(688, 160), line(676, 170), line(664, 193))
	if got := len(JoinWords(rows)); got != 8 {
		t.Errorf("%d spans, want 8: the column at 200 begins on each line", got)
	}
	if got := len(JoinWords(line(664, 193))); got != 1 {
		t.Errorf("%d spans, want 1: nothing else begins at 200", got)
	}
}
