package client

// countProgress returns how far the journal is.
func (r *submitRun) countProgress() Progress {
	p := Progress{Candidates: len(r.order)}
	pending := 0
	for _, reference := range r.order {
		_, ended := r.journal.outcomes[reference]
		_, uploaded := r.journal.uploads[reference]
		if ended {
			p.Ended++
		}
		if ended || uploaded {
			p.Uploaded++
		} else {
			p.Requests++
		}
		if !r.journal.isSent(reference) {
			pending++
		}
	}
	p.Requests += (pending + bulkItems - 1) / bulkItems
	for _, b := range r.journal.bulks {
		if b.Response != nil {
			p.Submitted += len(b.References)
		} else {
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
