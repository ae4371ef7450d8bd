// The data that the keys of the page can read: members of the talent network, roles, and the recruiter's CRM. The
// API's cursors lead from page to page.
import { agencyName } from './agencies.js'
import { byId, make, pill, problem, time } from './dom.js'
import { keyOfType, knownKeys, onKeys } from './keyring.js'
import { call, describeRefusal } from './server.js'

const pageSize = 50 // at most; the API returns fewer roles

// Each list: whose key reads it, where, under which member, whether the API searches, and what a row shows.
const lists = {
  members: {
    key: 'agency', path: '/talent-network/candidates', member: 'candidates', head: ['Name', 'State', 'E-mail', 'Now', 'Source', 'Added'],
    cells: (row) => [make('b', {}, row.name), pill(row.status), row.email, [row.currentTitle, row.currentCompany].filter(Boolean).join(', '), row.source, time(row.addedAt)],
  },
  roles: {
    key: 'personal', path: '/recruiter/roles', member: 'roles', isSearched: true, head: ['Role', 'Company', 'Locations', 'Workplace', 'Posted'],
    cells: (row) => [make('b', {}, row.name), row.company?.name ?? row.company?.anonymizedName ?? '', row.locations.join(', '), row.workplaceType ?? '', time(row.postedAt)],
  },
  crm: {
    key: 'personal', path: '/recruiter/candidates', member: 'candidates', isSearched: true, head: ['Name', 'Headline', 'Location', 'Relationship', 'Added'],
    cells: (row) => [make('b', {}, row.name), row.oneLiner ?? '', row.location ?? '', row.relationshipStatus ?? '', time(row.addedAt)],
  },
}
let baseUrl
let turn = 0
let timer
const firstPage = { cursor: '', before: 0 }
let pages = [firstPage] // up to the one that is shown: the cursor of each, and how many rows are before it
let next = null // the page after it
let isTurning = false

// startData returns what shows the list.
export function startData(from) {
  baseUrl = from
  byId('data-list').addEventListener('input', () => { drawKeys(); begin() })
  byId('data-key').addEventListener('input', begin)
  byId('data-query').addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(begin, 250) })
  byId('data-next').addEventListener('click', () => next && turnPage(() => pages.push(next)))
  byId('data-previous').addEventListener('click', () => pages.length > 1 && turnPage(() => pages.pop()))
  onKeys(drawKeys)
  drawKeys()
  return load
}

const chosenList = () => lists[byId('data-list').value]
const keysOf = (list) => knownKeys().filter(({ type }) => type === list.key)

// drawKeys draws the choice of an agency and its key, of those that can read the list.
function drawKeys() {
  const select = byId('data-key')
  const keys = keysOf(chosenList())
  const chosen = keys.find(({ secret }) => select.value && secret.endsWith(select.value)) ?? keyOfType(chosenList().key)
  select.replaceChildren(...keys.map((key) => {
    const last4 = key.secret.slice(-4)
    return make('option', { value: last4, selected: key === chosen }, `${agencyName(key.agencyId)} · ${key.environment} · …${last4}`)
  }))
}

// begin shows the first page. While it is read, the one after it is not known.
function begin() {
  pages = [firstPage]
  next = null
  return load()
}

// turnPage shows the page before or after, from its first row. While it is read, no other is asked for.
async function turnPage(change) {
  if (isTurning) return
  isTurning = true
  change()
  await load()
  isTurning = false
  window.scrollTo(0, 0)
}

const retryAfter = 2000 // milliseconds

// load reads the last of the pages, again while the view is shown and the service cannot answer. The answer to an
// earlier question is dropped.
async function load() {
  const mine = ++turn
  const list = chosenList()
  const query = byId('data-query').value.trim()
  const key = keysOf(list)[byId('data-key').selectedIndex]
  if (!key) {
    drawProblem(`This needs a key of type ${list.key}.`)
    return
  }
  const { cursor } = pages.at(-1)
  const sent = new URLSearchParams({ limit: pageSize, ...(cursor !== '' && { cursor }), ...(query && list.isSearched && { query }) })
  const answer = await call(`${baseUrl}${list.path}?${sent}`, key.secret)
  if (mine !== turn) return
  if (answer.status === 200) {
    draw(list, answer.body, list.isSearched ? '' : query.toLowerCase())
    return
  }
  drawProblem(describeRefusal(answer))
  const mayAnswerLater = answer.status === 0 || answer.status === 429 || answer.status >= 500
  if (mayAnswerLater) timer = setTimeout(() => mine === turn && !byId('view-data').hidden && load(), retryAfter)
}

// drawProblem shows why there are no rows. A problem that stays is announced once.
function drawProblem(message) {
  if (byId('data-rows').textContent !== message) byId('data-rows').replaceChildren(problem(message))
  byId('data-count').textContent = ''
  next = null
  drawPager(pages.length === 1)
}

// draw draws a page. Members, which the API does not search, are searched in it.
function draw(list, body, words) {
  const all = body[list.member]
  const rows = all.map((row) => make('tr', {}, list.cells(row).map((cell) => make('td', {}, cell)))).filter((row) => row.textContent.toLowerCase().includes(words))
  const { before } = pages.at(-1)
  next = body.nextCursor == null ? null : { cursor: body.nextCursor, before: before + all.length }
  const isWhole = pages.length === 1 && next === null
  const range = all.length ? `Rows ${before + 1} to ${before + all.length}` : 'No further rows'
  const found = words ? `: ${rows.length} shown. The API does not search members, so this page alone is searched.` : '.'
  byId('data-count').textContent = isWhole ? `${rows.length} shown.` : range + found
  byId('data-rows').replaceChildren(make('div', { class: 'card scroll', tabindex: '0', role: 'region', 'aria-label': 'Rows' }, make('table', {},
    make('thead', {}, make('tr', {}, list.head.map((name) => make('th', { scope: 'col' }, name)))), make('tbody', {}, rows))))
  drawPager(isWhole)
}

// drawPager draws the buttons. One that leads nowhere hands the focus to the rows.
function drawPager(isWhole) {
  const focused = document.activeElement
  byId('data-pager').hidden = isWhole
  byId('data-page').textContent = `Page ${pages.length}`
  byId('data-previous').disabled = pages.length === 1
  byId('data-next').disabled = next === null
  if (focused?.disabled || isWhole && focused?.closest('#data-pager')) byId('data-rows').firstElementChild?.focus()
}
