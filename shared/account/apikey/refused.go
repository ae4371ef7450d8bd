package apikey

import "sync"

// maxRefused bounds what a process remembers: past it refusals of further keys
// cost their call again.
const maxRefused = 4096

// refused remembers the keys that used up a window, until the window ends.
type refused struct {
	mu     sync.Mutex
	minute int64
	keys   map[string]Admission
}

// recall tells whether the key with this hash used up this window.
func (r *refused) recall(hash string, w window) (Admission, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.minute != w.minute {
		return Admission{}, false
	}
	a, ok := r.keys[w.tier.Name+hash]
	return a, ok
}

// remember keeps the refusal. Only one minute is kept: the newest seen.
func (r *refused) remember(hash string, w window, a Admission) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if w.minute > r.minute || r.keys == nil {
		r.minute, r.keys = w.minute, map[string]Admission{}
	}
	if w.minute == r.minute && len(r.keys) < maxRefused {
		r.keys[w.tier.Name+hash] = a
	}
}
