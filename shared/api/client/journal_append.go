package client

import (
	"encoding/json"
	"os"
	"slices"
)

// append writes a record to the disk, and applies it.
func (j *journal) append(r record) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file != nil {
		if _, err := j.file.Write(append(line, '\n')); err != nil {
			return err
		}
		if err := j.file.Sync(); err != nil {
			return err
		}
	}
	j.apply(r)
	return nil
}

func (j *journal) apply(r record) {
	switch {
	case r.Upload != nil:
		j.uploads[r.Upload.Reference] = r.Upload.ResumeFileID
		j.rate = &r.Upload.Rate
	case r.Bulk != nil:
		j.bulks = append(j.bulks, r.Bulk)
		for _, reference := range r.Bulk.References {
			j.sent[reference] = true
		}
	case r.Answer != nil:
		j.findBulk(r.Answer.IdempotencyKey).Response = &r.Answer.Response
	case r.Refused != "":
		for _, reference := range j.findBulk(r.Refused).References {
			delete(j.sent, reference)
		}
		j.bulks = slices.DeleteFunc(j.bulks, func(b *sentBulk) bool { return b.IdempotencyKey == r.Refused })
	case r.Outcome != nil:
		j.outcomes[r.Outcome.ClientReferenceID] = *r.Outcome
	}
}

// findBulk returns a bulk by its Idempotency-Key; an empty one if there is none.
func (j *journal) findBulk(key string) *sentBulk {
	i := slices.IndexFunc(j.bulks, func(b *sentBulk) bool { return b.IdempotencyKey == key })
	if i < 0 {
		return &sentBulk{}
	}
	return j.bulks[i]
}

// isSent reports whether a candidate needs no bulk any more.
func (j *journal) isSent(reference string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	_, ended := j.outcomes[reference]
	return ended || j.sent[reference]
}

func (j *journal) isUploaded(reference string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.uploads[reference] != ""
}

func (j *journal) hasEnded(reference string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	_, ended := j.outcomes[reference]
	return ended
}

// close ends the lock too. Every record is on the disk already.
func (j *journal) close() {
	if j.file != nil {
		unlockFile(j.file)
		_ = j.file.Close()
	}
}

// syncDirectory makes a new file survive a power cut. Systems on which a directory cannot be
// synced need no such call.
func syncDirectory(name string) error {
	dir, err := os.Open(name)
	if err != nil {
		return err
	}
	_ = dir.Sync()
	return dir.Close()
}
