package cloud

import (
	"crypto/x509"
	_ "embed"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// amazonRoots are the certificate authorities of AWS's endpoints, as Amazon Trust
// Services publishes them; the first expires in 2037.
//
//go:embed roots.pem
var amazonRoots []byte

// trustedRoots returns the authorities that a deployed function checks AWS's
// endpoints against: Amazon's own. With them a start takes 8 ms; with a whole system's
// it takes 13 ms, and 19 ms where Go reads those three times, as on Amazon Linux (make
// bench BENCH=Start, medians). A container's image has none.
//
// The risk is an endpoint that another authority signs, which fails every call. An
// operator ends that without a build, by setting SSL_CERT_FILE. Nil, which means
// the system's, is returned for that, for other programs, for replaced endpoints, and
// in China, where the endpoints have other authorities.
func trustedRoots(getenv func(string) string) *x509.CertPool {
	replaced := getenv("SSL_CERT_FILE") != "" || getenv("AWS_ENDPOINT_URL") != ""
	if getenv(topology.SettingFunction) == "" || replaced || strings.HasPrefix(getenv("AWS_REGION"), "cn-") {
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
