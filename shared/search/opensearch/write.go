package opensearch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// Head is the state of an index.
type Head struct {
	// Until is the time before which all changes are in the index, in milliseconds since 1970.
	Until int64 `json:"until"`
}

var headRequest = object{"size": 1, "query": object{"ids": object{"values": []string{headID}}}, "_source": []string{"until"}}

// Head reads the head. It returns ErrAbsent while no filled index is there.
func (x *Index) Head(ctx context.Context) (_ Head, err error) {
	defer fault.Wrap(&err, "opensearch.Head")

	t := search{Index: x, client: x.searches}
	_, err = t.multiSearch(ctx, nil)
	return t.head, err
}

// WritersHead is like [Index.Head], but for a writer, which waits longer than a caller.
func (x *Index) WritersHead(ctx context.Context) (_ Head, err error) {
	defer fault.Wrap(&err, "opensearch.WritersHead")

	t := search{Index: x, client: x.writes}
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

const statesPerRequest = 200

// Write writes the documents of roles. Those of a revision that is not newer than what is there change nothing.
// The next [Writer.Commit] makes them visible.
func (w Writer) Write(ctx context.Context, states []roleindex.RoleDocs) (err error) {
	defer fault.Wrap(&err, "opensearch.Write(roleIDs)")

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
	path := w.writerAlias() + "/_bulk?require_alias=true&filter_path=errors,items.*.status,items.*.error"
	err = w.send(ctx, w.writes, http.MethodPost, path, body, &out)
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
	err := w.send(ctx, w.writes, http.MethodPost, w.index+"/_refresh", nil, &out)
	if err == nil && out.Shards.Failed > 0 {
		err = fmt.Errorf("%d copies of the index do not show what was written", out.Shards.Failed)
	}
	return err
}

type listed struct {
	name string
	// searched reports whether the index is filled and therefore searched.
	searched bool
	begun    time.Time
}

func (x *Index) list(ctx context.Context) (all []listed, err error) {
	var out map[string]struct {
		Aliases  map[string]any `json:"aliases"`
		Mappings struct {
			Meta struct {
				Begun int64 `json:"begun"`
			} `json:"_meta"`
		} `json:"mappings"`
	}
	err = x.send(ctx, x.writes, http.MethodGet, x.alias+"-*?filter_path=*.aliases,*.mappings._meta", nil, &out)
	for name, found := range out {
		_, searched := found.Aliases[x.alias]
		all = append(all, listed{name, searched, time.UnixMilli(found.Mappings.Meta.Begun)})
	}
	return all, err
}

// Filling is a new index that is not searched yet. Several writers may fill it, one after the
// other.
type Filling struct {
	Writer
	// Begun is the time at which the roles began to be read.
	Begun time.Time
	Progress
}

// Progress records how far an index is filled.
type Progress struct {
	// Roles is the number of roles that are written, in the order of their store; Last is the id of
	// the last one.
	Roles int64  `json:"roles"`
	Last  string `json:"last"`
	// At is the time of the record, in milliseconds since 1970.
	At int64 `json:"at"`
}

// ErrTaken reports that another writer has filled at least as much of an index.
var ErrTaken = errors.New("another writer fills the index")

// Begin creates an index to fill. nonce is different in every call.
func (x *Index) Begin(ctx context.Context, begun time.Time, nonce string) (_ Filling, err error) {
	defer fault.Wrap(&err, "opensearch.Begin")

	w := Writer{x, x.alias + "-" + strings.ToLower(nonce)}
	settings := settings(begun)
	settings["aliases"] = object{w.writerAlias(): object{}}
	err = x.send(ctx, x.writes, http.MethodPut, w.index, appendLine(nil, settings), nil)
	return Filling{w, begun, Progress{At: begun.UnixMilli()}}, err
}

// Unfinished returns the unfilled index that was begun last, if that was after oldest and after the
// searched index was begun. found reports whether there is one.
func (x *Index) Unfinished(ctx context.Context, oldest time.Time) (f Filling, found bool, err error) {
	defer fault.Wrap(&err, "opensearch.Unfinished")

	all, err := x.list(ctx)
	last := listed{begun: oldest, searched: true}
	for _, l := range all {
		if l.begun.After(last.begun) {
			last = l
		}
	}
	if last.searched || err != nil {
		return f, false, err
	}
	f = Filling{Writer{x, last.name}, last.begun, Progress{At: last.begun.UnixMilli()}}
	var out struct {
		Docs []struct {
			Source *Progress `json:"_source"`
		} `json:"docs"`
	}
	request := appendLine(nil, object{"ids": []string{progressID}})
	err = x.send(ctx, x.writes, http.MethodPost, f.index+"/_mget?filter_path=docs._source", request, &out)
	if err == nil && len(out.Docs) > 0 && out.Docs[0].Source != nil {
		f.Progress = *out.Docs[0].Source
	}
	return f, true, err
}

// Note records that further roles are written, the last of which is named. It returns ErrTaken if
// another writer has recorded at least as many.
func (f *Filling) Note(ctx context.Context, roles int, last string, at time.Time) (err error) {
	defer fault.Wrap(&err, "opensearch.Note(last)")

	next := Progress{Roles: f.Roles + int64(roles), Last: last, At: at.UnixMilli()}
	target := object{"_id": progressID, "version": next.Roles, "version_type": "external"}
	conflicts, err := f.bulk(ctx, appendLine(appendLine(nil, object{"index": target}), next))
	switch {
	case err != nil:
		return err
	case conflicts > 0:
		return ErrTaken
	}
	f.Progress = next
	return nil
}

// Finish replaces the searched index by this one, which contains the changes up to until, and
// removes the indexes that were begun before. If an index that was begun later is already searched,
// Finish removes this one instead.
func (f Filling) Finish(ctx context.Context, until time.Time) (err error) {
	defer fault.Wrap(&err, "opensearch.Finish")

	if err := f.Commit(ctx, until); err != nil {
		return err
	}
	all, err := f.list(ctx)
	if err != nil {
		return err
	}
	actions := []object{{"add": object{"index": f.index, "alias": f.alias}}}
	for _, found := range all {
		if found.searched && found.begun.After(f.Begun) {
			return f.send(ctx, f.writes, http.MethodDelete, f.index, nil, nil)
		}
		if found.name != f.index && (found.searched || found.begun.Before(f.Begun)) {
			actions = append(actions, object{"remove_index": object{"index": found.name}})
		}
	}
	return f.send(ctx, f.writes, http.MethodPost, "_aliases", appendLine(nil, object{"actions": actions}), nil)
}
