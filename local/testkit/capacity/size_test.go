package capacity_test

import (
	"math"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// item is an item as DynamoDB's API represents it; nil is one that does not exist.
type item map[string]types.AttributeValue

// size returns the size of an item in bytes by which DynamoDB counts units: that of its names and
// values.
func (i item) size() (bytes int) {
	for name, value := range i {
		bytes += len(name) + valueSize(value)
	}
	return bytes
}

func valueSize(value types.AttributeValue) (bytes int) {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		return len(v.Value)
	case *types.AttributeValueMemberN:
		return numberSize(v.Value)
	case *types.AttributeValueMemberB:
		return len(v.Value)
	case *types.AttributeValueMemberSS:
		for _, text := range v.Value {
			bytes += len(text)
		}
		return bytes
	case *types.AttributeValueMemberL:
		for _, element := range v.Value {
			bytes += 1 + valueSize(element)
		}
		return 3 + bytes
	case *types.AttributeValueMemberM:
		for name, element := range v.Value {
			bytes += 1 + len(name) + valueSize(element)
		}
		return 3 + bytes
	}
	return 1 // a boolean or null
}

// numberSize returns one byte for every two digits, and one more.
func numberSize(text string) int {
	digits := strings.Trim(strings.NewReplacer("-", "", ".", "").Replace(text), "0")
	return (len(digits)+1)/2 + 1 + strings.Count(text, "-")
}

// readUnits returns the units of an eventually consistent read, half as many as of a consistent one.
func readUnits(bytes int) float64 { return math.Ceil(max(1, float64(bytes))/4096) / 2 }

func writeUnits(bytes int) float64 { return math.Ceil(max(1, float64(bytes)) / 1024) }

// text returns a string attribute, "" if there is none.
func (i item) text(name string) string {
	if s, ok := i[name].(*types.AttributeValueMemberS); ok {
		return s.Value
	}
	return ""
}

// project returns the item with only these attributes; nil unless it has all of them.
func (i item) project(names ...string) item {
	projected := item{}
	for _, name := range names {
		if i[name] == nil {
			return nil
		}
		projected[name] = i[name]
	}
	return projected
}
