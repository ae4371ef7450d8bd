package client

import (
	"encoding/json"
	"errors"
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
		if err := j.write(append(line, '\n')); err != nil {
			return err
		}
	}
	j.apply(r)
	return nil
}

// write adds a line to the file. After a failure, as on a full disk, none can be added: it would continue what is there of the one that
// failed, which is removed if that is possible, and else by the next run.
func (j *journal) write(line []byte) error {
	if j.broken != nil {
		return j.broken
	}
	_, err := j.file.Write(line)
	if err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		j.broken = errors.Join(err, j.cut())
		return j.broken
	}
	j.size += int64(len(line))
	return nil
}

func (j *journal) apply(r record) {
	switch {
	case r.Upload != nil:
		j.uploads[r.Upload.Reference] = *r.Upload
	case r.Bulk != nil:
		j.bulks = append(j.bulks, r.Bulk)
		for _, reference := range r.Bulk.References {
			j.current[reference] = r.Bulk
		}
	case r.Answer != nil:
		j.findBulk(r.Answer.IdempotencyKey).Response = &r.Answer.Response
	case r.Refused != "":
		for _, reference := range j.findBulk(r.Refused).References {
			delete(j.current, reference)
		}
		j.bulks = slices.DeleteFunc(j.bulks, func(b *sentBulk) bool { return b.IdempotencyKey == r.Refused })
	case r.Outcome != nil:
		j.last[r.Outcome.ClientReferenceID] = ending{*r.Outcome, r.Sent}
		delete(j.again, r.Outcome.ClientReferenceID)
	case r.Again != nil:
		for _, reference := range r.Again {
			j.again[reference] = true
			delete(j.current, reference)
			delete(j.uploads, reference) // it can have expired
		}
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
	return j.current[reference] != nil || j.isEnded(reference)
}

// awaits reports whether a bulk has a candidate's last attempt, and that has not ended.
func (j *journal) awaits(b *sentBulk, reference string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.current[reference] == b && !j.isEnded(reference)
}

// isEnded reports whether a candidate's last attempt has ended.
func (j *journal) isEnded(reference string) bool {
	_, ended := j.last[reference]
	return ended && !j.again[reference]
}

func (j *journal) isUploaded(reference string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.uploads[reference].ResumeFileID != ""
}

// resumeHash returns the hash of a candidate's upload.
func (j *journal) resumeHash(reference string) string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.uploads[reference].Resume
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
