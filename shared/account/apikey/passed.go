package apikey

import "sync"

// maxPassed bounds the callers that a process remembers: about 2 MB.
const maxPassed = 4096

// passedKeys remembers the callers of the keys that passed, by the keys' hashes.
type passedKeys struct {
	mu      sync.Mutex
	callers map[string]Caller
}

func (p *passedKeys) lookUp(hash string) (Caller, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	caller, ok := p.callers[hash]
	return caller, ok
}

// add stores a caller. If there are too many, all others are dropped: they cost a wave of calls again.
func (p *passedKeys) add(hash string, caller Caller) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.callers == nil || len(p.callers) >= maxPassed {
		p.callers = map[string]Caller{}
	}
	p.callers[hash] = caller
}

func (p *passedKeys) remove(hash string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.callers, hash)
}
