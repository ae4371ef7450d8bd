package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// pkg is a package as go list -json describes it.
type pkg struct {
	ImportPath, Dir                             string
	Module                                      struct{ Dir string }
	GoFiles, Imports, TestImports, XTestImports []string
	// users import the package and have tests.
	users []*pkg
}

// testImports returns what the tests import: nothing if there are none.
func (p *pkg) testImports() []string { return slices.Concat(p.TestImports, p.XTestImports) }

// listPackages returns the packages to change, each with those of users that import it and have tests.
func listPackages(ctx context.Context, dir string, patterns, users []string) ([]*pkg, error) {
	packages, err := list(ctx, dir, patterns)
	if err != nil {
		return nil, err
	}
	importers, err := list(ctx, dir, users)
	if err != nil {
		return nil, err
	}
	for _, p := range packages {
		for _, i := range importers {
			if len(i.testImports()) > 0 && slices.Contains(i.Imports, p.ImportPath) {
				p.users = append(p.users, i)
			}
		}
	}
	return packages, nil
}

func list(ctx context.Context, dir string, patterns []string) (packages []*pkg, err error) {
	if len(patterns) == 0 {
		return nil, nil
	}
	args := []string{"list", "-json=ImportPath,Dir,Module,GoFiles,Imports,TestImports,XTestImports"}
	command := exec.CommandContext(ctx, "go", append(args, patterns...)...)
	command.Dir = dir
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("listing packages %v: %w", patterns, err)
	}
	decoder := json.NewDecoder(bytes.NewReader(out))
	for {
		p := new(pkg)
		err := decoder.Decode(p)
		if errors.Is(err, io.EOF) {
			return packages, nil
		}
		if err != nil {
			return nil, fmt.Errorf("reading what go list prints: %w", err)
		}
		packages = append(packages, p)
	}
}

// findMutants returns the changes of the package's files in the order in which a sample takes them.
func (p *pkg) findMutants(seed uint64) ([]mutant, error) {
	random := rand.New(rand.NewPCG(seed, 0))
	var mutants []mutant
	for _, name := range p.GoFiles {
		absolute := filepath.Join(p.Dir, name)
		source, err := os.ReadFile(absolute)
		if err != nil {
			return nil, err
		}
		relative, err := filepath.Rel(p.Module.Dir, absolute)
		if err != nil {
			return nil, err
		}
		found, err := findMutants(source, random)
		if err != nil {
			return nil, fmt.Errorf("finding places to change in %s: %w", relative, err)
		}
		for _, m := range found {
			m.pkg = p
			m.source = source
			m.path = absolute
			m.File = relative
			m.Package = p.ImportPath
			mutants = append(mutants, m)
		}
	}
	random.Shuffle(len(mutants), func(i, j int) { mutants[i], mutants[j] = mutants[j], mutants[i] })
	return mutants, nil
}
