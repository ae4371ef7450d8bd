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

// Checkpoint is a file with the position up to which a source was loaded.
type Checkpoint struct {
	path string
	// Source and Version identify the content that Position is in; another version is
	// loaded from its beginning.
	Source   string   `json:"source"`
	Version  string   `json:"version"`
	Position Position `json:"place"`
}

// OpenCheckpoint reads the checkpoint of a source in a directory. Without a file for
// this version of the source it returns one at the beginning.
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

// Save stores a position. The file is replaced atomically: a killed process leaves the
// previous one.
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

// Delete deletes the checkpoint, once its source is loaded.
func (c *Checkpoint) Delete() error {
	if err := os.Remove(c.path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
