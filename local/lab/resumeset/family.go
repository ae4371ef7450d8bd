package main

// family is a family of generators: a way to write files, and the habits of those who
// write them so. Nothing but the layouts' names is common to all.
type family struct {
	Name    string
	Formats []string // extensions of the files; pdf is converted from what Source writes
	Source  string   // extension of a PDF file's source
	Layouts []string // single, columns, label, table, timeline; repeated if more frequent
	Forms   []string // of dates (style.formatMonth)
	Parts   []string // between two dates
	Opens   []string // how a current job ends: now, dash, since
	Heads   []string // lines of a job in the flow, parted by bars; a tab goes to the right margin
	Beside  []string // lines of a job whose dates stand in a column of their own
	Studies []string // lines of a course of study: {G} degree, {S} school
	Bullets []string
	Orders  [][]string
	Join    []string // what parts the addresses under the name; "lines" and "labels" set one a line
	Skills  []string // comma, bars, bullets, lines, groups
	Upper   float64  // probability of headings in capitals
	Lasting float64  // probability of durations behind dates
	Nested  float64  // probability of promotions under one company
}

var usualOrders = [][]string{
	{"summary", "experience", "education", "skills", "tongues"},
	{"experience", "education", "skills", "tongues", "interests"},
	{"summary", "skills", "experience", "education", "tongues"},
	{"education", "experience", "skills", "tongues"},
}

