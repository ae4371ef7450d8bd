// The reset of the sandbox agency.
import { byId, make, problem, sure } from './dom.js'
import { change } from './server.js'

const labels = {
  memberships: 'memberships', inFlight: 'submissions in flight', batches: 'batches', uploads: 'uploads', idempotencyKeys: 'Idempotency-Keys', exclusions: 'identities of excluded persons',
}

export function startReset() {
  const button = byId('reset-button')
  byId('reset-form').addEventListener('submit', (event) => event.preventDefault())
  sure(button, 'Remove all of it?', async () => {
    button.disabled = true
    byId('reset-result').replaceChildren(make('p', { class: 'hint' }, 'Removing …'))
    try {
      const removed = await change('reset', { environment: byId('reset-environment').value })
      byId('reset-result').replaceChildren(make('p', { class: 'good-note' }, 'Removed: ', Object.entries(labels).map(([name, label]) => `${removed[name]} ${label}`).join(', '), '. The demo candidates are there again.'))
    } catch (error) {
      byId('reset-result').replaceChildren(problem(error.message))
    }
    button.disabled = false
  })
}
