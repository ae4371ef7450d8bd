package cloud

import (
	"container/list"
	"sync"
)

// Cache keeps values by key in the process's memory, as long as the sum of their sizes is within a bound. For a new value it drops
// those that were put or read longest ago. It is safe for concurrent use.
type Cache[V any] struct {
	most int

	mu   sync.Mutex
	kept map[string]*list.Element
	// uses has the values, each an entry[V], from the one that was used longest ago on.
	uses list.List
	size int
}

type entry[V any] struct {
	key   string
	value V
	size  int
}

// NewCache returns an empty cache of values whose sizes are most in all.
func NewCache[V any](most int) *Cache[V] {
	return &Cache[V]{most: most, kept: map[string]*list.Element{}}
}

// Get returns the value that is kept under a key.
func (c *Cache[V]) Get(key string) (_ V, found bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.get(key)
}

// Put replaces what is kept under a key. A value that is larger than all may be together is not kept.
func (c *Cache[V]) Put(key string, value V, size int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.put(entry[V]{key, value, size})
}

// GetOrPut returns the value that is kept under a key. If there is none, it puts the given one and returns that.
func (c *Cache[V]) GetOrPut(key string, value V, size int) V {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept, found := c.get(key)
	if found {
		return kept
	}
	c.put(entry[V]{key, value, size})
	return value
}

// Remove drops what is kept under a key.
func (c *Cache[V]) Remove(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remove(key)
}

func (c *Cache[V]) get(key string) (value V, found bool) {
	kept, found := c.kept[key]
	if !found {
		return value, false
	}
	c.uses.MoveToBack(kept)
	return kept.Value.(entry[V]).value, true
}

func (c *Cache[V]) put(e entry[V]) {
	c.remove(e.key)
	if e.size > c.most {
		return
	}
	for c.size+e.size > c.most {
		c.remove(c.uses.Front().Value.(entry[V]).key)
	}
	c.kept[e.key] = c.uses.PushBack(e)
	c.size += e.size
}

func (c *Cache[V]) remove(key string) {
	kept, found := c.kept[key]
	if !found {
		return
	}
	c.size -= c.uses.Remove(kept).(entry[V]).size
	delete(c.kept, key)
}
