// Batches and their items, as they move.
import { agencyName } from './agencies.js'
import { ageOf, nameOf, observe, progress, timeline } from './attempts.js'
import { readChanges } from './changes.js'
import { byId, make, pill, problem, time } from './dom.js'
import { readFacts } from './facts.js'
import { listen, read } from './server.js'

const order = ['queued', 'processing', 'succeeded', 'failed', 'deduplicated']
const stuckAfter = 60_000 // milliseconds in flight
let environment = 'test'
let timer
let loading = null // the load in progress
let isOutdated = false // whether something has changed since it began
let people = {} // candidateUserId → name, of the environment
const opened = new Set() // batches whose items are shown
const ended = new Map() // batch → its items, which do not change any more

export function startBatches() {
  for (const button of document.querySelectorAll('[data-environment]')) {
    button.addEventListener('click', () => { choose(button.dataset.environment); load() })
  }
  byId('batch-agency').addEventListener('input', load)
  for (const id of ['batch-filter', 'batch-state']) byId(id).addEventListener('input', filterAll)
  const soon = () => { clearTimeout(timer); timer = setTimeout(load, 150) }
  listen('attempt', soon)
  listen('redelivery', soon)
  listen('request', (event) => event.method !== 'GET' && soon()) // each may change a batch, or a member of one
  return () => {
    const [, wanted, batch] = location.hash.split('/')
    if (wanted) choose(wanted)
    if (batch) {
      opened.add(batch)
      byId('batch-agency').value = ''
    }
    return load()
  }
}

function choose(name) {
  if (name !== environment) people = {}
  environment = name
  for (const button of document.querySelectorAll('[data-environment]')) button.setAttribute('aria-pressed', button.dataset.environment === name)
}

const countLive = ({ counts }) => counts.queued + counts.processing

const chosen = () => `${environment} ${byId('batch-agency').value}`

// load reads and draws the batches, once at a time: what is asked for meanwhile follows.
function load() {
  isOutdated = loading !== null
  loading ??= readAndDraw().finally(() => {
    loading = null
    if (isOutdated) load()
  })
  return loading
}

// readAndDraw draws the batches and counts those that are live. While one is, it comes again. What was read for an
// earlier choice is dropped.
async function readAndDraw() {
  const mine = chosen()
  clearTimeout(timer)
  try {
    const { batches, live, inFlight } = await read(`data/batches?environment=${environment}&agency=${byId('batch-agency').value}`)
    observe(live)
    if (mine !== chosen()) return
    byId('badge-batches').hidden = inFlight === 0
    byId('badge-batches').textContent = inFlight
    if (!byId('view-batches').hidden) await draw(batches, () => mine === chosen())
    clearTimeout(timer)
    if (inFlight) timer = setTimeout(load, 1000)
  } catch (error) {
    if (mine === chosen()) byId('batches').replaceChildren(problem(error.message))
  }
}

// draw draws the batches with the names of their items, and those that are open with the items, if they are still
// wanted once all is read.
async function draw(batches, isWanted) {
  const found = await Promise.all(batches.map(readItems))
  const members = found.flatMap((batch) => batch?.items ?? []).map((item) => item.candidateUserId).filter(Boolean)
  const names = members.some((id) => !people[id]) ? await read(`data/people?environment=${environment}`) : people
  const watched = new Set(batches.filter(({ batchId }) => opened.has(batchId)).map(({ agencyId }) => agencyId))
  await Promise.all([...watched].map((agency) => readChanges(agency, environment)))
  await readFacts(found.filter((batch) => opened.has(batch?.batchId)).flatMap(({ items }) => items), environment)
  const isMixed = new Set(batches.map(({ agencyId }) => agencyId)).size > 1
  const list = byId('batches')
  if (!isWanted()) return
  people = names
  const focused = document.activeElement?.closest?.('[data-batch]')?.dataset.batch
  list.replaceChildren(...batches.map((batch, i) => row(batch, found[i], isMixed)))
  if (focused) list.querySelector(`[data-batch="${CSS.escape(focused)}"] summary`)?.focus()
  filterAll()
}

