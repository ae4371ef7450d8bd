package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/recruiting-marketplace/external-api/local/run/emulator"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// welcomeText returns what a run prints once it serves.
func welcomeText(baseURL string, keys startupKeys, dir string) string {
	return fmt.Sprintf(`
Recruiting Marketplace External API

  console        %[6]s/
  base URL       %[1]s
  reference      %[1]s/docs
  agency key     %[2]s
  recruiter key  %[3]s
  for scripts    . %[4]s

  try            curl -s -H "Authorization: Bearer %[2]s" %[1]s/identity

Ctrl-C stops it; its data stays in %[5]s.

`, baseURL, keys.agency, keys.recruiter, quoteForShell(filepath.Join(dir, "env")), dataPlace(dir), strings.TrimSuffix(baseURL, contract.BasePath))
}

// dataPlace returns where the data of a run stays.
func dataPlace(dir string) string { return cmp.Or(os.Getenv(emulator.LocalStackVariable), dir) }

// plainPath is a path that a shell reads as it is.
var plainPath = regexp.MustCompile(`^[\w/.~+-]+$`)

// quoteForShell returns a path as it is typed in a shell.
func quoteForShell(path string) string {
	if plainPath.MatchString(path) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
