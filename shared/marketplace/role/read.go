package role

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// FullRole is one role with everything that lies with it, as of one read.
type FullRole struct {
	Unredacted
	// Announcements are all that there are, oldest first.
	Announcements []Announcement
	transcripts   []StoredTranscript
}

// ReadFull reads a role, consistently, with no more of its company than lists need:
// Complete adds the rest.
func (s *Store) ReadFull(ctx context.Context, id string) (f FullRole, found bool, err error) {
	defer fault.Wrap(&err, "role.ReadFull(id)")

	for item, err := range s.entities.Query(ctx, entity.Query{PK: itemkey.Role.PK(id)}) {
		if err != nil {
			return FullRole{}, false, err
		}
		switch {
		case itemkey.Role.Has(item.PK, item.SK):
			f.Unredacted, found, err = unredactedIn(item)
		case itemkey.RoleProse.Has(item.PK, item.SK):
			err = item.Into(&f.role.Prose)
		case itemkey.RoleAnnouncement.Has(item.PK, item.SK):
			err = appendContent(item, &f.Announcements)
		case itemkey.RoleTranscript.Has(item.PK, item.SK):
			err = appendContent(item, &f.transcripts)
			if err == nil {
				values, _ := itemkey.RoleTranscript.ParseSK(item.SK)
				f.transcripts[len(f.transcripts)-1].ID = values[1]
			}
		}
		if err != nil {
			return FullRole{}, false, err
		}
	}
	return f, found, nil
}

func appendContent[T any](item entity.Item, all *[]T) error {
	var one T
	err := item.Into(&one)
	*all = append(*all, one)
	return err
}

// unredactedIn reads what lists need of a role: its card, its company's facts, metrics and
// pipeline. found is false for a tombstone, and while only others have come.
func unredactedIn(item entity.Item) (r Unredacted, found bool, err error) {
	values, _ := itemkey.Role.Parse(item.PK, item.SK)
	r.id = values[0]
	r.revision = item.Revision()
	card, err := item.State("")
	if err != nil || !card.Live() {
		return Unredacted{}, false, err
	}
	if err := card.Into(&r.role.Listing); err != nil {
		return Unredacted{}, false, err
	}
	var m Metrics
	for part, out := range map[string]any{factsPart(r.role.CompanyID): &r.company.CompanyFacts, metricsPart: &m, pipelinePart: &r.pipeline} {
		state, err := item.State(part)
		if err == nil {
			err = state.Into(out)
		}
		if err != nil {
			return Unredacted{}, false, err
		}
		if part == metricsPart && state.Live() {
			r.metrics = &m
		}
	}
	return r, true, nil
}
