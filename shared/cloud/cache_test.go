package cloud_test

import (
	"fmt"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// A cache keeps what was put last, and no more than fits.
func TestCacheIsBounded(t *testing.T) {
	t.Parallel()
	const most = 10
	c := cloud.NewCache[int](most)
	sizes := map[string]int{}
	for i := range 100 {
		key, size := fmt.Sprint(i%7), 1+i%5
		c.Put(key, i, size)
		sizes[key] = size
		if got, found := c.Get(key); got != i || !found {
			t.Errorf("after %d: got %d, %t", i, got, found)
		}
		kept := 0
		for key, size := range sizes {
			if _, found := c.Get(key); found {
				kept += size
			}
		}
		if kept > most || kept+5 < most && i > 20 {
			t.Errorf("after %d: values of size %d are kept, of at most %d", i, kept, most)
		}
	}
	c.Put("0", 1, most)
	for key := range sizes {
		if _, found := c.Get(key); found != (key == "0") {
			t.Errorf("beside one of the whole size, %s is kept: %t", key, found)
		}
	}
	c.Put("0", 2, most+1)
	if _, found := c.Get("0"); found {
		t.Error("a value is kept that does not fit, or the one before it")
	}
	c.Put("0", 3, most)
	c.Remove("0")
	c.Remove("none")
	if _, found := c.Get("0"); found {
		t.Error("a removed value is kept")
	}
	for i := range most {
		c.Put(fmt.Sprint("new", i), i, 1)
	}
	for i := range most {
		if _, found := c.Get(fmt.Sprint("new", i)); !found {
			t.Errorf("%d is not kept, although all fit", i)
		}
	}
}
