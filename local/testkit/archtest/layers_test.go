package archtest

import (
	"slices"
	"strings"
)

// layers orders the folders of shared/ from the bottom up. A package imports only
// packages of lower layers. Folders of one layer do not import each other, so that an
// area of the business can be read, tested and replaced by itself; a function that
// needs two areas combines their values.
var layers = [][]string{
	{"text"},
	{"identity"},
	{"api"},
	{"cloud"},
	{"account"},
	{"agency", "candidate", "gateway", "marketplace"},
	{"search"},
}

// foundations are the packages that others of the same folder may import.
// Within a folder nothing else is imported.
var foundations = []string{
	"shared/api/contract", "shared/api/fault",
	"shared/cloud", "shared/cloud/topology",
	"shared/account/apikey", "shared/account/tenant",
	"shared/agency/changefeed",
	"shared/gateway",
	"shared/marketplace/entity",
	"shared/search/roleindex", "shared/search/recommend", "shared/search/opensearch", "shared/search/snapshot", "shared/search/catalogue",
}

// readerFolder holds the packages of the resume reader.
const readerFolder = "shared/candidate/resume"

// readerLayers orders the packages of the resume reader from the bottom up, as data goes: words and
// dates, what a line says, lines in reading order, files of each format, and what they say of a person.
var readerLayers = []string{
	"filetype", "words", "dates", "document",
	"facts", "heading", "rejoin", "page", "collect", "pdf", "office",
	"jobs", "person", "background", "",
}

// readerDoors are the packages of the reader that others import.
var readerDoors = []string{readerFolder, readerFolder + "/filetype"}

// domainFolders contain the rules of the business.
var domainFolders = []string{"shared/account", "shared/agency", "shared/candidate", "shared/marketplace", "shared/search"}

// toolImports are the packages of ours that the terminal tool is built of.
var toolImports = []string{
	"local/terminal", "local/run/envfile", "local/terminal/mcp", "shared/api/client", "shared/api/contract", "shared/api/decode", "shared/api/fault", "shared/api/optional",
	"shared/candidate/resume/filetype", "shared/identity", "shared/text",
}

// workers are the functions without routes; they receive AWS's own events.
var workers = []string{"functions/ingest", "functions/sweep", "functions/feed", "functions/publisher", "functions/keys", "functions/canary"}

