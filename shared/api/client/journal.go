package client

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// journal is what a call of SubmitAll has done, and the file with a record of each step. A record
// is on the disk when append returns. It is safe for concurrent use; one without a file records
// nothing.
type journal struct {
	file *os.File

	mu     sync.Mutex
	size   int64 // of the whole records in the file
	broken error // why no further record can be written
	bulks  []*sentBulk
	states map[string]*state // by reference
}

// state is what was done for a candidate.
type state struct {
	upload sentUpload
	bulk   *sentBulk // of the last attempt
	last   *record   // with the last outcome, and hashes of the data that it is of
	again  bool      // it is sent again, so that last is not its end
}

func (s state) isUploaded() bool { return s.upload.ResumeFileID != "" }

// isEnded reports whether the last attempt has ended.
func (s state) isEnded() bool { return s.last != nil && !s.again }

// isSent reports whether no bulk is needed any more.
func (s state) isSent() bool { return s.bulk != nil || s.isEnded() }

// awaits reports whether a bulk has the last attempt, and that has not ended.
func (s state) awaits(b *sentBulk) bool { return s.bulk == b && !s.isEnded() }

// record is a line of the file. One field is set, and Sent with Outcome.
type record struct {
	Begin  *begin      `json:"begin,omitempty"`
	Upload *sentUpload `json:"upload,omitempty"`
	Bulk   *sentBulk   `json:"bulk,omitempty"`
	Answer *bulkAnswer `json:"answer,omitempty"`
	// Refused is the Idempotency-Key of a bulk that was refused as a whole; its items can be sent again.
	Refused string      `json:"refused,omitempty"`
	Outcome *Outcome    `json:"outcome,omitempty"`
	Sent    fingerprint `json:"sent,omitzero"`
	// Again has the references of candidates that begin their next attempt.
	Again []string `json:"again,omitempty"`
}

// fingerprint has hashes of the data sent for a candidate.
type fingerprint struct {
	Item   string `json:"item"`
	Resume string `json:"resume"`
}

// journalVersion changes when the records, or the bodies whose hashes they have, do.
const journalVersion = 2

// begin is the first line: what the records belong to. Key is a hash of the API key.
type begin struct {
	Version int    `json:"version"`
	BaseURL string `json:"baseUrl"`
	Key     string `json:"key"`
}

// sentUpload is an upload that was answered, and the hash of its bytes.
type sentUpload struct {
	Reference    string `json:"clientReferenceId"`
	ResumeFileID string `json:"resumeFileId"`
	Resume       string `json:"resume"`
}

// sentBulk is a bulk that is sent now or was sent; Response is nil until it is answered. Hashes are
// those of the items.
type sentBulk struct {
	IdempotencyKey string                 `json:"idempotencyKey"`
	References     []string               `json:"clientReferenceIds"`
	Hashes         []string               `json:"hashes"`
	At             time.Time              `json:"at"`
	Response       *contract.BulkResponse `json:"-"`
}

type bulkAnswer struct {
	IdempotencyKey string                `json:"idempotencyKey"`
	Response       contract.BulkResponse `json:"response"`
}

// openJournal reads the file, creates it if there is none, and locks it. path may be "".
func openJournal(path, baseURL, key string) (*journal, error) {
	j := &journal{states: map[string]*state{}}
	if path == "" {
		return j, nil
	}
	var err error
	j.file, err = openJournalFile(path)
	if err != nil {
		return nil, err
	}
	err = j.load(begin{journalVersion, baseURL, key})
	if err == nil {
		err = syncDirectory(filepath.Dir(path))
	}
	if err != nil {
		j.close()
		return nil, fmt.Errorf("journal %s: %w", path, err)
	}
	return j, nil
}

