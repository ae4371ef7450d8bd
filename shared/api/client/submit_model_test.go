package client_test

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
)

// modelled is what a candidate should be: its two mistakes, how often it should have arrived in a bulk, and the content
// of its last outcome.
type modelled struct {
	noEmail, noResume bool
	content, ended    int // numbers of the content, 0 for no outcome
	succeeded         bool
	arrived           int
}

func (m modelled) isRight() bool { return !m.noEmail && !m.noResume }

// run changes the model as a run does that ends by itself.
func (m *modelled) run(retry bool) {
	if m.succeeded || m.ended == m.content && !retry {
		return
	}
	m.ended = m.content
	m.succeeded = m.isRight()
	if !m.noResume {
		m.arrived++
	}
}

func (m modelled) candidate(i int) client.Candidate {
	candidate := newCandidates(1)[0]
	candidate.Item.ClientReferenceID = new(fmt.Sprint("r", i))
	candidate.Item.Name = fmt.Sprint("Ada ", m.content)
	if m.noEmail {
		candidate.Item.Email = ""
	}
	if m.noResume {
		candidate.ReadResume = func() ([]byte, error) { return nil, nil }
	}
	return candidate
}

// step is a run after some candidates were edited or added; kill is the request at which an earlier run of the same
// content is ended, 0 for none.
type step struct {
	edits     map[int][2]bool
	add, kill int
	retry     bool
}

func drawSteps(t *rapid.T) []step {
	mistakes := rapid.Custom(func(t *rapid.T) [2]bool {
		return [2]bool{rapid.Bool().Draw(t, "noEmail"), rapid.Bool().Draw(t, "noResume")}
	})
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
		return step{
			edits: rapid.MapOfN(rapid.IntRange(0, 5), mistakes, 0, 3).Draw(t, "edits"),
			add:   rapid.IntRange(0, 2).Draw(t, "add"), kill: rapid.IntRange(0, 9).Draw(t, "kill"), retry: rapid.Bool().Draw(t, "retry"),
		}
	}), 1, 5).Draw(t, "steps")
}

// Whatever is corrected, added, retried and killed between runs, each attempt of a candidate arrives once, and the
// outcome is that of its last content.
func TestSubmitAllCorrectedAnyhow(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		steps := drawSteps(rt)
		journal := filepath.Join(t.TempDir(), "journal")
		var wrong error
		synctest.Test(t, func(t *testing.T) { wrong = takeSteps(t, steps, journal) })
		if wrong != nil {
			rt.Fatal(wrong)
		}
	})
}

func takeSteps(t *testing.T, steps []step, journal string) error {
	f := newFakeService()
	people := []modelled{{content: 1}, {content: 1, noEmail: true}, {content: 1, noResume: true}}
	for n, s := range steps {
		for i, mistakes := range s.edits {
			if i < len(people) && !people[i].succeeded {
				people[i].noEmail = mistakes[0]
				people[i].noResume = mistakes[1]
				people[i].content++
			}
		}
		for range s.add {
			people = append(people, modelled{content: 1})
		}
		var all []client.Candidate
		for i := range people {
			all = append(all, people[i].candidate(i))
		}
		options := client.SubmitAllOptions{Journal: journal, RetryFailed: s.retry && s.kill == 0}
		if s.kill > 0 {
			ctx, kill := context.WithCancel(t.Context())
			k := &killer{fakeService: f, at: s.kill/2 + 1, after: s.kill%2 == 1, kill: kill}
			killed := client.New("http://api.example/api/external/v1", key, client.WithHTTPClient(&http.Client{Transport: k}))
			_, _ = submitAll(ctx, t, killed, all, options) // it ends by itself if it has fewer requests
			kill()
		}
		outcomes, err := submitAll(t.Context(), t, newClientOf(f), all, options)
		if err != nil {
			return fmt.Errorf("step %d: %w", n, err)
		}
		for i := range people {
			people[i].run(options.RetryFailed)
			reference := fmt.Sprint("r", i)
			isRight := (outcomes[reference].Status == client.OutcomeSucceeded) == people[i].succeeded
			if !isRight || f.submitted[reference] != people[i].arrived {
				return fmt.Errorf("step %d: %s is %+v and arrived %d times; want %+v", n, reference, outcomes[reference], f.submitted[reference], people[i])
			}
		}
	}
	return nil
}
