// Batches and their items, as they move.
import { byId, make, pill, problem, time } from './dom.js'
import { listen, read } from './server.js'

const final = ['succeeded', 'failed', 'deduplicated']
const order = ['queued', 'processing', 'succeeded', 'failed', 'deduplicated']
let environment = 'test'
let timer

export function startBatches() {
  for (const button of document.querySelectorAll('[data-environment]')) {
    button.addEventListener('click', () => { choose(button.dataset.environment); load() })
  }
  const soon = () => { clearTimeout(timer); timer = setTimeout(load, 150) }
  listen('attempt', soon)
  listen('request', (event) => event.batchId && event.method === 'POST' && soon())
  return () => {
    const [, wanted, batch] = location.hash.split('/')
    if (wanted) choose(wanted)
    return load(batch)
  }
}

function choose(name) {
  environment = name
  for (const button of document.querySelectorAll('[data-environment]')) button.setAttribute('aria-pressed', button.dataset.environment === name)
}

// load reads the batches and counts those that are live. While one is, it comes again.
async function load(opened) {
  clearTimeout(timer)
  try {
    const batches = await read(`data/batches?environment=${environment}`)
    const live = batches.reduce((sum, { counts }) => sum + counts.queued + counts.processing, 0)
    byId('badge-batches').hidden = live === 0
    byId('badge-batches').textContent = live
    if (!byId('view-batches').hidden) await draw(batches, opened)
    clearTimeout(timer)
    if (live) timer = setTimeout(load, 1000)
  } catch (error) {
    byId('batches').replaceChildren(problem(error.message))
  }
}

// draw draws the batches, and those that are open with their items.
async function draw(batches, opened) {
  const list = byId('batches')
  const isOpen = new Set([...list.querySelectorAll('details[open]')].map((item) => item.dataset.batch))
  if (opened) isOpen.add(opened)
  const rows = await Promise.all(batches.map(async (batch) => row(batch, isOpen.has(batch.batchId) && await readItems(batch.batchId))))
  const focused = document.activeElement?.closest?.('[data-batch]')?.dataset.batch
  list.replaceChildren(...rows)
  if (focused) list.querySelector(`[data-batch="${CSS.escape(focused)}"] summary`)?.focus()
  byId('batches-empty').hidden = rows.length > 0
}

const readItems = (batch) => read(`data/batches/${batch}?environment=${environment}`).catch(() => null)

function row(batch, items) {
  const item = make('details', { 'data-batch': batch.batchId, open: Boolean(items) },
    make('summary', { class: 'row batch' },
      make('span', { class: 'dim when' }, time(batch.createdAt)),
      make('code', { class: 'path' }, batch.batchId),
      make('span', { class: 'dim count' }, batch.itemCount === 1 ? '1 item' : `${batch.itemCount} items`),
      make('span', { class: 'tags' }, order.filter((status) => batch.counts[status]).map((status) => counted(status, batch)))))
  if (items) item.append(table(items))
  item.addEventListener('toggle', async () => {
    if (!item.open || item.children.length > 1) return
    const found = await readItems(batch.batchId)
    if (found && item.children.length === 1) item.append(table(found))
  })
  return item
}

function counted(status, batch) {
  const shown = pill(status)
  if (batch.itemCount > 1) shown.append(` ${batch.counts[status]}`)
  return shown
}

function table(batch) {
  const parked = batch.parkedUntil && make('p', { class: 'hint' }, 'Waiting for another attempt at ', time(batch.parkedUntil), '.')
  return make('div', { class: 'inside scroll', tabindex: '0' }, parked, make('table', {},
    make('thead', {}, make('tr', {}, ['#', 'Status', 'Updated', 'Result', 'Reference', 'Submission'].map((name) => make('th', { scope: 'col' }, name)))),
    make('tbody', {}, batch.items.map((item) => make('tr', { 'data-status': item.status, 'data-final': final.includes(item.status) },
      make('td', {}, String(item.index)), make('td', {}, pill(item.status)), make('td', {}, time(item.updatedAt)),
      make('td', { class: 'wide' }, item.candidateUserId ? make('code', {}, item.candidateUserId) : item.errorCode ? [make('code', {}, item.errorCode), ' ', item.errorMessage ?? ''] : ''),
      make('td', {}, item.clientReferenceId ?? ''), make('td', {}, make('code', { class: 'dim' }, item.submissionId)))))))
}
