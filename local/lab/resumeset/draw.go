package main

import (
	"encoding/json"
)

// drawn is the family of programs that place text themselves (draw.py). It is planned
// beside the others, whose files it leaves as they are.
var drawn = []family{{
	Name: "drawn", Formats: []string{"pdf"}, Source: "draw",
	Layouts: []string{"label", "table", "columns", "timeline", "single"},
	Forms:   []string{"{MMM} {yyyy}", "{MM}/{yyyy}", "{yyyy}", "{MMMM} {yyyy}", "{MMM}. {yyyy}"},
	Parts:   []string{" – ", " - ", "–", "-", " to "},
	Opens:   []string{"now", "now", "dash", "since"},
	Heads:   []string{"{T}\t{D}|{C}, {L}", "{C}\t{L}|{T}\t{D}", "{C}|{L}\t{D}|{T}", "{T}\t{C}, {L}|{D}", "{T}, {C}\t{D}", "{T}|{C}|{L}|{D}", "{D}\t{L}|{T}, {C}"},
	Beside:  []string{"{T}|{C}, {L}", "{C}\t{L}|{T}", "{T}, {C}, {L}", "{T}, {C}", "{C}|{T}|{L}", "{T}\t{C}|{L}"},
	Studies: []string{"{G}\t{D}|{S}", "{S}\t{D}|{G}", "{G}, {S}", "{D}\t{G}|{S}"},
	Bullets: []string{"list"},
	Orders:  usualOrders,
	Join:    []string{" | ", "lines", " · ", "labels"},
	Skills:  []string{"comma", "bullets", "groups", "bars"},
	Upper:   0.3, Lasting: 0.1, Nested: 0.1,
}}

// drawnFiles returns how many drawn files there are in a language: none in one whose script
// needs shaping or a font that cannot be embedded.
func drawnFiles(code string) int {
	switch code {
	case "en":
		return 150
	case "ar", "hi", "ja", "zh":
		return 0
	}
	return 5
}

// drawnBlock is a block as draw.py reads it.
type drawnBlock struct {
	Kind  string         `json:"kind"`
	Text  string         `json:"text"`
	Cells [][]drawnBlock `json:"cells,omitempty"`
}

var drawnKinds = map[kind]string{nameLine: "name", contactLine: "contact", heading: "heading", headLine: "head", line: "line", bullet: "bullet", paragraph: "paragraph", row: "row", aside: "aside"}

// writeDrawing writes what draw.py draws.
func writeDrawing(blocks []block, s style) []byte {
	out, err := json.Marshal(map[string]any{"blocks": drawnBlocks(blocks), "look": s.Look, "layout": s.Layout, "right": s.AsideRight})
	if err != nil {
		panic(err) // strings and numbers only
	}
	return out
}

func drawnBlocks(blocks []block) []drawnBlock {
	out := make([]drawnBlock, len(blocks))
	for i, b := range blocks {
		out[i] = drawnBlock{Kind: drawnKinds[b.kind], Text: b.text}
		for _, cell := range b.cells {
			out[i].Cells = append(out[i].Cells, drawnBlocks(cell))
		}
	}
	return out
}
