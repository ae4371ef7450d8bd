package cloud

import "sync"

// Cache keeps values by key in the process's memory, as long as the sum of their sizes is within a bound. For a new value it drops
// others, in no particular order. It is safe for concurrent use.
type Cache[V any] struct {
	most int

	mu   sync.Mutex
	kept map[string]sized[V]
	size int
}

type sized[V any] struct {
	value V
	size  int
}

// NewCache returns an empty cache of values whose sizes are most in all.
func NewCache[V any](most int) *Cache[V] { return &Cache[V]{most: most, kept: map[string]sized[V]{}} }

// Get returns the value that is kept under a key.
func (c *Cache[V]) Get(key string) (_ V, found bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept, found := c.kept[key]
	return kept.value, found
}

// Put replaces what is kept under a key. A value that is larger than all may be together is not kept.
func (c *Cache[V]) Put(key string, value V, size int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remove(key)
	if size > c.most {
		return
	}
	for other := range c.kept {
		if c.size+size <= c.most {
			break
		}
		c.remove(other)
	}
	c.kept[key] = sized[V]{value, size}
	c.size += size
}

// Remove drops what is kept under a key.
func (c *Cache[V]) Remove(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remove(key)
}

func (c *Cache[V]) remove(key string) {
	c.size -= c.kept[key].size
	delete(c.kept, key)
}
