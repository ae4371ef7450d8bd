package bulk

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Checkpoint is the file that remembers how far a source was loaded.
type Checkpoint struct {
	path string
	// Source and Version say what the place is of; another version begins anew.
	Source   string   `json:"source"`
	Version  string   `json:"version"`
	Position Position `json:"place"`
}

// OpenCheckpoint reads the checkpoint of a source in a directory; a new one stands
// at the beginning.
func OpenCheckpoint(dir, source, version string) (*Checkpoint, error) {
	sum := sha256.Sum256([]byte(source))
	fresh := &Checkpoint{path: filepath.Join(dir, hex.EncodeToString(sum[:8])+".json"), Source: source, Version: version}
	content, err := os.ReadFile(fresh.path)
	if errors.Is(err, fs.ErrNotExist) {
		return fresh, nil
	}
	if err != nil {
		return nil, err
	}
	c := *fresh
	if json.Unmarshal(content, &c) != nil || c.Source != source || c.Version != version {
		return fresh, nil
	}
	return &c, nil
}

// Save remembers a place. The file is replaced whole, so a kill leaves the one
// before.
func (c *Checkpoint) Save(at Position) error {
	c.Position = at
	content, err := json.Marshal(c)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(c.path), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(c.path+".new", content, 0o600); err != nil {
		return err
	}
	return os.Rename(c.path+".new", c.path)
}

// Delete removes the checkpoint of a source that is loaded.
func (c *Checkpoint) Delete() error {
	if err := os.Remove(c.path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
