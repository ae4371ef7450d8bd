package apikey

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

const (
	prefix        = "rmk"
	randomLength  = 30 // 178 bits
	checkLength   = 6  // a CRC-32 fits: 62^6 > 2^32
	secretLength  = randomLength + checkLength
	base62        = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	unbiasedBytes = 256 - 256%len(base62)
)

// ErrEnvironment is a name that is not 2 to 12 lower-case letters.
var ErrEnvironment = errors.New("an environment name has 2 to 12 lower-case letters")

func isEnvironment(name string) bool {
	return len(name) >= 2 && len(name) <= 12 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") == ""
}

// Generate returns a new key of the environment: rmk_<env>_<secret>, the secret
// being 30 random base62 characters and 6 that are a CRC-32 of the text before
// them. It fails with ErrEnvironment or with random's error.
func Generate(random io.Reader, environment string) (string, error) {
	if !isEnvironment(environment) {
		return "", ErrEnvironment
	}
	secret := make([]byte, 0, randomLength)
	var b [1]byte
	for len(secret) < randomLength {
		if _, err := io.ReadFull(random, b[:]); err != nil {
			return "", fmt.Errorf("no randomness for a key: %w", err)
		}
		if int(b[0]) < unbiasedBytes { // the others would favour some characters
			secret = append(secret, base62[int(b[0])%len(base62)])
		}
	}
	body := prefix + "_" + environment + "_" + string(secret)
	return body + keyChecksum(body), nil
}

// Environment returns the environment that a key names; ok is false for a string
// with a wrong shape or checksum, which no key has.
func Environment(key string) (environment string, ok bool) {
	rest, found := strings.CutPrefix(key, prefix+"_")
	environment, secret, _ := strings.Cut(rest, "_")
	isSecret := len(secret) == secretLength && strings.Trim(secret, base62) == ""
	isShaped := found && isSecret && isEnvironment(environment)
	if !isShaped {
		return "", false
	}
	if body := len(key) - checkLength; keyChecksum(key[:body]) != key[body:] {
		return "", false
	}
	return environment, true
}

// Hash returns what is stored of a key: SHA-256 of the whole, in hex. It is the
// look-up key, so nothing compares secrets byte by byte.
func Hash(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}

func keyChecksum(body string) string {
	sum := crc32.ChecksumIEEE([]byte(body))
	var out [checkLength]byte
	for i := checkLength - 1; i >= 0; i-- {
		out[i] = base62[sum%uint32(len(base62))]
		sum /= uint32(len(base62))
	}
	return string(out[:])
}

// Record is a key's item: one layout for the [Checker], which reads and counts, and for
// key administration, which writes. Times are epoch milliseconds, 0 for "never".
// Beside these fields the item holds the counters.
type Record struct {
	PK string `dynamo:"pk,hash"`
	SK string `dynamo:"sk,range"`
	// Caller is what a request may know of the key.
	Caller
	RevokedAt  int64 `dynamo:"revokedAt,omitempty"`
	LastUsedAt int64 `dynamo:"lastUsedAt,omitempty"`
	// Disabled is set while the principal is switched off.
	Disabled bool `dynamo:"disabled,omitempty"`
}

// The attributes that conditions and updates name.
const (
	AttrName         = "name"
	AttrRevokedAt    = "revokedAt"
	AttrDisabled     = "disabled"
	AttrNetworkOff   = "networkOff"
	AttrPrimaryOwner = "primaryOwner"
	attrExpiresAt    = "expiresAt"
	attrLastUsed     = "lastUsedAt"
)

// RecordKey returns the partition and sort key of the key with this hash.
func RecordKey(hash string) (pk, sk string) { return itemkey.APIKey.Key(hash) }

// Update starts an update of the item of the key with this hash.
func Update(table dynamo.Table, hash string) *dynamo.Update {
	pk, sk := RecordKey(hash)
	return table.Update(topology.PK, pk).Range(topology.SK, sk)
}

const (
	// keptMinutes: a counter this young may still be some process's current
	// one, since clocks differ.
	keptMinutes = 2
	// staleEnough counters are worth one more update: about 100 bytes.
	staleEnough = 8
	// staleAtOnce bounds that update's expression; the rest waits for the next.
	staleAtOnce = 100
)

// storedKey is a key's whole item, with its counters and the last nonce of each tier.
type storedKey struct {
	Record
	item dynamo.Item
	// withinRate says that the request was counted.
	withinRate bool
}

// UnmarshalDynamoItem reads the record, and keeps the attributes that have no fixed name.
func (s *storedKey) UnmarshalDynamoItem(item dynamo.Item) error {
	s.item = item
	return cloud.DecodeItem(item, &s.Record)
}

// text returns the text or number that an attribute has; "" if the item lacks it.
func (s *storedKey) text(attribute string) string {
	switch v := s.item[attribute].(type) {
	case *types.AttributeValueMemberS:
		return v.Value
	case *types.AttributeValueMemberN:
		return v.Value
	}
	return ""
}

func (s *storedKey) count(w window) int {
	n, _ := strconv.Atoi(s.text(w.counterName())) // 0 if there is no counter
	return n
}
