package cloud

import (
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// resourceNames returns what an operation reads or writes, as "table accounts+network" or "queue feed";
// "" if its input names nothing. Keys are left out: they can name a person.
func resourceNames(input any) string {
	if tables := batchTables(input); len(tables) > 0 {
		slices.Sort(tables)
		return "table " + strings.Join(slices.Compact(tables), "+")
	}
	for _, kind := range [][2]string{{"TableName", "table "}, {"QueueUrl", "queue "}, {"Bucket", "bucket "}} {
		if name := stringField(input, kind[0]); name != "" {
			return kind[1] + path.Base(name)
		}
	}
	return ""
}

func queueName(url string) string { return "queue " + path.Base(url) }

func stringField(input any, name string) string {
	field := fieldOf(input, name)
	if !field.IsValid() {
		return ""
	}
	text, _ := field.Interface().(*string)
	return aws.ToString(text)
}

// fieldOf returns a field of an operation's input or result, which is the zero Value if there is none.
// Reflection saves the imports of the clients of SQS and S3, which most functions are built without.
func fieldOf(operation any, name string) reflect.Value {
	value := reflect.Indirect(reflect.ValueOf(operation))
	if value.Kind() != reflect.Struct {
		return reflect.Value{}
	}
	return value.FieldByName(name)
}

// batchTables returns the tables of an operation on many items, which may repeat.
func batchTables(input any) (tables []string) {
	switch in := input.(type) {
	case *dynamodb.BatchGetItemInput:
		return slices.Collect(maps.Keys(in.RequestItems))
	case *dynamodb.BatchWriteItemInput:
		return slices.Collect(maps.Keys(in.RequestItems))
	case *dynamodb.TransactGetItemsInput:
		for _, item := range in.TransactItems {
			tables = append(tables, aws.ToString(item.Get.TableName))
		}
	case *dynamodb.TransactWriteItemsInput:
		for _, item := range in.TransactItems {
			tables = append(tables, writtenTable(item))
		}
	}
	return tables
}

func writtenTable(item types.TransactWriteItem) string {
	switch {
	case item.Put != nil:
		return aws.ToString(item.Put.TableName)
	case item.Update != nil:
		return aws.ToString(item.Update.TableName)
	case item.Delete != nil:
		return aws.ToString(item.Delete.TableName)
	default:
		return aws.ToString(item.ConditionCheck.TableName)
	}
}