// families are the development families. The held-out ones are in the folder heldout.
var families = []family{{
	Name: "word", Formats: []string{"docx"},
	Layouts: []string{"single", "single", "label", "table", "columns", "timeline"},
	Forms:   []string{"{MMM} {yyyy}", "{MM}/{yyyy}", "{yyyy}", "{MMMM} {yyyy}", "{MM}.{yyyy}"},
	Parts:   []string{" – ", " - ", "–"},
	Opens:   []string{"now", "now", "since"},
	Heads:   []string{"{T}\t{D}|{C}, {L}", "{C}\t{L}|{T}\t{D}", "{T}, {C}\t{D}", "{D}|{T}|{C}, {L}", "{C}|{L}|{D}|{T}"},
	Beside:  []string{"{T}|{C}, {L}", "{C}|{T}", "{T}, {C}"},
	Studies: []string{"{G}\t{D}|{S}", "{S}\t{D}|{G}", "{G}, {S}, {D}"},
	Bullets: []string{"list"},
	Orders:  usualOrders,
	Join:    []string{" | ", "labels", "lines"},
	Skills:  []string{"comma", "bullets", "groups"},
	Upper:   0.3, Nested: 0.1,
}, {
	Name: "office", Formats: []string{"odt", "rtf"},
	Layouts: []string{"single", "label", "table", "single"},
	Forms:   []string{"{MM}/{yyyy}", "{MM}.{yyyy}", "{MMMM} {yyyy}", "{DD}.{MM}.{yyyy}", "{MM}/{yy}"},
	Parts:   []string{" - ", " – ", "-"},
	Opens:   []string{"now", "since", "dash"},
	Heads:   []string{"{D}\t{L}|{C}|{T}", "{T} – {C}|{D}", "{D}: {T}, {C}, {L}", "{C}, {L}|{T}\t{D}"},
	Beside:  []string{"{C}, {L}|{T}", "{T} – {C}", "{T}|{C}"},
	Studies: []string{"{D}|{S}|{G}", "{D}: {G}, {S}", "{S}, {L}|{G}\t{D}"},
	Bullets: []string{"- ", "• "},
	Orders:  [][]string{{"personal", "experience", "education", "tongues", "skills", "interests"}, {"personal", "education", "experience", "skills", "tongues"}},
	Join:    []string{"labels", "lines", ", "},
	Skills:  []string{"comma", "lines", "groups"},
	Upper:   0.2,
}, {
	Name: "weasyprint", Formats: []string{"pdf"}, Source: "html",
	Layouts: []string{"columns", "single", "columns", "timeline", "label"},
	Forms:   []string{"{MMM} {yyyy}", "{MMMM} {yyyy}", "{MM}/{yyyy}", "{yyyy}", "{MMM} '{yy}", "{MM}/{yy}"},
	Parts:   []string{" – ", " — ", " → ", " to "},
	Opens:   []string{"now", "dash", "now"},
	Heads:   []string{"{T}\t{D}|{C}, {L}", "{T}|{C} · {D}|{L}", "{C}|{T}|{D}", "{T} {at} {C}|{D}, {L}", "{T} / {C}\t{D}"},
	Beside:  []string{"{T}|{C}, {L}", "{T} {at} {C}", "{C}|{T}|{L}"},
	Studies: []string{"{G}|{S}|{D}", "{S}\t{D}|{G}", "{G} · {S}\t{D}"},
	Bullets: []string{"• ", "▪ ", "list"},
	Orders:  usualOrders,
	Join:    []string{" · ", "lines", " | "},
	Skills:  []string{"bullets", "bars", "comma"},
	Upper:   0.5, Lasting: 0.25, Nested: 0.15,
}, {
	Name: "typst", Formats: []string{"pdf"}, Source: "typ",
	Layouts: []string{"single", "columns", "table", "single", "label"},
	Forms:   []string{"{yyyy}-{MM}", "{MMM} {yyyy}", "{yyyy}", "Q{Q} {yyyy}", "{MM}/{yyyy}", "{yyyy}/{MM}"},
	Parts:   []string{" – ", "–", " -- "},
	Opens:   []string{"now", "dash"},
	Heads:   []string{"{T}\t{D}|{C}\t{L}", "{C}\t{D}|{T}\t{L}", "{T}, {C}\t{D}", "{C} — {T} ({D})", "{T} @ {C}\t{D}"},
	Beside:  []string{"{T}, {C}|{L}", "{C} — {T}", "{T}|{C}"},
	Studies: []string{"{S}\t{D}|{G}", "{G}, {S}\t{D}", "{D}|{G}|{S}"},
	Bullets: []string{"list", "– "},
	Orders:  usualOrders,
	Join:    []string{" • ", " / ", "lines"},
	Skills:  []string{"groups", "comma", "bars"},
	Upper:   0.2, Lasting: 0.1, Nested: 0.2,
}, {
	Name: "builder", Formats: []string{"html"},
	Layouts: []string{"single", "columns", "timeline", "single", "label"},
	Forms:   []string{"{MMM} {yyyy}", "{MMMM} {yyyy}", "{MM}/{yyyy}", "{yyyy}"},
	Parts:   []string{" - ", " – ", " to "},
	Opens:   []string{"now"},
	Heads:   []string{"{T}|{C}|{D}|{L}", "{T}|{C} · {D}|{L}", "{D}|{T}|{C}, {L}", "{T} {at} {C}|{D}", "{C}|{T}|{D}"},
	Beside:  []string{"{T}|{C}", "{T}|{C}, {L}", "{C}|{T}"},
	Studies: []string{"{S}|{G}|{D}", "{G}|{S}|{D}", "{D}|{G}, {S}"},
	Bullets: []string{"list", "• "},
	Orders:  usualOrders,
	Join:    []string{"lines", " · ", "labels"},
	Skills:  []string{"bullets", "bars", "comma"},
	Upper:   0.2, Lasting: 0.5, Nested: 0.3,
}, {
	Name: "plain", Formats: []string{"txt", "txt", "md"},
	Layouts: []string{"single", "single", "label"},
	Forms:   []string{"{MM}/{yyyy}", "{MMM} {yyyy}", "{yyyy}-{MM}", "{yyyy}", "{MMMM} {yyyy}", "{MM}/{yy}"},
	Parts:   []string{" - ", "-", " -- ", " to "},
	Opens:   []string{"now", "dash", "since"},
	Heads:   []string{"{T} | {C} | {L} | {D}", "{D}  {T}, {C}", "{T}, {C}|{D}", "{C} ({L})|{T}, {D}", "{T}\t{D}|{C}", "{C}|{L}|{D}|{T}"},
	Beside:  []string{"{T}, {C}", "{T}|{C}", "{C}: {T}"},
	Studies: []string{"{G}, {S} ({D})", "{D}  {G}, {S}", "{S}|{G}|{D}"},
	Bullets: []string{"* ", "- ", "o ", "• "},
	Orders:  usualOrders,
	Join:    []string{"lines", "labels", " | ", ", "},
	Skills:  []string{"comma", "bullets", "groups", "bars"},
	Upper:   0.6, Nested: 0.1,
}}

// isForeign reports whether the programs of others write all formats of the family.
func (f family) isForeign() bool { return f.Source == "yaml" }
