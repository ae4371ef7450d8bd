package client

// countProgress returns how far the journal is.
func (r *submitRun) countProgress() Progress {
	p := Progress{Candidates: len(r.order)}
	pending := 0
	for _, reference := range r.order {
		b := r.journal.current[reference]
		switch {
		case r.journal.isEnded(reference):
			p.Uploaded++
			p.Submitted++
			p.Ended++
		case r.isHeld(reference):
		case b != nil && b.Response != nil:
			p.Uploaded++
			p.Submitted++
		case b != nil, r.journal.isUploaded(reference):
			p.Uploaded++
		default:
			p.Requests++
		}
		if !r.journal.isSent(reference) && !r.isHeld(reference) {
			pending++
		}
	}
	p.Requests += (pending + bulkItems - 1) / bulkItems
	for _, b := range r.journal.bulks {
		if b.Response == nil && !r.isHeld(b.References[0]) {
			p.Requests++
		}
	}
	return p
}

// update changes the progress and reports it.
func (r *submitRun) update(change func(*Progress)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.progress.Pause = 0
	change(&r.progress)
	if r.report != nil {
		r.report(r.progress)
	}
}
