package apikey

import "sync"

// maxRefused bounds the keys that a process remembers; further ones cost their call
// again.
const maxRefused = 4096

// refusals remembers the keys that used up a window, until the window ends.
type refusals struct {
	mu     sync.Mutex
	minute int64
	keys   map[string]Authentication
}

// lookUp reports whether the key with this hash used up this window.
func (r *refusals) lookUp(hash string, w window) (Authentication, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.minute != w.minute {
		return Authentication{}, false
	}
	a, ok := r.keys[w.tier.Name+hash]
	return a, ok
}

// addRefusal stores the refusal. Only one minute is kept: the newest seen.
func (r *refusals) addRefusal(hash string, w window, a Authentication) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if w.minute > r.minute || r.keys == nil {
		r.minute = w.minute
		r.keys = map[string]Authentication{}
	}
	if w.minute == r.minute && len(r.keys) < maxRefused {
		r.keys[w.tier.Name+hash] = a
	}
}
