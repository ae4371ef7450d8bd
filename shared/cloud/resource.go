package cloud

import (
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// resourceNames returns what an operation reads or writes, as "table accounts+network" or "queue feed";
// "" if its input names nothing. Keys are left out: they can name a person.
func resourceNames(input any) string {
	if tables := batchTables(input); len(tables) > 0 {
		slices.Sort(tables)
		return "table " + strings.Join(slices.Compact(tables), "+")
	}
	if table := stringField(input, "TableName"); table != "" {
		return "table " + table
	}
	if queue := stringField(input, "QueueUrl"); queue != "" {
		return queueName(queue)
	}
	if bucket := stringField(input, "Bucket"); bucket != "" {
		return "bucket " + bucket
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
	if requests := fieldOf(input, "RequestItems"); requests.IsValid() {
		for _, table := range requests.MapKeys() {
			tables = append(tables, table.String())
		}
	}
	items := fieldOf(input, "TransactItems")
	for i := 0; items.IsValid() && i < items.Len(); i++ {
		for n := range items.Index(i).NumField() { // of which one is not nil: Get, Put, Update, Delete or ConditionCheck
			if part := items.Index(i).Field(n); part.Kind() == reflect.Pointer && !part.IsNil() {
				tables = append(tables, stringField(part.Interface(), "TableName"))
			}
		}
	}
	return tables
}
