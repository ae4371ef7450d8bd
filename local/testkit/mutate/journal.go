package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// journal keeps results in a file, one JSON object a line.
type journal struct {
	file  *os.File
	known map[string]result
	again bool
}

// openJournal reads a journal, or begins one. With again, split takes no survivor from it.
func openJournal(name string, again bool) (*journal, error) {
	j := &journal{known: map[string]result{}, again: again}
	content, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for lines := bufio.NewScanner(bytes.NewReader(content)); lines.Scan(); {
		var r result
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("reading the journal %s: %w", name, err)
		}
		j.known[r.key(r.Hash)] = r
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return nil, err
	}
	j.file, err = os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	return j, err
}

func (j *journal) close() { _ = j.file.Close() }

// add appends a result.
func (j *journal) add(r result) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = j.file.Write(append(line, '\n'))
	return err
}

// split returns the known results of mutants, and the mutants without one.
func (j *journal) split(mutants []mutant) (known []result, open []mutant) {
	for _, m := range mutants {
		r, ok := j.known[m.key(hash(m.source))]
		if ok && (r.Outcome != survived || !j.again) {
			known = append(known, r)
		} else {
			open = append(open, m)
		}
	}
	return known, open
}

// key identifies a change of a file's content.
func (m mutant) key(hash string) string { return fmt.Sprint(m.File, hash, m.Line, m.Column, m.Change) }

func hash(source []byte) string {
	sum := sha256.Sum256(source)
	return hex.EncodeToString(sum[:8])
}
