package role

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
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
	for item, err := range s.entities.Query(ctx, entity.Query{PK: itemkey.Role.PK(id)}) {
		if err != nil {
			return File{}, false, err
		}
		switch {
		case itemkey.Role.Has(item.PK, item.SK):
			f.Raw, found, err = rawOf(item)
		case itemkey.RoleProse.Has(item.PK, item.SK):
			err = item.Into(&f.role.Prose)
		case itemkey.RoleAnnouncement.Has(item.PK, item.SK):
			err = appended(item, &f.Announcements)
		case itemkey.RoleTranscript.Has(item.PK, item.SK):
			if err = appended(item, &f.transcripts); err == nil {
				values, _ := itemkey.RoleTranscript.ParseSK(item.SK)
				f.transcripts[len(f.transcripts)-1].id = values[1]
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
func rawOf(item entity.Item) (r Raw, found bool, err error) {
	values, _ := itemkey.Role.Parse(item.PK, item.SK)
	r.id = values[0]
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
