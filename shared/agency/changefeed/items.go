package changefeed

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// shards is the number of partitions with a tenant's new entries. An entry costs its partition two
// write units when it is made and two when it is moved.
const shards = 4

// entryItem is an entry that has no number yet.
type entryItem struct {
	PK string `dynamo:"pk,hash"`
	SK string `dynamo:"sk,range"`
	// Changes are JSON.
	Changes []byte `dynamo:"changes"`
	TTL     int64  `dynamo:"ttl"`
}

// segmentItem is a part of the log: the changes of several entries.
type segmentItem struct {
	PK string `dynamo:"pk,hash"`
	SK string `dynamo:"sk,range"`
	// Changes are JSON arrays, one for each entry.
	Changes [][]byte `dynamo:"changes"`
	// Recorded is when the newest entry was made, in milliseconds.
	Recorded int64 `dynamo:"recorded"`
	TTL      int64 `dynamo:"ttl"`
}

// headItem has no time to live: numbers are not given twice.
type headItem struct {
	Last int64 `dynamo:"last"`
	// Recorded is that of the last segment.
	Recorded int64 `dynamo:"recorded"`
}

func shardOf(subject string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(subject))
	return int(h.Sum32() % shards)
}

func shardKey(t tenant.ID, shard int) string {
	return itemkey.ChangeEntry.PK(string(t), strconv.Itoa(shard))
}

func logKey(t tenant.ID) string { return itemkey.ChangeSegment.PK(string(t)) }

var headKind = itemkey.ChangeHead.SK()

func segmentKind(first int64) string { return itemkey.ChangeSegment.SK(fmt.Sprintf("%016d", first)) }

// Record adds an entry to the transaction of the changes it reports.
func (f *Feed) Record(tx *dynamo.WriteTx, t tenant.ID, e Entry) {
	changes, _ := json.Marshal(e.Changes) // strings and numbers always marshal
	tx.Put(f.table.Put(entryItem{
		PK:      shardKey(t, shardOf(e.Subject)),
		SK:      itemkey.ChangeEntry.SK(fmt.Sprintf("%014d", e.RecordedAt.UnixMilli()), e.Subject, fmt.Sprintf("%09d", e.Version)),
		Changes: changes, TTL: e.RecordedAt.Add(storage).Unix(),
	}))
}

// recorded returns when the entry was made, in milliseconds.
func (i entryItem) recorded() int64 {
	digits, _, _ := strings.Cut(i.SK, "#")
	millis, _ := strconv.ParseInt(digits, 10, 64)
	return millis
}

// compareEntries orders entries by the time at which they were made.
func compareEntries(a, b entryItem) int { return strings.Compare(a.SK, b.SK) }

// newSegment returns the segment of some entries, of which there is at least one.
func newSegment(t tenant.ID, first int64, entries []entryItem) segmentItem {
	s := segmentItem{PK: logKey(t), SK: segmentKind(first)}
	for _, e := range entries {
		s.Changes = append(s.Changes, e.Changes)
	}
	s.Recorded = slices.MaxFunc(entries, compareEntries).recorded()
	s.TTL = time.UnixMilli(s.Recorded).Add(storage).Unix()
	return s
}

// decode returns the changes of a segment with their numbers.
func (s segmentItem) decode() (changes []Change, first int64, err error) {
	values, _ := itemkey.ChangeSegment.ParseSK(s.SK)
	first, err = strconv.ParseInt(values[0], 10, 64)
	if err != nil {
		return nil, 0, err
	}
	for _, raw := range s.Changes {
		var some []Change
		if err := json.Unmarshal(raw, &some); err != nil {
			return nil, 0, err
		}
		changes = append(changes, some...)
	}
	for i := range changes {
		changes[i].Number = first + int64(i)
	}
	return changes, first, nil
}

func (f *Feed) querySegments(t tenant.ID, from int64) *dynamo.Query {
	return f.table.Get(topology.PK, logKey(t)).Range(topology.SK, dynamo.GreaterOrEqual, segmentKind(from)).Consistent(true)
}
