package system_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// A client reference is in the response of both submit endpoints and in the batch, from the first
// poll to the outcome, whatever becomes of the item; an item without one has none.
func TestClientReferencesAreKept(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	key := s.newAgencyKey()
	single := newSubmitRequest(t, priya, "")
	single.ClientReferenceID = new("ats 1 ★")
	var accepted contract.SubmitResponse
	decodeReply(t, s.sendRequest("POST", submitPath, key, encodeBody(t, single)), &accepted)
	if accepted.ClientReferenceID != "ats 1 ★" {
		t.Errorf("got %+v", accepted)
	}
	items := newBulkItems(60, s.uploadResume(key, readPriyaResume(t)).ResumeFileID)
	items[1].ClientReferenceID, items[2].ClientReferenceID, items[55].ClientReferenceID = new("second"), new("rejected"), new("in the other part")
	items[2].Email = "no address"
	items[3] = items[1]
	items[3].ClientReferenceID = new("twice")
	bulk := s.submitBulk(key, newBulkRequest(items...))
	read := func(id string) (references map[int]string) {
		var batch contract.Batch
		decodeReply(t, s.sendRequest("GET", "/talent-network/batches/"+id, key, nil), &batch)
		references = map[int]string{}
		for _, item := range batch.Items {
			if item.ClientReferenceID != "" {
				references[item.Index] = string(item.Status) + " " + item.ClientReferenceID
			}
		}
		return references
	}
	want := map[int]string{1: "queued second", 3: "deduplicated twice", 55: "queued in the other part"}
	if diff := cmp.Diff(want, read(bulk.BatchID)); diff != "" {
		t.Errorf("queued (-want +got):\n%s", diff)
	}
	if got := read(accepted.BatchID)[0]; got != "queued ats 1 ★" {
		t.Errorf("got %q", got)
	}
	s.runWorkers()
	if got := read(accepted.BatchID)[0]; got != "succeeded ats 1 ★" {
		t.Errorf("got %q", got)
	}
	for index, reference := range read(bulk.BatchID) {
		if status, name, _ := strings.Cut(reference, " "); !strings.HasSuffix(want[index], name) || status == "queued" {
			t.Errorf("item %d: got %q", index, reference)
		}
	}
}

// Keys of both surfaces read the enumerations; without a key there is none.
func TestEnumerations(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	for _, key := range []string{s.newAgencyKey(), s.newRecruiterKey(demo.OwnerID)} {
		var got contract.Enumerations
		decodeReply(t, s.sendRequest("GET", "/enumerations", key, nil), &got)
		if diff := cmp.Diff(contract.ListEnumerations(), got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	if r := s.sendRequest("GET", "/enumerations", "", nil); r.status != 401 {
		t.Errorf("got %d", r.status)
	}
}
