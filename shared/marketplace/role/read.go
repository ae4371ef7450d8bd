package role

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
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

// ReadFull reads a role, consistently, with no more of its company than lists need: Complete adds the rest.
func (s *Store) ReadFull(ctx context.Context, id string) (f FullRole, found bool, err error) {
	defer fault.Wrap(&err, "role.ReadFull(id)")

	for item, err := range s.entities.Query(ctx, entity.Query{PK: itemkey.Role.PK(id)}) {
		switch {
		case err != nil:
		case itemkey.Role.Has(item.PK, item.SK):
			f.Unredacted, found, err = unredactedIn(item)
		case itemkey.RoleProse.Has(item.PK, item.SK):
			err = item.Into(&f.role.Prose)
		case itemkey.RoleAnnouncement.Has(item.PK, item.SK):
			var a Announcement
			err = item.Into(&a)
			f.Announcements = append(f.Announcements, a)
		case itemkey.RoleTranscript.Has(item.PK, item.SK):
			values, _ := itemkey.RoleTranscript.ParseSK(item.SK)
			t := StoredTranscript{ID: values[1]}
			err = item.Into(&t)
			f.transcripts = append(f.transcripts, t)
		}
		if err != nil {
			return FullRole{}, false, err
		}
	}
	return f, found, nil
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
		return Unredacted{}, false, fmt.Errorf("decode the listing: %w", err)
	}
	err = errors.Join(item.PartInto(factsPart(r.role.CompanyID), &r.company.CompanyFacts),
		item.PartInto(metricsPart, &r.metrics), item.PartInto(pipelinePart, &r.pipeline))
	return r, err == nil, err
}

// ReadOptions says how to read roles.
type ReadOptions struct {
	// Description reads the description too, and nothing else of the prose.
	Description bool
	// Consistent reads what is stored at this moment.
	Consistent bool
	// Deleted, unless nil, receives the revisions of roles that were deleted.
	Deleted map[string]int64
	// Decoded, unless nil, has roles that need not be decoded again, and keeps those that are.
	Decoded *DecodedRoles
}

// ReadRoles reads those of the roles that exist, as lists need them, with their companies' facts.
func (s *Store) ReadRoles(ctx context.Context, ids []string, how ReadOptions) (_ map[string]Unredacted, err error) {
	defer fault.Wrap(&err, "role.ReadRoles(ids)")

	var keys []entity.Key
	for _, id := range ids {
		keys = append(keys, roleKey(id))
		if how.Description {
			keys = append(keys, entity.KeyOf(itemkey.RoleProse, id))
		}
	}
	items, err := s.entities.Items(ctx, keys, how.Consistent)
	if err != nil {
		return nil, err
	}
	roles := map[string]Unredacted{}
	descriptions := map[string]*string{}
	for _, item := range items {
		if values, isProse := itemkey.RoleProse.Parse(item.PK, item.SK); isProse {
			var description *string
			if err := item.MemberInto("description", &description); err != nil {
				return nil, err
			}
			descriptions[values[0]] = description
		} else if unredacted, found, err := how.Decoded.decode(item); err != nil {
			return nil, err
		} else if found {
			roles[unredacted.id] = unredacted
		} else if how.Deleted != nil {
			values, _ := itemkey.Role.Parse(item.PK, item.SK)
			how.Deleted[values[0]] = item.Revision()
		}
	}
	for id, unredacted := range roles {
		unredacted.role.Description = descriptions[id]
		roles[id] = unredacted
	}
	return roles, nil
}

// RoleIDs iterates over the ids of all roles after last, in a fixed order of its own; "" is before the first.
func (s *Store) RoleIDs(ctx context.Context, last string) iter.Seq2[string, error] {
	first := 0
	if last != "" {
		first = shardOf(last)
	}
	return func(yield func(string, error) bool) {
		for n := first; n < listShards; n++ {
			q := entity.QueryOf(itemkey.ListedRole, strconv.Itoa(n))
			if n == first {
				q.After = last
			}
			for row, err := range s.entities.Query(ctx, q) {
				fault.Wrap(&err, "role.RoleIDs")
				if !yield(row.SK, err) || err != nil {
					return
				}
			}
		}
	}
}

// DecodedRoles keeps roles as they were decoded, because the same ones are on many pages. A kept role
// is used only where the item that has just been read has the same revision, and so is the same
// ([entity.Item.Revision]). It is safe for concurrent use. A nil *DecodedRoles keeps nothing.
type DecodedRoles struct{ kept *cloud.Cache[Unredacted] }

// maxDecoded bounds the roles that are kept: up to 10 KB each.
const maxDecoded = 1000

// NewDecodedRoles returns an empty cache.
func NewDecodedRoles() *DecodedRoles { return &DecodedRoles{cloud.NewCache[Unredacted](maxDecoded)} }

// decode is unredactedIn, with the kept role if the item has not changed.
func (d *DecodedRoles) decode(item entity.Item) (r Unredacted, found bool, err error) {
	if d == nil {
		return unredactedIn(item)
	}
	if kept, ok := d.kept.Get(item.PK); ok && kept.revision == item.Revision() {
		return kept, true, nil
	}
	r, found, err = unredactedIn(item)
	if found && err == nil {
		d.kept.Put(item.PK, r, 1)
	}
	return r, found, err
}

