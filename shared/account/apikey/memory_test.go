package apikey

import (
	"strconv"
	"testing"
)

func TestMemoriesAreBounded(t *testing.T) {
	t.Parallel()
	var m memory[Caller]
	for i := range maxRemembered + 1 {
		m.add(strconv.Itoa(i), Caller{})
	}
	if _, ok := m.lookUp(strconv.Itoa(maxRemembered)); !ok || len(m.values) > maxRemembered {
		t.Errorf("%d callers are remembered, the last one: %v", len(m.values), ok)
	}
}
