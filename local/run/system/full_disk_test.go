package system_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/shared/agency/idempotency"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// disk has room for some more writes of the tables and buckets. Its method Hook is a [cloud.Hook].
type disk struct {
	mu sync.Mutex
	// isLimited is set while room counts.
	isLimited bool
	room      int
	refused   int
}

var errDiskFull = errors.New("database or disk is full")

func (d *disk) Hook(_ context.Context, call cloud.Call, send func() error) error {
	isWrite := !strings.HasPrefix(call.Operation, "Get") && !strings.HasPrefix(call.Operation, "Query") && !strings.HasPrefix(call.Operation, "BatchGet")
	if call.Service != "SQS" && isWrite && !d.takeRoom() {
		return errDiskFull
	}
	return send()
}

func (d *disk) takeRoom() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.isLimited {
		return true
	}
	if d.room == 0 {
		d.refused++
		return false
	}
	d.room--
	return true
}

// fill leaves room for so many writes.
func (d *disk) fill(room int) { d.set(true, room) }

// free makes room, and returns how many writes were refused.
func (d *disk) free() (refused int) { return d.set(false, 0) }

func (d *disk) set(isLimited bool, room int) (refused int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	refused = d.refused
	d.isLimited = isLimited
	d.room = room
	d.refused = 0
	return refused
}

// sendOnFullDisk sends a request when there is room for ever more writes, until it is answered
// without a refused write. send gets the number of that room.
func (d *disk) sendOnFullDisk(t *testing.T, send func(room int) reply, retry func(room int, first reply)) {
	t.Helper()
	for room := range 20 {
		d.fill(room)
		first := send(room)
		refused := d.free()
		if first.status != 500 && first.status != 200 {
			t.Errorf("room for %d writes: got %d %s; want 500, or 200 if all that counts was written", room, first.status, first.body)
		}
		retry(room, first)
		t.Logf("room for %d writes: %d, with %d writes refused", room, first.status, refused)
		if refused == 0 {
			if room == 0 {
				t.Errorf("no write was refused with room for none")
			}
			return
		}
	}
	t.Error("a request has more than 20 writes")
}

// A submission that finds the disk full at any of its writes fails with 500. When there is room
// again, its retry is accepted, once; an accepted one is not lost.
func TestSubmissionsAfterAFullDisk(t *testing.T) {
	t.Parallel()
	d := &disk{}
	s := newManualSystem(t, d.Hook)
	key := s.newAgencyKey()
	submit := func(room int) reply {
		in := newSubmitRequest(t, priya, fmt.Sprint("priya-raman-", room))
		in.Email = fmt.Sprint("priya-raman-", room, "@example.com")
		return s.sendRequest("POST", submitPath, key, encodeBody(t, in), "Idempotency-Key", fmt.Sprint("disk-", room))
	}
	var batches []string
	d.sendOnFullDisk(t, submit, func(room int, first reply) {
		s.advanceClock(idempotency.Lease) // the end of the lease may be a write that failed
		retry := submit(room)
		var accepted contract.SubmitResponse
		if err := json.Unmarshal([]byte(retry.body), &accepted); retry.status != 200 || err != nil {
			t.Fatalf("room for %d writes: the retry got %d %s", room, retry.status, retry.body)
		}
		if again := submit(room); again.body != retry.body || first.status == 200 && first.body != retry.body {
			t.Errorf("room for %d writes: got %s, then %s, then %s", room, first.body, retry.body, again.body)
		}
		batches = append(batches, accepted.BatchID)
	})
	s.runWorkers()
	for room, id := range batches {
		if b := s.readBatch(demo.AgencyID, id); len(b.Items) != 1 || b.Items[0].Status != contract.Succeeded {
			t.Errorf("room for %d writes: got %+v; want one item that succeeded", room, b)
		}
	}
	var listed contract.BatchList
	must(t, json.Unmarshal([]byte(s.sendRequest("GET", "/talent-network/batches?limit=100", key, nil).body), &listed))
	if len(listed.Batches) != len(batches) {
		t.Errorf("%d batches are listed; want one for each of %d submissions", len(listed.Batches), len(batches))
	}
}

// An upload that finds the disk full at any of its writes fails with 500, and its retry is one
// upload.
func TestUploadsAfterAFullDisk(t *testing.T) {
	t.Parallel()
	d := &disk{}
	s := newManualSystem(t, d.Hook)
	key := s.newAgencyKey()
	upload := func(room int) reply { return s.sendUpload(key, fmt.Sprint(readPriyaResume(t), room), "") }
	d.sendOnFullDisk(t, upload, func(room int, first reply) {
		retry := decodeUpload(t, upload(room))
		if again := decodeUpload(t, upload(room)); again != retry || first.status == 200 && decodeUpload(t, first) != retry {
			t.Errorf("room for %d writes: got %s, then %+v, then %+v", room, first.body, retry, again)
		}
		item := newPriyaItem(room, retry.ResumeFileID)
		if out := s.submitBulk(key, newBulkRequest(item)); out.Items[0].Status != contract.BulkQueued {
			t.Errorf("room for %d writes: the upload cannot be used: %v", room, itemStatuses(out))
		}
	})
	s.runWorkers()
}
