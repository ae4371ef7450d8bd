package gateway

import (
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// WithUnavailable serves topology.UnavailablePath beside the routes: the body and the headers of
// the response for a request that got none (contract, Errors). CloudFront requests it
// and sends it with the origin's status. One line is logged, from which the time of a request
// id can be found; the cause is in the log of whatever failed.
func WithUnavailable(routes http.Handler, h cloud.Host) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != topology.UnavailablePath {
			routes.ServeHTTP(w, r)
			return
		}
		id := h.NewID().String()
		body, err := Encode(contract.ErrorEnvelope{Error: contract.ErrorBody{
			Type: fault.Internal.Category().Type, RequestID: id, Message: "The service did not respond. Retry with back-off.",
		}})
		if err != nil { // strings only
			panic(err)
		}
		setJSONHeaders(w.Header(), id)
		w.Header().Set("Retry-After", strconv.Itoa(ceilSeconds(spreadWait(unavailableWait))))
		_, _ = w.Write(body) // CloudFront may have gone
		h.Log.WarnContext(r.Context(), "unavailable", "request_id", id)
	})
}

// unavailableWait is the least wait of a caller without a response.
const unavailableWait = 5 * time.Second

// spreadWait returns a random time from wait to twice as much, so that callers refused by an outage
// at the same moment do not return at the same moment.
func spreadWait(wait time.Duration) time.Duration { return wait + rand.N(wait) }
