// What becomes of the page's own submissions: one card each, which moves until it is final.
import { nameSubmission, observe, progress } from './attempts.js'
import { byId, make, pill } from './dom.js'
import { notify } from './notices.js'
import { listen, read } from './server.js'

const final = ['succeeded', 'failed', 'deduplicated']
const mostOutcomes = 100
const open = new Map() // batch → look

listen('attempt', (event) => open.get(event.batchId)?.())

// follow adds a card for a submission, and returns what to call with the API's answer. A slot shows
// the status as well; without one the page scrolls to the card.
export function follow(label, slot, person = '') {
  const began = performance.now()
  const status = make('span', { class: 'slot' }, pill('sending'))
  const took = make('span', { class: 'dim took' })
  const foot = make('div', { class: 'foot' }, took)
  const detail = make('div', { class: 'detail' })
  const card = make('article', { class: 'result', 'data-status': 'sending' },
    make('div', { class: 'spread' }, make('b', {}, label), status), detail, foot)
  const list = byId('outcomes')
  if (!list.querySelector('.result')) list.replaceChildren()
  list.prepend(card)
  while (list.children.length > mostOutcomes) list.lastChild.remove()
  if (!slot) card.scrollIntoView({ block: 'nearest' })

  const set = (name, ...details) => {
    card.dataset.status = name
    status.replaceChildren(pill(name))
    slot?.replaceChildren(pill(name))
    detail.replaceChildren(...details)
    took.textContent = `${((performance.now() - began) / 1000).toFixed(1)} s`
  }
  return {
    fail(message, requestId) {
      set('refused', make('p', { class: 'problem', role: 'alert' }, message), ...(requestId ? [make('code', { class: 'dim' }, `request ${requestId}`)] : []))
    },
    accept(batch, environment, isDuplicate, onMember) {
      const link = `#batches/${environment}/${batch}`
      foot.prepend(make('a', { href: link }, 'See the batch'))
      watch(batch, environment, (item, live) => {
        nameSubmission(item.submissionId, person)
        set(item.status, ...describe(item, isDuplicate, live))
        if (final.includes(item.status)) notify(person || label, item.status, link)
        if (onMember && item.candidateUserId) onMember(item.candidateUserId).then((note) => detail.append(note))
      })
    },
  }
}

function describe(item, isDuplicate, live) {
  return [
    isDuplicate && make('p', {}, 'The candidate is in flight already: this submission joins the earlier one.'),
    live?.attempt > 1 && make('p', { class: 'progress' }, progress(live)),
    item.errorCode && make('p', {}, make('code', {}, item.errorCode), ' ', item.errorMessage ?? ''),
    item.candidateUserId && make('p', {}, 'Member of the talent network: ', make('code', {}, item.candidateUserId)),
  ].filter(Boolean)
}

// watch looks at a batch twice a second, and after each attempt, until its item is final.
function watch(batch, environment, draw) {
  let isLooking = false
  const look = async () => {
    if (isLooking) return
    isLooking = true
    try {
      const { items, live } = await read(`data/batches/${batch}?environment=${environment}`)
      observe(live)
      if (items.length) draw(items[0], live[0])
      if (!items.length || final.includes(items[0].status)) stop()
    } catch {
      // the system stopped, or the batch was reset: the next look tells
    }
    isLooking = false
  }
  const timer = setInterval(look, 500)
  const stop = () => { clearInterval(timer); open.delete(batch) }
  setTimeout(stop, 5 * 60 * 1000)
  open.set(batch, look)
  look()
}
