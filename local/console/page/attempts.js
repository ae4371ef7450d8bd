// What this page has seen of each submission: its person, and its attempts. The log has a line of an attempt
// that ended; a worker that died wrote none, so attempts of submissions in flight are remembered as well.
import { changesAfter } from './changes.js'
import { make, pill, time } from './dom.js'
import { describeFacts } from './facts.js'
import { listen } from './server.js'

const names = new Map() // submission → name
const attempts = new Map() // submission → [{number, at, status, code, cause}]
const redeliveries = new Map() // submission → times at which its message was sent again from the dead letters

listen('attempt', (event) => remember(event.submissionId, { ...event, number: Number(event.attempt) }))

listen('redelivery', ({ at, submissionId }) => redeliveries.set(submissionId, (redeliveries.get(submissionId) ?? new Set()).add(at)))

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

// timeline returns the steps of an item in the order of time: accepted, each attempt, what was read, its end, and what followed it. Of
// an item in flight the last step says what comes next.
export function timeline(item, batch, live, environment) {
  const steps = [
    { at: batch.createdAt, what: ['accepted, ', make('a', { href: `#requests/${batch.batchId}` }, 'requests of this batch')] },
    ...(attempts.get(item.submissionId) ?? []).map((attempt) => ({ at: endOf(attempt, item), what: describeAttempt(attempt) })),
    ...[...redeliveries.get(item.submissionId) ?? []].map((at) => ({ at, what: [describeRedelivery(item, at)] })),
    ...(item.candidateUserId ? changesAfter(item, batch.agencyId, environment) : []).map(({ at, what, status }) => ({ at, what: status ? [`${what} `, pill(status)] : [what] })),
  ]
  const facts = describeFacts(item)
  if (facts) steps.push({ at: item.updatedAt, what: [`read from resume and profile: ${facts}`] })
  if (isFinal(item)) steps.push({ at: item.updatedAt, isEnd: true, what: ['ended ', pill(item.status)] })
  steps.sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || Boolean(a.isEnd) - Boolean(b.isEnd))
  if (!isFinal(item)) steps.push({ what: [make('b', {}, progress(live))] })
  else if (steps.at(-1).isEnd) steps.push({ isNote: true, what: [describeNothing(item)] })
  return make('ol', { class: 'timeline' }, steps.map(({ at, what, isNote }) => make('li', { class: isNote && 'note' }, make('span', { class: 'dim when' }, at ? time(at) : ''), make('span', { class: 'what' }, what))))
}

// endOf returns when an attempt ended. The one that ended the item is logged a moment after that.
const endOf = ({ at, status }, item) => (status === item.status && isAfterEnd(at, item) ? item.updatedAt : at)

const isAfterEnd = (at, item) => isFinal(item) && Date.parse(at) > Date.parse(item.updatedAt)

function describeAttempt({ number, status, code, cause }) {
  const reason = code || cause
  return [`attempt ${number}`, status === 'no result' ? ' ended without a result' : pill(status), reason ? make('code', {}, reason) : null]
}

function describeRedelivery(item, at) {
  return `message sent again from the dead letters${isAfterEnd(at, item) ? ': the item had ended, so nothing was attempted' : ''}`
}

// describeNothing says why nothing follows the end of an item.
function describeNothing(item) {
  const final = 'an end is final, and its message finds nothing to do if it is delivered again.'
  if (item.candidateUserId) return `Only changes of the candidate can follow: ${final}`
  return `Nothing can follow: ${final} A new submission is a new batch.`
}
