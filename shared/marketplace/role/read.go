package role

import (
	"context"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// File is one role with everything that lies with it, as of one read.
type File struct {
	Raw
	// Announcements are all that there are, oldest first.
	Announcements []Announcement
	transcripts   []shelved
}

// Read reads a role, consistently, with no more of its company than lists need:
// Complete adds the rest.
func (s *Store) Read(ctx context.Context, id string) (f File, found bool, err error) {
	items, err := s.entities.Partition(ctx, roleKey(id).PK)
	if err != nil {
		return File{}, false, err
	}
	for _, item := range items {
		switch kind, rest, _ := strings.Cut(item.SK, "#"); kind {
		case "R":
			f.Raw, found, err = rawOf(id, item)
		case "T":
			err = item.Into(&f.role.Prose)
		case "N":
			err = appended(item, &f.Announcements)
		case "I":
			if err = appended(item, &f.transcripts); err == nil {
				_, f.transcripts[len(f.transcripts)-1].id, _ = strings.Cut(rest, "#")
			}
		}
		if err != nil {
			return File{}, false, err
		}
	}
	return f, found, nil
}

func appended[T any](item entity.Item, all *[]T) error {
	var one T
	err := item.Into(&one)
	*all = append(*all, one)
	return err
}

// rawOf reads what lists need of a role: its card, its company's facts, metrics and
// pipeline. found is false for a tombstone, and while only others have come.
func rawOf(id string, item entity.Item) (r Raw, found bool, err error) {
	r.id = id
	card, err := item.State("")
	if err != nil || !card.Live() {
		return Raw{}, false, err
	}
	if err := card.Into(&r.role.Card); err != nil {
		return Raw{}, false, err
	}
	var m Metrics
	for part, out := range map[string]any{factsPart(r.role.CompanyID): &r.company.Facts, metricsPart: &m, pipelinePart: &r.pipeline} {
		state, err := item.State(part)
		if err == nil {
			err = state.Into(out)
		}
		if err != nil {
			return Raw{}, false, err
		}
		if part == metricsPart && state.Live() {
			r.metrics = &m
		}
	}
	return r, true, nil
}
