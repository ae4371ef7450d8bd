package catalogue

import (
	"bytes"
	"compress/flate"
	"encoding/gob"
	"maps"
	"slices"
	"time"
)

// digest is the state of the roles that changed in a part of the log, as the two indexes have it.
// One instance reads these roles and all others read the digest.
type digest struct {
	// Logged holds the keys of the part's entries, and Base the newest generation that one of them
	// announces; 0 if none does.
	Logged []string
	Base   int64
	// Roles holds each role once.
	Roles []RoleDocs
}

// encode returns the digest deflated: documents of roles are alike.
func (d digest) encode() ([]byte, error) {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	if err := gob.NewEncoder(w).Encode(d); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func decodeDigest(content []byte) (d digest, err error) {
	err = gob.NewDecoder(flate.NewReader(bytes.NewReader(content))).Decode(&d)
	return d, err
}

// applyDigests merges digests into the views, oldest first, the last of which has the given number,
// but for those that a concurrent call has merged. It returns errNewerBase if one of them announces a
// newer base, and errNoDigests if there is one between them and the copy. c.mu is held.
func (c *Catalogue) applyDigests(digests []digest, number int64, now time.Time) error {
	if number <= c.digested {
		return nil
	}
	applied := int64(len(digests)) - (number - c.digested)
	if applied < 0 {
		return errNoDigests
	}
	digests = digests[applied:]
	if slices.ContainsFunc(digests, func(d digest) bool { return d.Base > c.head.Generation }) {
		return errNewerBase
	}
	var changes []RoleDocs
	for _, d := range digests {
		changes = append(changes, d.Roles...)
		for _, key := range d.Logged {
			c.logged[key] = now
		}
	}
	maps.DeleteFunc(c.logged, func(_ string, at time.Time) bool { return now.Sub(at) > keptEntries })
	c.digested = number
	c.mergeChanges(changes, now)
	return nil
}