// RolesForRecruiter are roles as lists of other things name them: card and company facts,
// redacted for one recruiter by the recruiter's assignment to each.
type RolesForRecruiter struct {
	roles map[string]Unredacted
	mine  map[string]Involvement
}

// ReadForRecruiter reads roles by their ids, and what a recruiter is to each, in one wave: 50
// of them in one call. Those that are not there, or not any more, are left out.
func (s *Store) ReadForRecruiter(ctx context.Context, recruiterID string, ids []string) (_ RolesForRecruiter, err error) {
	defer fault.Wrap(&err, "role.ReadForRecruiter(recruiterID, ids)")

	keys := make([]entity.Key, 0, 2*len(ids))
	for _, id := range ids {
		keys = append(keys, roleKey(id), involvementKey(recruiterID, id))
	}
	items, err := s.entities.Items(ctx, keys, true)
	if err != nil {
		return RolesForRecruiter{}, err
	}
	all := RolesForRecruiter{map[string]Unredacted{}, map[string]Involvement{}}
	for _, item := range items {
		if values, isMine := itemkey.RecruiterRole.Parse(item.PK, item.SK); isMine {
			all.mine[values[1]], err = involvementIn(item)
			if err != nil {
				return RolesForRecruiter{}, err
			}
			continue
		}
		unredacted, found, err := unredactedIn(item)
		if err != nil {
			return RolesForRecruiter{}, err
		}
		if found {
			all.roles[unredacted.id] = unredacted
		}
	}
	return all, nil
}

// View is the role as the recruiter may see it, with card and facts alone; false if it was not there.
func (s RolesForRecruiter) View(id string, feesHidden bool, now time.Time) (View, bool) {
	unredacted, there := s.roles[id]
	if !there {
		return View{}, false
	}
	return Redact(unredacted, Caller{Involvement: s.mine[id], FeesHidden: feesHidden, Now: now}), true
}

// ApplicationsIn returns the applications in items, in their order.
func ApplicationsIn(items []entity.Item) ([]Application, error) {
	all := make([]Application, len(items))
	for i := range all {
		if err := items[i].Into(&all[i]); err != nil {
			return nil, fmt.Errorf("decode an application: %w", err)
		}
	}
	return all, nil
}

const (
	// maxConcurrentReads bounds the texts that are read at one time, of up to 16 MB each.
	maxConcurrentReads = 2
	// maxTexts bounds the texts of one role's transcripts together, in bytes: Lambda accepts no such response.
	maxTexts = 6 << 20
)

// Transcripts returns the intake transcripts that the reader may read, with texts. It fails if these fit no response.
func (s *Store) Transcripts(ctx context.Context, f FullRole, reader Reader) (_ []StoredTranscript, err error) {
	defer fault.Wrap(&err, "role.Transcripts(roleID)")

	isHidden := func(t StoredTranscript) bool { return !t.Readers.includeReader(reader) }
	mine := slices.DeleteFunc(slices.Clone(f.transcripts), isHidden)
	var total atomic.Int64
	err = cloud.EachUntilError(ctx, maxConcurrentReads, mine, func(ctx context.Context, n int, _ StoredTranscript) error {
		err := s.readText(ctx, f.id, &mine[n])
		if total.Add(int64(len(mine[n].Text))) > maxTexts {
			err = fmt.Errorf("the transcripts of role %s have more than %d bytes", f.id, maxTexts)
		}
		return err
	})
	return slices.DeleteFunc(mine, func(t StoredTranscript) bool { return t.TextKey == "" || isHidden(t) }), err
}

// readText reads the text of a transcript. If that has been replaced since the row was read, its text does not exist any
// more, and readText reads the new one, with its row; without a row it clears the transcript.
func (s *Store) readText(ctx context.Context, roleID string, t *StoredTranscript) error {
	text, err := s.texts.Get(ctx, t.TextKey, 4*MaxText)
	if err != nil {
		now, readErr := s.readTranscript(ctx, roleID, t.ID)
		if readErr != nil || now.TextKey == t.TextKey {
			return errors.Join(err, readErr)
		}
		*t = now
		if now.TextKey == "" {
			return nil
		}
		text, err = s.texts.Get(ctx, now.TextKey, 4*MaxText)
	}
	t.Text = string(text)
	return err
}

// readTranscript reads the row of a role's transcript, consistently; the zero value if there is none.
func (s *Store) readTranscript(ctx context.Context, roleID, id string) (t StoredTranscript, err error) {
	for row, err := range s.entities.Query(cloud.Live(ctx), entity.QueryOf(itemkey.RoleTranscript, roleID)) {
		if err != nil {
			return t, err
		}
		if values, _ := itemkey.RoleTranscript.ParseSK(row.SK); values[1] == id {
			err := row.Into(&t)
			t.ID = id
			return t, err
		}
	}
	return t, nil
}