var importRules = []rule{{
	name: "leaves",
	reason: "contract and topology are imported by everything, the deployment included; " +
		"so would be what they import",
	imports: func(f *file, imported string) bool {
		return f.liesIn("shared/api/contract", "shared/cloud/topology") && isOurs(imported)
	},
}, {
	name:   "layers of shared",
	reason: "imports point downwards in the table of layers; a new folder must be entered there",
	imports: func(f *file, imported string) bool {
		own := layerOf(f.Dir())
		other := layerOf(imported)
		switch {
		case !f.liesIn("shared") || !isOurs(imported):
			return false
		case own < 0 || other < 0:
			return true
		case f.liesIn(readerFolder) && isWithin(imported, readerFolder):
			return readerLayer(imported) < 0 || readerLayer(imported) >= readerLayer(f.Dir())
		case folderOf(f.Dir()) == folderOf(imported):
			return imported != f.Dir() && !slices.Contains(foundations, imported)
		}
		return other >= own
	},
}, {
	name:   "one door to the resume reader",
	reason: "the steps of the reader change together; others know its results alone",
	imports: func(f *file, imported string) bool {
		return !f.liesIn(readerFolder) && isWithin(imported, readerFolder) && !slices.Contains(readerDoors, imported)
	},
}, {
	name:   "functions stand alone",
	reason: "each function is deployed by itself; the containers are what serves the handlers of others",
	imports: func(f *file, imported string) bool {
		return f.liesIn("functions") && isWithin(imported, "functions") && functionOf(imported) != functionOf(f.Dir()) &&
			!f.liesIn("functions/reads") && (!f.liesIn("functions/uploads") || functionOf(imported) != "functions/submissions")
	},
}, {
	name:   "deployed code imports nothing local",
	reason: "the deployed code cannot tell that it runs on a developer's machine, and carries no demo data",
	imports: func(f *file, imported string) bool {
		return f.liesIn("functions", "shared", "infra") && isWithin(imported, "local")
	},
}, {
	name:   "only local imports testing",
	reason: "code for tests brings the testing package with it, which does not belong in a deployed function",
	imports: func(f *file, imported string) bool {
		return !f.liesIn("local") && imported == "testing"
	},
}, {
	name:   "the terminal tool is small",
	reason: "it is a binary for users of the API, who need neither the service nor AWS",
	imports: func(f *file, imported string) bool {
		return f.liesIn("local/terminal", "local/terminal/mcp") && (belongsTo(imported, "github.com/aws") || isOurs(imported) && !slices.Contains(toolImports, imported))
	},
}, {
	name: "clients of S3 and SQS stand alone",
	reason: "functions without objects and messages start 0.4 ms sooner without them, " +
		"and every function imports these folders",
	imports: func(f *file, imported string) bool {
		return f.liesIn("shared/account", "shared/agency", "shared/cloud", "shared/gateway", "functions/platform", "functions/network", "functions/keys") &&
			(belongsTo(imported, "github.com/aws/aws-sdk-go-v2/service/s3") && !f.liesIn("shared/cloud/objectstore") ||
				belongsTo(imported, "github.com/aws/aws-sdk-go-v2/service/sqs") && !f.liesIn("shared/cloud/messaging") ||
				isWithin(imported, "shared/cloud/objectstore") || isWithin(imported, "shared/cloud/messaging"))
	},
}, {
	name:   "CDK only in infra",
	reason: "CDK takes over a minute to compile and would be downloaded for every test of a function",
	imports: func(f *file, imported string) bool {
		return !f.liesIn("infra") && belongsTo(imported, "github.com/aws/aws-cdk-go", "github.com/aws/constructs-go",
			"github.com/aws/jsii-runtime-go", "github.com/cdklabs")
	},
}, {
	name:   "Lambda's types at the edge",
	reason: "a domain or handler that knows an event's type cannot be called by a test, the container or another worker",
	imports: func(f *file, imported string) bool {
		edge := f.liesIn("local", "shared/gateway") || f.liesIn(workers...) ||
			f.liesIn("functions") && strings.HasSuffix(f.Dir(), "/lambda")
		return !edge && belongsTo(imported, "github.com/aws/aws-lambda-go", "github.com/awslabs/aws-lambda-go-api-proxy")
	},
}}

func isOurs(imported string) bool {
	return slices.ContainsFunc([]string{"shared", "functions", "local", "infra"}, func(top string) bool { return isWithin(imported, top) })
}

// belongsTo reports whether a path is one of the modules or lies below one.
func belongsTo(imported string, modules ...string) bool {
	return slices.ContainsFunc(modules, func(m string) bool { return isWithin(imported, m) })
}

// folderOf returns the folder directly under shared/ that a path belongs to.
func folderOf(dir string) string {
	rest, ok := strings.CutPrefix(dir, "shared/")
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(rest, "/")
	return name
}

// layerOf returns the number of a path's layer, or -1 if it belongs to none.
func layerOf(dir string) int {
	return slices.IndexFunc(layers, func(folders []string) bool { return slices.Contains(folders, folderOf(dir)) })
}

// readerLayer returns the number of the layer of a package of the resume reader, or -1 if it belongs to none.
func readerLayer(dir string) int {
	return slices.Index(readerLayers, strings.TrimPrefix(strings.TrimPrefix(dir, readerFolder), "/"))
}

// functionOf returns "functions/<group>" for a path in it.
func functionOf(dir string) string {
	parts := strings.SplitN(dir, "/", 3)
	return strings.Join(parts[:min(2, len(parts))], "/")
}
