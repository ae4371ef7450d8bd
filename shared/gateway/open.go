package gateway

import (
	"net/http"

	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Open returns the gateway of a function in its surroundings: the keys of the accounts
// table, and the settings ORIGIN_SECRETS (comma separated), REQUEST_TIMEOUT
// (the Budget, a Go duration), VERSION, GZIP_FROM and LOG_SAMPLE. It fails on what the function could not
// open.
func Open(o *cloud.Opener, function contract.Function, handlers map[string]Handler) (http.Handler, error) {
	cfg := Config{
		Function: function, Authenticator: apikey.Open(o), Now: o.Now, NewID: o.NewID, Log: o.Log,
		Budget:        o.Duration("REQUEST_TIMEOUT", DefaultBudget),
		OriginSecrets: o.List(topology.SettingOriginSecrets), Version: o.Getenv(topology.SettingVersion),
		GzipFrom: o.Int(topology.SettingGzipFrom, 0), LogSample: o.Int(topology.SettingLogSample, 1),
	}
	if err := o.Err(); err != nil {
		return nil, err
	}
	return New(cfg, handlers)
}
