// What this page has seen of each submission: its person, and its attempts. The log has a line of an attempt
// that ended; a worker that died wrote none, so attempts of submissions in flight are remembered as well.
import { make, pill, time } from './dom.js'
import { listen } from './server.js'

const names = new Map() // submission → name
const attempts = new Map() // submission → [{number, at, status, code, cause}]

listen('attempt', (event) => remember(event.submissionId, { ...event, number: Number(event.attempt) }))

// nameSubmission remembers whose a submission is.
export const nameSubmission = (submission, name) => names.set(submission, name)

// nameOf returns whose an item of a batch is, or '' if that is not known.
export const nameOf = (item, people = {}) => names.get(item.submissionId) ?? people[item.candidateUserId] ?? ''

// observe remembers what the system answers of submissions in flight.
export function observe(live) {
  for (const item of live) {
    nameSubmission(item.submissionId, item.name)
    if (item.attempt > 0) remember(item.submissionId, { number: item.attempt, at: new Date().toISOString(), status: item.runningUntil ? 'processing' : 'no result' })
  }
}

// remember adds an attempt, or what is known better of it: how it ended.
function remember(submission, attempt) {
  const all = attempts.get(submission) ?? []
  const known = all.findLast(({ number }) => number === attempt.number)
  if (!known || (known.cause && attempt.cause)) all.push(attempt) // a parked one keeps its number
  else if (!known.isLogged) Object.assign(known, attempt, { at: attempt.submissionId ? attempt.at : known.at })
  if (attempt.submissionId) all.findLast(({ number }) => number === attempt.number).isLogged = true
  all.sort((a, b) => a.number - b.number)
  attempts.set(submission, all)
}

const isFinal = (item) => ['succeeded', 'failed', 'deduplicated'].includes(item.status)

// progress returns in one line where an item in flight is: which attempt, and when the next one is due.
export function progress(live) {
  if (!live) return ''
  const part = live.attempt === 0 ? 'waits for its first attempt' : `attempt ${live.attempt} of ${live.maxAttempts}`
  return live.runningUntil ? `${part}, running` : [part, ', next at ', time(live.nextAt)]
}

// ageOf returns how long an item has been in flight.
export function ageOf(since) {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(since)) / 1000))
  return seconds < 120 ? `${seconds} s` : seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}

// timeline returns the steps of an item: accepted, each attempt, and its end or what comes next.
export function timeline(item, batch, live) {
  const step = (at, ...what) => make('li', {}, make('span', { class: 'dim when' }, at ? time(at) : ''), make('span', { class: 'what' }, ...what))
  const steps = [step(batch.createdAt, 'accepted, ', make('a', { href: `#requests/${batch.batchId}` }, 'requests of this batch'))]
  for (const attempt of attempts.get(item.submissionId) ?? []) {
    const cause = attempt.code || attempt.cause
    steps.push(step(attempt.at, `attempt ${attempt.number}`, attempt.status === 'no result' ? ' ended without a result' : pill(attempt.status), cause ? make('code', {}, cause) : null))
  }
  if (isFinal(item)) steps.push(step(item.updatedAt, 'ended ', pill(item.status)))
  else steps.push(step(null, make('b', {}, progress(live))))
  return make('ol', { class: 'timeline' }, steps)
}
