package submission

import (
	"context"
	"fmt"

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
// one item for each part of a batch.
func (s *Store) ReferencesOf(ctx context.Context, changes []changefeed.Change) (_ []string, err error) {
	defer fault.Wrap(&err, "submission.ReferencesOf")

	places := make([]Place, len(changes))
	for i, c := range changes {
		if c.ReferredItem == 0 {
			continue
		}
		batch, err := uuid.Parse(c.BatchID)
		if err != nil {
			return nil, err
		}
		places[i] = Place{batch, c.ReferredItem - 1}
	}
	headers, err := s.readFirstHeaders(ctx, places)
	references := make([]string, len(changes))
	for i, p := range places {
		if err != nil || p.Batch == uuid.Nil {
			continue
		}
		reference, listed := headers[p.headerKey()].referenceOf(p.Index)
		if !listed { // a later attempt accepted it
			var h header
			h, err = s.findHeader(ctx, p)
			reference, _ = h.referenceOf(p.Index)
		}
		references[i] = reference
	}
	return references, err
}

// headerKey returns the key of the header with which the first attempt accepts the item.
func (p Place) headerKey() dynamo.Keys { return dynamo.Keys{batchKey(p.Batch), partKind(p.part(), 0)} }

// readFirstHeaders returns the headers of the first attempt at some items; zero places have none.
func (s *Store) readFirstHeaders(ctx context.Context, places []Place) (map[dynamo.Keys]header, error) {
	headers := map[dynamo.Keys]header{}
	var keys []dynamo.Keyed
	for _, p := range places {
		key := p.headerKey()
		if _, seen := headers[key]; seen || p.Batch == uuid.Nil {
			continue
		}
		keys, headers[key] = append(keys, key), header{}
	}
	items, err := cloud.GetItems(ctx, s.table, keys, false)
	for _, item := range items {
		var h header
		if err := dynamo.UnmarshalItem(item, &h); err != nil {
			return nil, err
		}
		headers[dynamo.Keys{h.ID, h.Kind}] = h
	}
	return headers, err
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

// findHeader returns the header that lists an item; it is zero if there is none.
func (s *Store) findHeader(ctx context.Context, p Place) (header, error) {
	var headers []header
	err := s.table.Get(topology.PK, batchKey(p.Batch)).Range(topology.SK, dynamo.BeginsWith, headerKind).Consistent(true).All(ctx, &headers)
	for _, h := range headers {
		if _, listed := h.referenceOf(p.Index); listed {
			return h, err
		}
	}
	return header{}, err
}

// eraseReference empties the client reference of an item. found is false if no header lists the
// item: it has expired, or is not committed yet.
func (s *Store) eraseReference(ctx context.Context, p Place) (found bool, err error) {
	h, err := s.findHeader(ctx, p)
	reference, found := h.referenceOf(p.Index)
	if err != nil || reference == "" {
		return found, err
	}
	// Nothing else changes a header, and the other places of the list are other items'.
	emptied := fmt.Sprintf("refs[%d] = ?", p.Index-h.Part*partSize)
	err = s.table.Update(topology.PK, h.ID).Range(topology.SK, h.Kind).
		SetExpr(emptied, &types.AttributeValueMemberS{}).If("attribute_exists(pk)").Run(ctx)
	return true, ignoreLost(err)
}
