package opensearch

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"
)

// fillBound is how long a fill may take, the time limit of a function. An index that is
// not searched by then was given up.
const fillBound = 15 * time.Minute

// listed is an index of the domain.
type listed struct {
	name string
	// searched reports that it is filled; otherwise it is being filled, or was given up.
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

// IsFilling reports whether an index is being filled, and removes those that were given up.
func (x *Index) IsFilling(ctx context.Context, now time.Time) (filling bool, err error) {
	all, err := x.list(ctx)
	for _, found := range all {
		switch {
		case found.searched:
		case now.Sub(found.begun) < fillBound:
			filling = true
		default:
			err = errors.Join(err, x.remove(ctx, found.name))
		}
	}
	return filling, err
}

func (x *Index) remove(ctx context.Context, index string) error {
	return x.send(ctx, http.MethodDelete, index, nil, nil)
}

// Fill makes a new index and lets fill write it. It then takes the place of the old one,
// which is removed, unless that was begun later. begun is when the reading of what is
// written begins; nonce is different in every call.
func (x *Index) Fill(ctx context.Context, begun time.Time, nonce string, fill func(Writer) error) error {
	w := Writer{x, x.alias + "-" + strings.ToLower(nonce)}
	settings := settings(begun)
	settings["aliases"] = object{w.writerAlias(): object{}}
	if err := x.send(ctx, http.MethodPut, w.index, appendLine(nil, settings), nil); err != nil {
		return err
	}
	err := fill(w)
	if err == nil {
		err = w.Commit(ctx, begun)
	}
	if err == nil {
		err = x.switchTo(ctx, w.index, begun)
	}
	if err != nil {
		return errors.Join(err, x.remove(context.WithoutCancel(ctx), w.index))
	}
	return nil
}

// switchTo lets the alias name an index, and removes the one that it named before. It fails if
// another index has taken that one's place meanwhile.
func (x *Index) switchTo(ctx context.Context, index string, begun time.Time) error {
	all, err := x.list(ctx)
	if err != nil {
		return err
	}
	actions := []object{{"add": object{"index": index, "alias": x.alias}}}
	for _, found := range all {
		if found.searched && found.begun.After(begun) {
			return x.remove(ctx, index)
		}
		if found.searched {
			actions = append(actions, object{"remove_index": object{"index": found.name}})
		}
	}
	return x.send(ctx, http.MethodPost, "_aliases", appendLine(nil, object{"actions": actions}), nil)
}
