package main

import (
	"os"
	"path/filepath"
)

// measureSizes measures row 4: the programs and archives of the deployment.
func measureSizes(b *bench) ([]figure, error) {
	if _, err := b.run(b.command(".", nil, "make", "--no-print-directory", "build")); err != nil {
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
		most := 9.0
		mostZip := 3.3
		if f == "ingest" {
			most = 22
			mostZip = 8
		}
		figures = append(figures,
			figure{Row: 4, Name: "program of " + f, Unit: "MB", Ours: program, Peer: "bare echo", Theirs: theirs, Goal: atMost(most)},
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
