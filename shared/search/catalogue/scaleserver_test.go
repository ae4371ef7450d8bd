package catalogue_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo/market"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

// scaleServer is a DynamoDB with many roles. It keeps only their ids and makes the items of a role
// when they are read. It forwards all other calls to the emulator.
type scaleServer struct {
	*httptest.Server
	host cloud.Host
	next http.Handler
	ids  []string
	// numbers maps ids to the numbers of roles. lists holds the ids in each partition of the list
	// of roles.
	numbers map[string]int
	lists   map[string][]string
	// changed holds the ids of roles whose title has [changedWord] in it.
	changed sync.Map
}

var scaleNow = time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)

func newScaleServer(b *testing.B, host cloud.Host, n int) *scaleServer {
	b.Helper()
	emulator, err := url.Parse(host.Getenv("AWS_ENDPOINT_URL_DYNAMODB"))
	if err != nil {
		b.Fatal(err)
	}
	s := &scaleServer{host: host, next: httputil.NewSingleHostReverseProxy(emulator), numbers: make(map[string]int, n), lists: map[string][]string{}}
	for i := range n {
		id, _, _ := market.RoleAt(i, scaleNow)
		sum := sha256.Sum256([]byte(id))
		pk := itemkey.ListedRole.PK(strconv.Itoa(int(sum[0]) % 16))
		s.ids = append(s.ids, id)
		s.numbers[id] = i
		s.lists[pk] = append(s.lists[pk], id)
	}
	for _, ids := range s.lists {
		slices.Sort(ids)
	}
	s.Server = httptest.NewServer(s)
	b.Cleanup(s.Close)
	return s
}

// scaleKey is a key as DynamoDB writes it.
type scaleKey struct {
	PK map[string]string `json:"pk"`
	SK map[string]string `json:"sk"`
}

func (k scaleKey) partition() string { return k.PK["S"] }

// scaleRequest is the part of a request that the server looks at.
type scaleRequest struct {
	RequestItems  map[string]struct{ Keys []scaleKey }
	KeyConditions map[string]struct {
		AttributeValueList []map[string]string
	}
	ExclusiveStartKey *scaleKey
}

// ServeHTTP implements http.Handler.
func (s *scaleServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	var request scaleRequest
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	if operation == "BatchGetItem" || operation == "Query" {
		if err := json.Unmarshal(body, &request); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
	}
	answer := s.answer(request)
	if answer == nil {
		s.next.ServeHTTP(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	w.Header().Set("X-Amz-Crc32", fmt.Sprint(crc32.ChecksumIEEE(answer)))
	_, _ = w.Write(answer)
}

// answer returns the response to a request for roles or their list, and nil for any other.
func (s *scaleServer) answer(request scaleRequest) []byte {
	for table, wanted := range request.RequestItems {
		var items [][]byte
		var made scaleRole // a role's items are requested together
		for _, key := range wanted.Keys {
			values, _ := itemkey.Role.Parse(key.partition(), itemkey.Role.SK())
			id := strings.Join(values, "")
			if i, ok := s.numbers[id]; ok {
				if made.id != id {
					made.id, made.role, made.company = market.RoleAt(i, scaleNow)
					if _, ok := s.changed.Load(id); ok {
						made.role.Title = changedWord + " " + made.role.Title
					}
				}
				items = append(items, made.newItem(key))
			}
		}
		if len(items) > 0 {
			return fmt.Appendf(nil, `{"Responses":{%q:[%s]},"UnprocessedKeys":{}}`, table, bytes.Join(items, []byte(",")))
		}
	}
	for _, value := range request.KeyConditions["pk"].AttributeValueList {
		if pk := value["S"]; s.lists[pk] != nil {
			return s.listPage(pk, request.ExclusiveStartKey)
		}
	}
	return nil
}

// listPage returns a page of the list of roles.
func (s *scaleServer) listPage(pk string, after *scaleKey) []byte {
	const page = 5000
	ids := s.lists[pk]
	last := ""
	if after != nil {
		at, _ := slices.BinarySearch(ids, after.SK["S"])
		ids = ids[at+1:]
	}
	if len(ids) > page {
		ids = ids[:page]
		last = fmt.Sprintf(`,"LastEvaluatedKey":{"pk":{"S":%q},"sk":{"S":%q}}`, pk, ids[page-1])
	}
	items := make([]string, len(ids))
	for i, id := range ids {
		items[i] = fmt.Sprintf(`{"pk":{"S":%q},"sk":{"S":%q}}`, pk, id)
	}
	return fmt.Appendf(nil, `{"Count":%d,"ScannedCount":%d,"Items":[%s]%s}`, len(ids), len(ids), strings.Join(items, ","), last)
}

// scaleRole is a role as it is stored.
type scaleRole struct {
	id      string
	role    role.Role
	company role.CompanyFacts
}

// newItem returns the item of the role, or of its prose, as DynamoDB writes it.
func (r scaleRole) newItem(key scaleKey) []byte {
	item := map[string]map[string]any{"pk": {"S": key.PK["S"]}, "sk": {"S": key.SK["S"]}}
	if itemkey.RoleProse.Has(key.PK["S"], key.SK["S"]) {
		item["body"] = newScaleBody(r.role.Prose)
	} else {
		sum := sha256.Sum256([]byte(r.role.CompanyID))
		part := "co" + hex.EncodeToString(sum[:6])
		item["v"] = map[string]any{"N": "1"}
		item["body"] = newScaleBody(r.role.Listing)
		item[part+"v"] = map[string]any{"N": "1"}
		item[part+"body"] = newScaleBody(r.company)
	}
	out, err := json.Marshal(item)
	if err != nil {
		panic(err)
	}
	return out
}

func newScaleBody(v any) map[string]any {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return map[string]any{"B": body}
}
