package cursor_test

import (
	"fmt"

	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/gateway/cursor"
)

// A list ends a page with a cursor, and begins the next one behind its position.
func ExampleRead() {
	next := cursor.New("2026-05-06#cu_1", "on_market")

	call := &gateway.Call{}
	anyPosition := func(string) bool { return true }
	position, err := cursor.Read(call, &next, anyPosition, "on_market")
	fmt.Println(position, err)

	// Other filters are no error; the answer warns of them.
	_, err = cursor.Read(call, &next, anyPosition, "expired")
	fmt.Println(call.Header().Get("X-Cursor-Warning"), err)
	// Output:
	// 2026-05-06#cu_1 <nil>
	// filters-changed <nil>
}
