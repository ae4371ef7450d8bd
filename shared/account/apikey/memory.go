package apikey

import "sync"

// maxRemembered bounds the keys of a memory, whose values take about 2 MB.
const maxRemembered = 4096

// memory remembers a value for each of some keys.
type memory[V any] struct {
	mu     sync.Mutex
	values map[string]V
}

func (m *memory[V]) lookUp(key string) (V, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.values[key]
	return v, ok
}

// add stores a value. If there are too many, all others are dropped: they cost a wave of calls again.
func (m *memory[V]) add(key string, v V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.values == nil || len(m.values) >= maxRemembered {
		m.values = map[string]V{}
	}
	m.values[key] = v
}

func (m *memory[V]) remove(key string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.values, key)
}
