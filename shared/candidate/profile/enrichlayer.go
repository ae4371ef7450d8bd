package profile

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// EnrichLayer is the provider behind Enrich Layer's person profile API, version 2, at
// https://enrichlayer.com. It is safe for concurrent use.
type EnrichLayer API

// Profile implements Provider with at most two attempts, as PeopleDataLabs does.
func (p EnrichLayer) Profile(ctx context.Context, slug string) (Profile, error) {
	query := url.Values{"profile_url": {identity.LinkedInFromSlug(url.PathEscape(slug))}}
	return API(p).lookUp(ctx, slug, question{"/api/v2/profile?" + query.Encode(), "Authorization", "Bearer " + p.APIKey, decodeEnrichLayer})
}

// enrichLayerResponse is the part of a 200 that is used, as strict as [peopleDataLabsResponse].
type enrichLayerResponse struct {
	Slug        *string           `json:"public_identifier"`
	City        lenientText       `json:"city"`
	State       lenientText       `json:"state"`
	Country     lenientText       `json:"country_full_name"`
	Experiences []json.RawMessage `json:"experiences"`
}

// enrichLayerJob is one entry of a response's experiences.
type enrichLayerJob struct {
	Title   lenientText `json:"title"`
	Company lenientText `json:"company"`
	Start   lenientDate `json:"starts_at"`
	End     lenientDate `json:"ends_at"`
}

// decodeEnrichLayer decodes the body of a 200 to a request for slug. The provider
// names no current job, so title and company are those of the first one without an end.
func decodeEnrichLayer(body []byte, slug string) (Profile, error) {
	var got *enrichLayerResponse
	if err := json.Unmarshal(body, &got); err != nil || got == nil || got.Slug == nil && got.Experiences == nil {
		return Profile{}, &Unavailable{Reason: Malformed, Retryable: true}
	}
	if got.Slug == nil || responseSlug(*got.Slug, "") != identity.FoldCase(slug) {
		return Profile{}, ErrNotFound
	}
	return Profile{Location: got.joinLocation()}.withJobs(decodeJobs[enrichLayerJob](got.Experiences))
}

func (p enrichLayerResponse) joinLocation() string {
	var parts []string
	for _, field := range []lenientText{p.City, p.State, p.Country} {
		if part := field.clean(); part != "" {
			parts = append(parts, part)
		}
	}
	return cleanText(strings.Join(parts, ", "), textLimit)
}

func (j enrichLayerJob) toJob() job {
	return job{j.Title.clean(), j.Company.clean(), j.Start.known && !j.End.given}
}
