package terminal

import (
	"fmt"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// reportEvery is how often progress is a line, if messages do not go to a terminal; before a pause it is sooner.
const (
	reportEvery  = 30 * time.Second
	reportPauses = 5 * time.Second
)

// progress is a bar on a terminal, with two steps for each candidate (uploaded, ended), else a line now and then.
type progress struct {
	out  screen
	name string
	bar  *progressbar.ProgressBar // nil without a terminal

	mu       sync.Mutex
	begun    time.Time
	first    client.Progress
	reported time.Time
}

func (p *progress) show(at client.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.first.Candidates == 0 {
		p.first = at
		if terminal := p.out.terminal(); terminal != nil { // a bar moves the cursor, and so writes past the screen
			p.bar = progressbar.NewOptions(2*at.Candidates,
				progressbar.OptionSetWriter(terminal), progressbar.OptionFullWidth(), progressbar.OptionThrottle(100*time.Millisecond),
				progressbar.OptionSetPredictTime(false), progressbar.OptionSetElapsedTime(false), progressbar.OptionClearOnFinish())
		}
	}
	rate := float64(at.Uploaded-p.first.Uploaded) / max(time.Since(p.begun).Minutes(), 1.0/60) // of this run alone
	// What the rate of the key needs for the remaining requests.
	left := time.Duration(at.Requests) * contract.WindowSeconds * time.Second / time.Duration(contract.WriteTier.Limit)
	text := fmt.Sprintf("%s: %d/%d uploaded, %d submitted, %d ended, %.0f/min, %s left",
		p.name, at.Uploaded, at.Candidates, at.Submitted, at.Ended, rate, left.Round(time.Second))
	if at.Pause > 0 {
		text += fmt.Sprintf(", next by the rate in %s", at.Pause.Round(time.Second))
	}
	switch {
	case p.bar != nil:
		p.bar.Describe(text)
		_ = p.bar.Set(at.Uploaded + at.Ended)
	case time.Since(p.reported) >= reportEvery, at.Pause > 0 && time.Since(p.reported) >= reportPauses:
		p.reported = time.Now()
		_, _ = fmt.Fprintln(p.out, text)
	}
}

func (p *progress) showRetry(r client.Retry) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		_ = p.bar.Clear()
	}
	_, _ = fmt.Fprintf(p.out, "again in %s: %v\n", r.Pause.Round(time.Second/10), r.Err)
}

func (p *progress) finish() {
	if p.bar != nil {
		_ = p.bar.Exit()
		_ = p.bar.Clear()
	}
}
