package archtest

// denseLines counts the lines with more boolean operators than are good, by package. A
// number may only fall.
var denseLines = map[string]int{}

// wideLines counts the lines that are too wide, by package. A number may only fall.
var wideLines = map[string]int{
	"infra":                    42,
	"infra/capacity":           2,
	"infra/cost":               1,
	"local":                    5,
	"local/terminal":           5,
	"local/operate/bulk":       1,
	"local/testkit/cloudtest":  1,
	"local/console":            1,
	"local/demo":               1,
	"local/demo/candidates":    3,
	"local/demo/market":        3,
	"local/demo/reset":         2,
	"local/demo/roles":         4,
	"local/run/emulator":       3,
	"local/run/lambda":         2,
	"local/run/resources":      1,
	"local/operate/restore":    2,
	"local/testkit/resumetest": 3,
	"local/testkit/samcheck":   1,
	"local/run/system":         1,
}
