package openapi

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// TestRouteErrors holds the codes of each status to those of the handlers and of the gateway.
func TestRouteErrors(t *testing.T) {
	t.Parallel()
	keyCodes := []contract.Code{"expired_api_key", "invalid_api_key", "missing_api_key", "revoked_api_key"}
	limits := []contract.Code{"ip_throttled", "rate_limited"}
	network := []contract.Code{"missing_scope", "talent_network_disabled", "wrong_key_type"}
	for operation, want := range map[string]map[int][]contract.Code{
		"health": {400: {"validation_failed"}, 429: {"ip_throttled"}, 431: nil, 500: nil, 503: nil},
		"identity": {400: {"validation_failed"}, 401: keyCodes, 403: {"missing_scope"},
			429: limits, 431: nil, 500: nil, 503: nil},
		"submitCandidate": {
			400: {"empty_file", "invalid_base64", "malformed_json", "unsupported_content_type", "unsupported_file_type", "validation_failed"},
			401: keyCodes, 403: network, 409: {"idempotency_in_progress", "idempotency_key_reused"},
			413: nil, 429: limits, 431: nil, 500: nil, 503: nil,
		},
		"putFastTrack": {
			400: {"malformed_json", "unsupported_content_type", "validation_failed"}, 401: keyCodes,
			403: {"fast_track_disabled", "key_owner_mismatch", "missing_scope", "talent_network_disabled", "wrong_key_type"},
			404: nil, 413: nil, 429: limits, 431: nil, 500: nil, 503: nil,
		},
		"listChanges": {
			400: {"cursor_expired", "invalid_cursor", "limit_too_large", "unknown_filter_value", "validation_failed"}, 401: keyCodes,
			403: network, 429: limits, 431: nil, 500: nil, 503: nil,
		},
		"listRoles": {
			400: {"unknown_filter_value", "validation_failed"}, 401: keyCodes, 403: {"missing_scope", "wrong_key_type"},
			429: limits, 431: nil, 500: nil, 503: nil,
		},
	} {
		got := map[int][]contract.Code{}
		for _, e := range RouteErrors(contract.FindRoute(operation)) {
			got[e.Status] = nil
			for _, c := range e.Codes {
				got[e.Status] = append(got[e.Status], c.Code)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", operation, diff)
		}
	}
}

// TestEveryCodeHasARoute holds that each published code is one of some route, and explained.
func TestEveryCodeHasARoute(t *testing.T) {
	t.Parallel()
	unused := map[contract.Code]bool{}
	for c := range contract.Codes {
		unused[c] = true
	}
	for _, r := range contract.Routes {
		for _, e := range RouteErrors(r) {
			for _, c := range e.Codes {
				delete(unused, c.Code)
				if c.When == "" || c.Advice == "" {
					t.Errorf("%s has no explanation", c.Code)
				}
			}
		}
	}
	for c := range unused {
		t.Errorf("no route has %s", c)
	}
}