// openJournalFile opens or creates the file. It follows no link, behind which a file of something else
// would be written, and opens nothing that would make reading wait, such as a pipe.
func openJournalFile(path string) (*os.File, error) {
	there, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	}
	if err != nil {
		return nil, err
	}
	if !there.Mode().IsRegular() {
		return nil, fmt.Errorf("journal %s is a link or not a regular file", path)
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	opened, err := file.Stat()
	if err == nil && !os.SameFile(there, opened) {
		err = fmt.Errorf("journal %s was replaced while it was opened", path)
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// load reads the records, and begins an empty file. A last line that a crash has cut off is removed; any other file stays
// as it is.
func (j *journal) load(own begin) error {
	if err := lockFile(j.file); err != nil {
		return fmt.Errorf("it is in use by another process: %w", err)
	}
	first, _ := json.Marshal(record{Begin: &own}) // of texts and a number
	for in := bufio.NewReader(j.file); ; {
		line, err := in.ReadBytes('\n')
		isJournal := j.size > 0 || bytes.HasPrefix(first, line)
		if errors.Is(err, io.EOF) && isJournal {
			break
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		var r record
		if err := json.Unmarshal(line, &r); err != nil {
			return fmt.Errorf("the line at byte %d is not a record: %w", j.size, err)
		}
		if j.size == 0 && (r.Begin == nil || *r.Begin != own) {
			return errors.New("it belongs to another API key, base URL or version; finish it with those, or choose another file")
		}
		j.apply(r)
		j.size += int64(len(line))
	}
	if err := j.cut(); err != nil || j.size > 0 {
		return err
	}
	return j.append(record{Begin: &own})
}

// cut removes what follows the whole records.
func (j *journal) cut() error {
	if err := j.file.Truncate(j.size); err != nil {
		return err
	}
	_, err := j.file.Seek(j.size, io.SeekStart)
	return err
}

// append writes a record to the disk, and applies it. After a failure, as on a full disk, none can be added: it would continue
// what is there of the one that failed, which is removed if that is possible, and else by the next run.
func (j *journal) append(r record) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.broken != nil {
		return j.broken
	}
	if j.file != nil {
		_, err = j.file.Write(line)
		if err == nil {
			err = j.file.Sync()
		}
		if err != nil {
			j.broken = errors.Join(err, j.cut())
			return j.broken
		}
		j.size += int64(len(line))
	}
	j.apply(r)
	return nil
}

func (j *journal) apply(r record) {
	switch {
	case r.Upload != nil:
		j.stateOf(r.Upload.Reference).upload = *r.Upload
	case r.Bulk != nil:
		j.bulks = append(j.bulks, r.Bulk)
		for _, reference := range r.Bulk.References {
			j.stateOf(reference).bulk = r.Bulk
		}
	case r.Answer != nil:
		j.findBulk(r.Answer.IdempotencyKey).Response = &r.Answer.Response
	case r.Refused != "":
		for _, reference := range j.findBulk(r.Refused).References {
			j.stateOf(reference).bulk = nil
		}
		j.bulks = slices.DeleteFunc(j.bulks, func(b *sentBulk) bool { return b.IdempotencyKey == r.Refused })
	case r.Outcome != nil:
		s := j.stateOf(r.Outcome.ClientReferenceID)
		s.last = &r
		s.again = false
	case r.Again != nil:
		for _, reference := range r.Again {
			s := j.stateOf(reference)
			*s = state{last: s.last, again: true} // an upload can have expired
		}
	}
}

func (j *journal) stateOf(reference string) *state {
	if j.states[reference] == nil {
		j.states[reference] = &state{}
	}
	return j.states[reference]
}

func (j *journal) at(reference string) state {
	j.mu.Lock()
	defer j.mu.Unlock()
	return *j.stateOf(reference)
}

// findBulk returns a bulk by its Idempotency-Key; an empty one if there is none.
func (j *journal) findBulk(key string) *sentBulk {
	i := slices.IndexFunc(j.bulks, func(b *sentBulk) bool { return b.IdempotencyKey == key })
	if i < 0 {
		return &sentBulk{}
	}
	return j.bulks[i]
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
