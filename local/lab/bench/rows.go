package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/recruiting-marketplace/external-api/infra/capacity"
	"github.com/recruiting-marketplace/external-api/local/run/envfile"
)

// measureSizes measures row 4: the programs and archives of the deployment.
func measureSizes(b *bench) ([]figure, error) {
	if _, err := b.run(".", nil, "make", "--no-print-directory", "build"); err != nil {
		return nil, err
	}
	echo := filepath.Join(b.dir, "echo-arm64")
	if err := b.buildPeer("echo", echo, "GOOS=linux", "GOARCH=arm64"); err != nil {
		return nil, err
	}
	theirs, err := megabytes(echo)
	if err != nil {
		return nil, err
	}
	var figures []figure
	for _, f := range append([]string{"ingest"}, httpFunctions...) {
		program, err := megabytes(filepath.Join("build", f, "bootstrap"))
		if err != nil {
			return nil, err
		}
		zip, err := megabytes(filepath.Join("build", f+".zip"))
		if err != nil {
			return nil, err
		}
		mostProgram := 9.0
		mostZip := 3.3
		if f == "ingest" {
			mostProgram = 22
			mostZip = 8
		}
		figures = append(figures,
			figure{Row: 4, Name: "program of " + f, Unit: "MB", Ours: program, Peer: "bare echo", Theirs: theirs, Goal: atMost(mostProgram)},
			figure{Row: 4, Name: "zip of " + f, Unit: "MB", Ours: zip, Goal: atMost(mostZip)})
	}
	return figures, nil
}

// megabytes returns the size of a file in millions of bytes, as the only sample.
func megabytes(path string) ([]float64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	return []float64{float64(info.Size()) / 1e6}, nil
}

// Prices of DynamoDB's units, in dollars for a million.
const readPrice, writePrice = 0.125, 0.625

// readsByID are operations that read one thing by its id.
var readsByID = []string{
	"getCandidate", "getPreferences", "getFastTrack", "getRole", "getAgencyRole", "getCRMCandidate", "getCall", "getBatch",
}

// shownCosts are the other operations with costs in the table; the file of samples has all.
var shownCosts = []string{"identity", "listCandidates", "listRoles", "listCRMCandidates", "submitCandidate", "submitBulk", "ingest"}

// measureUnits measures rows 7 and 8: the units of the capacity model, which a test holds to the
// units operations use at scale, and within 1.2 times that at a tenth of it; and what they cost.
func measureUnits(b *bench) ([]figure, error) {
	_, err := b.run(".", nil, "go", "test", "-run=^TestOperationsUseWhatIsRecorded$", "-count=1", capacityPackage)
	if err != nil {
		return nil, err
	}
	measured := capacity.ReadMeasurements()
	flat := figure{Row: 7, Name: "operations of constant units (docs/capacity.md)", Unit: "operations", Note: "told; flat, or a test fails"}
	flat.Ours = []float64{float64(len(measured.Operations))}
	figures := []figure{flat}
	for _, name := range slices.Sorted(maps.Keys(measured.Operations)) {
		u := measured.UnitsOf(name)
		figures = append(figures, figure{Row: 7, Name: name, Unit: "units", Ours: []float64{u.Reads + u.Writes}, Hidden: true})
		isRead := slices.Contains(readsByID, name)
		cost := figure{
			Row: 8, Name: "database of " + name, Unit: "$ a million", Ours: dollars(u), Peer: "one write, one read",
			Theirs: dollars(capacity.Units{Reads: 1, Writes: 1}), Hidden: !isRead && !slices.Contains(shownCosts, name),
		}
		if isRead {
			cost.Goal = ratioAtMost(1.3)
		}
		figures = append(figures, cost)
	}
	return figures, nil
}

func dollars(u capacity.Units) []float64 { return []float64{u.Reads*readPrice + u.Writes*writePrice} }

// loadedRoles is the number of roles in row 16, unless ROLES says otherwise; sizes and the time to
// publish are scaled to bulkRoles.
const loadedRoles, bulkRoles = 5000, 100_000

var (
	loadedLine    = regexp.MustCompile(`(\d+) events in ([0-9.]+) s`)
	publishedLine = regexp.MustCompile(`published a catalogue of (\d+) roles in ([0-9.]+) s`)
)

