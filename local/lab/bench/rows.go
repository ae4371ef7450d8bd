package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/recruiting-marketplace/external-api/infra/capacity"
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
			seconds, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
			if err != nil {
				return nil, fmt.Errorf("%s is no number of seconds: %w", check.file, err)
			}
			f.Ours = []float64{seconds}
		}
		figures = append(figures, f)
	}
	return figures, nil
}
