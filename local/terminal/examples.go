package terminal

import "strings"

// examples are command lines without the program's name, by command.
var examples = map[string][]string{
	"status":          {"status"},
	"resumes upload":  {"resumes upload cv.pdf"},
	"fast-track show": {"fast-track show cu_1"},
	"fast-track set":  {"fast-track set cu_1 on"},
	"logs":            {"logs --follow"},
	"members":         {"members"},
	"mcp":             {"mcp", "mcp --write --allow . --keys keys.env"},
	"identity":        {"identity", "identity --as recruiter --json"},
	"submit": {
		`submit cv.pdf --name "Ada Example" --email ada@example.com --linkedin https://www.linkedin.com/in/ada-example --locations Europe ` +
			`--workplace-types Remote --salary-min 90000 --funding-rounds "Series A" --visa HAS_VISA_AUTHORIZATION`,
		`submit - --reference row-1 --name "Ada Example" --email ada@example.com --linkedin https://www.linkedin.com/in/ada-example ` +
			`--locations Europe --workplace-types Remote --salary-min 90000 --funding-rounds Seed --visa HAS_VISA_AUTHORIZATION < cv.pdf`,
	},
	"bulk": {
		"bulk people.csv --resumes cvs --on-market --dry-run",
		"bulk people.csv --resumes cvs --on-market --map name='Full name' --set visaAuthorization=HAS_VISA_AUTHORIZATION",
	},
	"batches":          {"batches --max 10", "batches --since 24h --reference row-1"},
	"batch show":       {"batch show 0f8b1f36-6a2c-4f3c-9d70-3f4b4cf2c9a1"},
	"batch watch":      {"batch watch 0f8b1f36-6a2c-4f3c-9d70-3f4b4cf2c9a1"},
	"changes list":     {"changes list --type submission.failed"},
	"changes follow":   {"changes follow --json"},
	"candidates":       {"candidates --status on_market --max 0"},
	"lookup":           {"lookup ada@example.com https://www.linkedin.com/in/ada-example"},
	"preferences show": {"preferences show cu_1"},
	"preferences set": {
		"preferences set cu_1 --locations UK --workplace-types Remote --salary-min 90000 --funding-rounds Seed --visa HAS_VISA_AUTHORIZATION",
	},
	"preferences bulk": {"preferences bulk ada@example.com bea@example.com"},
	"off-market":       {"off-market ada@example.com"},
	"re-enable":        {"re-enable ada@example.com"},
	"roles search":     {`roles search "backend engineer" --location uk`, "roles search designer --as recruiter"},
	"roles show":       {"roles show role-1 --member ingrid@example.com"},
	"enumerations":     {"enumerations", "enumerations locations"},
	"completion":       {"completion bash"},
	"version":          {"version"},
	"help":             {"help", "help batch watch"},
}

// describeExamples returns examples as kong's help has them.
func describeExamples(name string, lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return "Examples:\n\n  " + name + " " + strings.Join(lines, "\n  "+name+" ")
}
