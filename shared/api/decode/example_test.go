package decode_test

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/decode"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// All problems of a body come in one error, each under its top-level field.
func ExampleInto() {
	var in contract.LookupRequest
	body := `{"candidates": [{"email": 7}, {"candidateUserId": ""}], "unknown": true}`
	_, err := decode.Into(decode.Request{Body: body}, contract.SchemaOf(reflect.TypeFor[contract.LookupRequest]()), reflect.ValueOf(&in))

	problems, _ := json.MarshalIndent(fault.As(err).Fields, "", "  ")
	fmt.Println(fault.As(err).Code, string(problems))
	// Output:
	// validation_failed {
	//   "candidates": [
	//     "candidates[0].email: must be a string, not a number.",
	//     "candidates[1].candidateUserId: must not be empty."
	//   ]
	// }
}

// A body that is not JSON has one problem, which says where.
func ExampleInto_malformed() {
	var in contract.PutFastTrackRequest
	_, err := decode.Into(decode.Request{Body: "{\n  \"fastTrack\": yes\n}"},
		contract.SchemaOf(reflect.TypeFor[contract.PutFastTrackRequest]()), reflect.ValueOf(&in))
	fmt.Println(fault.As(err).Form[0])
	// Output: The body is not valid JSON: line 2, column 16 (byte 17): invalid character 'y' at start of value.
}
