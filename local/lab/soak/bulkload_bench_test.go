package soak

import (
	"bytes"
	"cmp"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

var (
	loadedLine    = regexp.MustCompile(`(\d+) events in ([0-9.]+) s`)
	publishedLine = regexp.MustCompile(`published a catalogue of (\d+) roles in ([0-9.]+) s`)
)

// BenchmarkLoadedSystem loads 5,000 roles, or ROLES of them, into a running system, as an operator does. Its bytes on disk and the
// time to publish are scaled to 100,000 roles.
func BenchmarkLoadedSystem(b *testing.B) {
	const scaledTo = 100_000
	roles, err := strconv.Atoi(cmp.Or(os.Getenv("ROLES"), "5000"))
	if err != nil {
		b.Fatalf("ROLES: %v", err)
	}
	events := filepath.Join(b.TempDir(), "roles.ndjson")
	for b.Loop() {
		dir := newSoakDir(b)
		system := startProcess(b, dir)
		system.waitUntilReady()
		before := sizeOf(b, dir)
		made := runLocal(b, dir, "demo", "--roles", strconv.Itoa(roles))
		if err := os.WriteFile(events, made, 0o600); err != nil {
			b.Fatal(err)
		}
		out := runLocal(b, dir, "feed", "load", "--bulk", events)
		loaded := readNumbers(b, loadedLine, out)
		published := readNumbers(b, publishedLine, out)
		b.ReportMetric(float64(roles), "roles")
		b.ReportMetric(loaded[0]/loaded[1], "events/s")
		b.ReportMetric(float64(sizeOf(b, dir)-before)/1e6*scaledTo/float64(roles), "MB")
		b.ReportMetric(published[1]*scaledTo/published[0], "publishing-s")
		system.interrupt()
	}
}

// runLocal runs a command on the running system with its state in dir, and returns its standard output.
func runLocal(b *testing.B, dir string, args ...string) []byte {
	b.Helper()
	cmd := exec.CommandContext(b.Context(), program, args...)
	cmd.Env = append(os.Environ(), "DATA_DIR="+dir)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		b.Fatalf("%v: %v\n%s%s", args, err, out, problems.Bytes())
	}
	return out
}

// readNumbers returns the numbers of a line's groups.
func readNumbers(b *testing.B, line *regexp.Regexp, text []byte) (numbers []float64) {
	b.Helper()
	groups := line.FindSubmatch(text)
	if groups == nil {
		b.Fatalf("the load printed something else: %s", text)
	}
	for _, group := range groups[1:] {
		number, err := strconv.ParseFloat(string(group), 64)
		if err != nil {
			b.Fatal(err)
		}
		numbers = append(numbers, number)
	}
	return numbers
}

func sizeOf(b *testing.B, dir string) (total int64) {
	b.Helper()
	_ = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return nil // a database removes files while it runs
		}
		if info, err := entry.Info(); err == nil {
			total += info.Size()
		}
		return nil
	})
	return total
}
