package opensearch

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// listed is an index of the domain.
type listed struct {
	name string
	// searched reports whether the index is filled and therefore searched.
	searched bool
	begun    time.Time
}

// list lists the indexes of this name, filled and unfilled.
func (x *Index) list(ctx context.Context) (all []listed, err error) {
	var out map[string]struct {
		Aliases  map[string]any `json:"aliases"`
		Mappings struct {
			Meta struct {
				Begun int64 `json:"begun"`
			} `json:"_meta"`
		} `json:"mappings"`
	}
	err = x.send(ctx, http.MethodGet, x.alias+"-*?filter_path=*.aliases,*.mappings._meta", nil, &out)
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
	err = x.send(ctx, http.MethodPut, w.index, appendLine(nil, settings), nil)
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
	err = x.send(ctx, http.MethodPost, f.index+"/_mget?filter_path=docs._source", appendLine(nil, object{"ids": []string{progressID}}), &out)
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
			return f.send(ctx, http.MethodDelete, f.index, nil, nil)
		}
		if found.name != f.index && (found.searched || found.begun.Before(f.Begun)) {
			actions = append(actions, object{"remove_index": object{"index": found.name}})
		}
	}
	return f.send(ctx, http.MethodPost, "_aliases", appendLine(nil, object{"actions": actions}), nil)
}