// readItems returns a batch with its items; null if it is gone. One that has ended is read once.
async function readItems(batch) {
  const known = ended.get(batch.batchId)
  if (known) return known
  const found = await read(`data/batches/${batch.batchId}?environment=${environment}&agency=${batch.agencyId}`).catch(() => null)
  if (found && countLive(batch) === 0) ended.set(batch.batchId, found)
  return found
}

function filterAll() {
  const words = byId('batch-filter').value.toLowerCase().split(/\s+/).filter(Boolean)
  const state = byId('batch-state').value
  const rows = [...byId('batches').children]
  for (const item of rows) {
    const isInState = state === '' || item.dataset.states.split(' ').includes(state)
    item.hidden = !isInState || !words.every((word) => item.dataset.text.includes(word))
  }
  byId('batches-empty').hidden = rows.some((item) => !item.hidden)
  byId('batches-empty').textContent = rows.length || byId('batch-agency').value ? 'No batch matches the filter.' : 'No batch yet.'
}

// titleOf returns whose batch it is: the first person, or their reference.
function titleOf(batch, items) {
  const labels = items.map((item) => nameOf(item, people) || item.clientReferenceId).filter(Boolean)
  const first = labels[0] ?? `Batch …${batch.batchId.slice(-8)}`
  return batch.itemCount > 1 ? `${first} and ${batch.itemCount - 1} more` : first
}

function row(batch, found, isMixed) {
  const items = found?.items ?? []
  const live = found?.live ?? []
  const references = items.map((item) => item.clientReferenceId).filter(Boolean)
  const states = order.filter((status) => batch.counts[status])
  const text = [batch.batchId, ...references, ...items.map((item) => nameOf(item, people)), ...items.map((item) => item.errorCode)].join(' ').toLowerCase()
  const age = countLive(batch) > 0 && make('span', { class: isStuck(batch) ? 'pill warn' : 'dim' }, `for ${ageOf(batch.createdAt)}`)
  return make('details', { 'data-batch': batch.batchId, 'data-text': text, 'data-states': states.join(' '), open: opened.has(batch.batchId), ontoggle: keepOpened },
    make('summary', { class: 'row batch' },
      make('span', { class: 'dim when' }, time(batch.createdAt)),
      make('span', { class: 'path' }, make('b', {}, titleOf(batch, items)), ' ', make('span', { class: 'dim' }, [references[0] ?? '', ...(live.length === 1 ? [' ', progress(live[0])].flat() : [])])),
      make('span', { class: 'dim count' }, batch.itemCount === 1 ? '1 item' : `${batch.itemCount} items`),
      make('span', { class: 'tags' }, isMixed && make('span', { class: 'tag' }, agencyName(batch.agencyId)), age, states.map((status) => counted(status, batch)))),
    inside(batch, found))
}

function keepOpened({ target }) {
  if (target.open && !opened.has(target.dataset.batch)) {
    opened.add(target.dataset.batch)
    load() // which reads what followed the end of its items
  }
  if (!target.open) opened.delete(target.dataset.batch)
}

const isStuck = (batch) => Date.now() - Date.parse(batch.createdAt) > stuckAfter

function counted(status, batch) {
  const shown = pill(status)
  if (batch.itemCount > 1) shown.append(` ${batch.counts[status]}`)
  return shown
}

function inside(batch, found) {
  return make('div', { class: 'inside' }, make('code', { class: 'dim' }, `batch ${batch.batchId}`),
    (found?.items ?? []).map((item) => itemCard(item, { ...found, agencyId: batch.agencyId })))
}

function itemCard(item, batch) {
  const live = batch.live.find(({ submissionId }) => submissionId === item.submissionId)
  const facts = [item.clientReferenceId && `reference ${item.clientReferenceId}`, item.candidateUserId, `submission ${item.submissionId}`].filter(Boolean)
  return make('article', { class: 'item', 'data-status': item.status },
    make('div', { class: 'spread' }, make('h2', {}, `${item.index}. `, nameOf(item, people) || item.clientReferenceId || 'Item'), pill(item.status)),
    item.errorCode && make('p', {}, make('code', {}, item.errorCode), ' ', item.errorMessage ?? ''),
    make('p', { class: 'meta' }, facts.map((fact) => make('code', { class: 'dim' }, fact))),
    timeline(item, batch, live, environment))
}
