package opensearch

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// Head is the state of an index.
type Head struct {
	// Until is the time before which all changes are in the index, in milliseconds since 1970.
	Until int64 `json:"until"`
}

// headRequest is the search for the head.
var headRequest = object{"size": 1, "query": object{"ids": object{"values": []string{headID}}}, "_source": []string{"until"}}

// Head reads the head. It returns ErrAbsent while no filled index is there.
func (x *Index) Head(ctx context.Context) (_ Head, err error) {
	defer fault.Wrap(&err, "opensearch.Head")

	t := search{Index: x}
	_, err = t.multiSearch(ctx, nil)
	return t.head, err
}

// WritersHead is like [Index.Head], but for a writer, which waits longer than a caller.
func (x *Index) WritersHead(ctx context.Context) (_ Head, err error) {
	defer fault.Wrap(&err, "opensearch.WritersHead")

	t := search{Index: x, isWriters: true}
	_, err = t.multiSearch(ctx, nil)
	return t.head, err
}

// Writer writes to one index. It never writes to another one that takes its place.
type Writer struct {
	*Index
	index string
}

// Writer returns a writer to the index that is searched. It returns ErrAbsent if there is none.
func (x *Index) Writer(ctx context.Context) (_ Writer, err error) {
	defer fault.Wrap(&err, "opensearch.Writer")

	all, err := x.list(ctx)
	if err != nil {
		return Writer{}, err
	}
	for _, found := range all {
		if found.searched {
			return Writer{x, found.name}, nil
		}
	}
	return Writer{}, ErrAbsent
}

// writerAlias is the name by which an index is written: a request that requires an alias does
// not create an index anew that was removed.
func (w Writer) writerAlias() string { return w.index + "-writer" }

// statesPerRequest bounds what one request writes.
const statesPerRequest = 200

// Write writes the documents of roles. Those of a revision that is not newer than what is there change nothing.
// The next [Writer.Commit] makes them visible.
func (w Writer) Write(ctx context.Context, states []roleindex.RoleDocs) (err error) {
	defer fault.Wrap(&err, "opensearch.Write")

	states = slices.DeleteFunc(slices.Clone(states), func(s roleindex.RoleDocs) bool {
		return s.Shared == nil && s.Revision == 0 // it has never existed
	})
	for some := range slices.Chunk(states, statesPerRequest) {
		var body []byte
		for _, s := range some {
			body = appendState(body, s.ID, s.Revision, s.Shared, forStrangers, s.Approved != nil)
			body = appendState(body, s.ID+"/"+forApproved, s.Revision, s.Approved, forApproved, false)
		}
		if _, err := w.bulk(ctx, body); err != nil {
			return err
		}
	}
	return nil
}

// appendState appends the lines that write one document, or delete it.
func appendState(body []byte, id string, revision int64, d *roleindex.Doc, audience string, withheld bool) []byte {
	target := object{"_id": id, "version": revision, "version_type": "external"}
	if d == nil {
		return appendLine(body, object{"delete": target})
	}
	return appendLine(appendLine(body, object{"index": target}), newDocument(d, audience, withheld))
}

// bulk writes documents and returns how many of them are not newer than the stored ones.
func (w Writer) bulk(ctx context.Context, body []byte) (conflicts int, err error) {
	var out struct {
		Errors bool `json:"errors"`
		Items  []map[string]struct {
			Status int `json:"status"`
			Error  struct {
				Reason string `json:"reason"`
			} `json:"error"`
		} `json:"items"`
	}
	err = w.send(ctx, http.MethodPost, w.writerAlias()+"/_bulk?require_alias=true&filter_path=errors,items.*.status,items.*.error", body, &out)
	if err != nil || !out.Errors {
		return 0, err
	}
	for _, item := range out.Items {
		for _, r := range item {
			switch {
			case r.Status == http.StatusConflict:
				conflicts++
			case r.Status == http.StatusNotFound && r.Error.Reason == "": // the document to delete does not exist
			case r.Status >= http.StatusBadRequest:
				return 0, fmt.Errorf("a document was not written: status %d: %s", r.Status, r.Error.Reason)
			}
		}
	}
	return conflicts, nil
}

// Commit makes what was written visible and stores the time up to which the index contains changes.
func (w Writer) Commit(ctx context.Context, until time.Time) (err error) {
	defer fault.Wrap(&err, "opensearch.Commit")

	if err := w.refresh(ctx); err != nil {
		return err
	}
	ms := until.UnixMilli()
	target := object{"_id": headID, "version": ms, "version_type": "external"}
	if _, err := w.bulk(ctx, appendLine(appendLine(nil, object{"index": target}), Head{ms})); err != nil {
		return err
	}
	return w.refresh(ctx)
}

// refresh returns when every copy of the index shows what was written.
func (w Writer) refresh(ctx context.Context) error {
	var out struct {
		Shards struct {
			Failed int `json:"failed"`
		} `json:"_shards"`
	}
	err := w.send(ctx, http.MethodPost, w.index+"/_refresh", nil, &out)
	if err == nil && out.Shards.Failed > 0 {
		err = fmt.Errorf("%d copies of the index do not show what was written", out.Shards.Failed)
	}
	return err
}
