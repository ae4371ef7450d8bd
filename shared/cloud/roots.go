package cloud

import (
	"crypto/x509"
	_ "embed"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// amazonRoots are the certificate authorities of AWS's endpoints, as Amazon Trust
// Services publishes them.
//
//go:embed roots.pem
var amazonRoots []byte

// trust is what a deployed function checks AWS's endpoints against: their own
// authorities alone. To parse a whole system's costs 9 ms of processor time at the
// first call, which is a multiple where a function has a part of one, and a
// container's image has none. Nil, the system's, stands for everything else: other
// programs, replaced endpoints, and China, whose endpoints others sign.
func trust(getenv func(string) string) *x509.CertPool {
	if getenv(topology.SettingFunction) == "" || strings.HasPrefix(getenv("AWS_REGION"), "cn-") || getenv("AWS_ENDPOINT_URL") != "" {
		return nil
	}
	for _, service := range services {
		if getenv(endpointVariable+service) != "" {
			return nil
		}
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(amazonRoots)
	return pool
}