// measureBulkLoad measures row 16: a running system into which roles are loaded through the feed.
func measureBulkLoad(b *bench) (figures []figure, err error) {
	roles, err := strconv.Atoi(cmp.Or(os.Getenv("ROLES"), strconv.Itoa(loadedRoles)))
	if err != nil {
		return nil, fmt.Errorf("ROLES: %w", err)
	}
	program := filepath.Join(b.dir, "local")
	if _, err := b.run(".", nil, "go", "build", "-o", program, "./local"); err != nil {
		return nil, err
	}
	err = b.withChild(program, func(data string) error {
		figures, err = b.loadRoles(program, data, roles)
		return err
	})
	return figures, err
}

// loadRoles loads roles into the system that has its state in data.
func (b *bench) loadRoles(program, data string, roles int) ([]figure, error) {
	env := []string{"DATA_DIR=" + data}
	events := filepath.Join(b.dir, "roles.ndjson")
	before := sizeOf(data)
	made, err := b.run(".", env, program, "demo", "--roles", strconv.Itoa(roles))
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(events, []byte(made), 0o600); err != nil {
		return nil, err
	}
	out, err := b.run(".", env, program, "feed", "load", "--bulk", events)
	if err != nil {
		return nil, err
	}
	loaded := readNumbers(loadedLine, out)
	published := readNumbers(publishedLine, out)
	if loaded == nil || published == nil {
		return nil, fmt.Errorf("the load printed something else: %s", out)
	}
	scale := bulkRoles / float64(roles)
	return []figure{
		{Row: 16, Name: fmt.Sprintf("bulk load of %d roles", roles), Unit: "events a second", Ours: []float64{loaded[0] / loaded[1]}, Goal: atLeast(1000)},
		{Row: 16, Name: "its bytes on disk, for 100,000", Unit: "MB", Ours: []float64{float64(sizeOf(data)-before) / 1e6 * scale}, Goal: atMost(300)},
		{Row: 16, Name: "publishing it, for 100,000", Unit: "s", Ours: []float64{published[1] * bulkRoles / published[0]}, Goal: atMost(15)},
	}, nil
}

// readNumbers returns the numbers of a line's groups, or nil if text has no such line.
func readNumbers(line *regexp.Regexp, text string) (numbers []float64) {
	groups := line.FindStringSubmatch(text)
	for _, group := range groups[min(1, len(groups)):] {
		number, err := strconv.ParseFloat(group, 64)
		if err != nil {
			return nil
		}
		numbers = append(numbers, number)
	}
	return numbers
}

func sizeOf(dir string) (total int64) {
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

// measureChecks reports row 17: what the last `make test` and `.ci/run` of this working copy took.
// Running them here would take longer than the rest.
func measureChecks(*bench) ([]figure, error) {
	var figures []figure
	for _, check := range []struct {
		name, file string
		most       float64
	}{{"make test, the last run", ".bin/test.seconds", 210}, {".ci/run, the last run", ".bin/ci.seconds", 900}} {
		f := figure{Row: 17, Name: check.name, Unit: "s", Goal: atMost(check.most)}
		if text, err := os.ReadFile(check.file); err == nil {
			f.Ours = readNumbers(regexp.MustCompile(`(\d+)`), string(text))
			if f.Ours == nil {
				return nil, fmt.Errorf("%s is no number of seconds", check.file)
			}
		}
		figures = append(figures, f)
	}
	return figures, nil
}

// startTime bounds the start of the system, which includes loading the demo.
const startTime = 3 * time.Minute

// withChild runs work on the whole local system, as `make run` starts it, in a process of its own on a free port. Its state and its
// log are in a temporary directory, which stays if the work fails.
func (b *bench) withChild(program string, work func(dir string) error) error {
	dir, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	ctx, stop := context.WithCancel(b.ctx)
	defer stop()
	system := exec.CommandContext(ctx, program)
	system.Cancel = func() error { return system.Process.Signal(os.Interrupt) }
	system.WaitDelay = startTime
	system.Env = append(os.Environ(), "PORT=0", "DATA_DIR="+dir)
	system.Stderr = log
	if err := system.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = system.Wait() // the log has the reason
	}()
	err = waitUntilReady(ctx, dir, ended)
	if err == nil {
		err = work(dir)
	}
	stop()
	<-ended
	if err != nil {
		return fmt.Errorf("%w (state and log: %s)", err, dir)
	}
	return os.RemoveAll(dir)
}

// waitUntilReady waits until a system serves with its state in dir.
func waitUntilReady(ctx context.Context, dir string, ended <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	for {
		env, err := envfile.Read(filepath.Join(dir, "env"))
		if err == nil && len(env) > 0 {
			return nil
		}
		select {
		case <-ended:
			return errors.New("the system ended while starting")
		case <-ctx.Done():
			return errors.Join(errors.New("the system did not start in time"), err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}
