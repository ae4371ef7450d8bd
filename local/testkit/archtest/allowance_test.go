package archtest

// denseLines counts the lines with more boolean operators than are good, by package. A
// number may only fall.
var denseLines = map[string]int{}

// wideLines counts the lines that are too wide, by package. A number may only fall.
var wideLines = map[string]int{
	"infra":          42,
	"infra/capacity": 2,
	"infra/cost":     1,
}
