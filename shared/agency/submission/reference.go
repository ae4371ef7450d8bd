package submission

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/agency/changefeed"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// ReferencesOf returns, for each of some changes, the client reference of the submission; "" where
// it has none, or none any more. It makes no call unless a submission had one, and otherwise reads
// one item for each part of a batch, and another for each further attempt that accepted items.
func (s *Store) ReferencesOf(ctx context.Context, changes []changefeed.Change) (_ []string, err error) {
	defer fault.Wrap(&err, "submission.ReferencesOf")

	places := make([]Place, len(changes))
	var referred []Place
	for i, c := range changes {
		if c.ReferredItem == 0 {
			continue
		}
		batch, err := uuid.Parse(c.BatchID)
		if err != nil {
			return nil, err
		}
		places[i] = Place{batch, c.ReferredItem - 1}
		referred = append(referred, places[i])
	}
	byPlace, err := s.readReferences(ctx, referred)
	references := make([]string, len(changes))
	for i, p := range places {
		references[i] = byPlace[p]
	}
	return references, err
}

// readReferences returns the client references of items. It reads the headers of their parts, a generation at a time,
// until no attempt has written more.
func (s *Store) readReferences(ctx context.Context, places []Place) (map[Place]string, error) {
	references := map[Place]string{}
	for generation := 0; len(places) > 0; generation++ {
		headers := map[dynamo.Keyed]header{}
		for _, p := range places {
			headers[p.headerKey(generation)] = header{}
		}
		found, err := cloud.GetItems[header](ctx, s.table, slices.Collect(maps.Keys(headers)), true)
		if err != nil || len(found) == 0 {
			return references, err
		}
		for _, h := range found {
			headers[dynamo.Keys{h.ID, h.Kind}] = h
		}
		places = slices.DeleteFunc(places, func(p Place) bool {
			reference, listed := headers[p.headerKey(generation)].referenceOf(p.Index)
			references[p] = reference
			return listed
		})
	}
	return references, nil
}

func (p Place) headerKey(generation int) dynamo.Keyed {
	return dynamo.Keys{batchKey(p.Batch), partKind(p.part(), generation)}
}

// referenceOf returns the client reference of an item. listed is false if the item was not accepted
// with this header.
func (h header) referenceOf(index int) (reference string, listed bool) {
	place := index - h.Part*partSize
	if place < 0 || place >= len(h.Accepted) || h.Accepted[place] == isNothing {
		return "", false
	}
	if place < len(h.References) {
		reference = h.References[place]
	}
	return reference, true
}

// eraseReference empties the client reference of an item. found is false if no header lists the
// item: it has expired, or is not committed yet.
func (s *Store) eraseReference(ctx context.Context, p Place) (found bool, err error) {
	var headers []header
	err = s.table.Get(topology.PK, batchKey(p.Batch)).Range(topology.SK, dynamo.BeginsWith, headerKind).Consistent(true).All(ctx, &headers)
	if err != nil {
		return false, err
	}
	n := slices.IndexFunc(headers, func(h header) bool {
		_, listed := h.referenceOf(p.Index)
		return listed
	})
	if n < 0 {
		return false, nil
	}
	h := headers[n]
	if reference, _ := h.referenceOf(p.Index); reference == "" {
		return true, nil
	}
	// Nothing else changes a header, and the other places of the list are other items'.
	emptied := fmt.Sprintf("refs[%d] = ?", p.Index-h.Part*partSize)
	err = s.table.Update(topology.PK, h.ID).Range(topology.SK, h.Kind).
		SetExpr(emptied, &types.AttributeValueMemberS{}).If("attribute_exists(pk)").Run(ctx)
	return true, cloud.IgnoreCondition(err)
}
