package capacity_test

import (
	"reflect"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// requestCapacity asks DynamoDB to report the units of a call, whatever its type.
func requestCapacity(input any) {
	if field := reflect.ValueOf(input).Elem().FieldByName("ReturnConsumedCapacity"); field.IsValid() {
		field.SetString(string(types.ReturnConsumedCapacityTotal))
	}
}

// reportedUnits returns the units that DynamoDB reports for a call; 0 for one that failed, or for
// another service.
func reportedUnits(result any) (units float64) {
	if result == nil || reflect.ValueOf(result).IsNil() {
		return 0
	}
	field := reflect.ValueOf(result).Elem().FieldByName("ConsumedCapacity")
	if !field.IsValid() {
		return 0
	}
	switch capacity := field.Interface().(type) {
	case *types.ConsumedCapacity:
		if capacity != nil {
			units = aws.ToFloat64(capacity.CapacityUnits)
		}
	case []types.ConsumedCapacity:
		for _, table := range capacity {
			units += aws.ToFloat64(table.CapacityUnits)
		}
	}
	return units
}
