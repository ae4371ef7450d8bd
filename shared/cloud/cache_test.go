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
	keptOf := func() (count, size int) {
		for key, of := range sizes {
			if _, found := c.Get(key); found {
				count++
				size += of
			}
		}
		return count, size
	}
	for i := range 100 {
		key := fmt.Sprint(i % 7)
		size := 1 + i%5
		c.Remove(key)
		before, _ := keptOf()
		c.Put(key, i, size)
		sizes[key] = size
		if got, found := c.Get(key); got != i || !found {
			t.Errorf("after %d: got %d, %t", i, got, found)
		}
		count, kept := keptOf()
		if isDropped := count <= before; kept > most || isDropped && kept+5 <= most {
			t.Errorf("after %d: values of size %d are kept, of at most %d; before it there were %d, now %d", i, kept, most, before, count)
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

// A cache drops the value first that was put or read longest ago.
func TestCacheDropsWhatWasUsedLongestAgo(t *testing.T) {
	t.Parallel()
	const most = 20
	c := cloud.NewCache[int](most)
	for i := range most {
		c.Put(fmt.Sprint(i), i, 1)
	}
	for i := range most / 2 {
		c.Get(fmt.Sprint(i))
	}
	c.Put("new", 0, most/2)
	for i := range most {
		if _, found := c.Get(fmt.Sprint(i)); found != (i < most/2) {
			t.Errorf("%d is kept: %t", i, found)
		}
	}
}

// What is kept is neither replaced by GetOrPut, nor dropped before what was used earlier.
func TestCacheGetOrPut(t *testing.T) {
	t.Parallel()
	c := cloud.NewCache[int](3)
	for _, put := range []int{1, 2} {
		if got := c.GetOrPut("first", put, 1); got != 1 {
			t.Errorf("got %d, want the first value", got)
		}
	}
	c.GetOrPut("second", 2, 1)
	c.GetOrPut("first", 3, 1)
	c.GetOrPut("large", 4, 2)
	for key, want := range map[string]bool{"first": true, "second": false, "large": true} {
		if _, found := c.Get(key); found != want {
			t.Errorf("%s is kept: %t", key, found)
		}
	}
}
