package phone

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

// territoryList has a line for each territory, of fields with a tab between them: calling code, ISO
// code or 001 for none, exit, trunk, replacement, leading, local lengths, and the descriptions of all
// numbers and of each kind, as "lengths:pattern". generate.go makes it. Those that share a calling
// code stand in the order in which they claim a number.
//
//go:embed territories.txt
var territoryList string

// numberingPlans has the territories by ISO code, and by calling code.
type numberingPlans struct {
	byRegion map[string]*territory
	byCode   map[string][]*territory
}

var plans = sync.OnceValue(func() *numberingPlans {
	p := &numberingPlans{map[string]*territory{}, map[string][]*territory{}}
	for line := range strings.Lines(territoryList) {
		region, t := parseTerritory(strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
		p.byCode[t.code] = append(p.byCode[t.code], t)
		if region != "001" {
			p.byRegion[region] = t
		}
	}
	return p
})

func parseTerritory(fields []string) (region string, t *territory) {
	t = &territory{
		code: fields[0], exit: fields[2], trunk: fields[3], replacement: fields[4], leading: fields[5],
		local: parseLengths(fields[6]), general: parseNumbers(fields[7]),
	}
	for _, kind := range fields[8:] {
		t.kinds = append(t.kinds, parseNumbers(kind))
	}
	return fields[1], t
}

func parseNumbers(text string) numbers {
	lengths, pattern, _ := strings.Cut(text, ":")
	return numbers{parseLengths(lengths), pattern}
}

func parseLengths(text string) (lengths []int) {
	for field := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' }) {
		n, err := strconv.Atoi(field)
		if err != nil {
			panic(err) // the list is part of the program
		}
		lengths = append(lengths, n)
	}
	return lengths
}
