package gateway

import (
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/contract"
	"github.com/recruiting-marketplace/external-api/shared/gate"
)

// ForHost makes the gateway of a function from its surroundings: the gate on the
// accounts table, and the settings ORIGIN_SECRETS (comma separated) and VERSION.
func ForHost(h cloud.Host, function contract.Function, handlers map[string]Handler) (*Gateway, error) {
	keeper, err := gate.Open(h)
	if err != nil {
		return nil, err
	}
	cfg := Config{
		Function: function, Gatekeeper: keeper, Now: h.Now, NewID: h.NewID, Log: h.Log, Version: h.Getenv("VERSION"),
	}
	if secrets := h.Getenv("ORIGIN_SECRETS"); secrets != "" {
		cfg.OriginSecrets = strings.Split(secrets, ",")
	}
	return New(cfg, handlers)
}
