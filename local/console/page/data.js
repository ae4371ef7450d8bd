// The data that the keys of the page can read: members of the talent network, roles, and the recruiter's CRM.
import { byId, make, pill, problem, time } from './dom.js'
import { keyOfType } from './keyring.js'
import { call } from './server.js'

// Each list: whose key reads it, where, under which member, whether the API searches, and what a row shows.
const lists = {
  members: {
    key: 'agency', path: '/talent-network/candidates?limit=100', member: 'candidates', head: ['Name', 'State', 'E-mail', 'Now', 'Source', 'Added'],
    cells: (row) => [make('b', {}, row.name), pill(row.status), row.email, [row.currentTitle, row.currentCompany].filter(Boolean).join(', '), row.source, time(row.addedAt)],
  },
  roles: {
    key: 'personal', path: '/recruiter/roles?limit=50', member: 'roles', isSearched: true, head: ['Role', 'Company', 'Locations', 'Workplace', 'Posted'],
    cells: (row) => [make('b', {}, row.name), row.company?.name ?? row.company?.anonymizedName ?? '', row.locations.join(', '), row.workplaceType ?? '', time(row.postedAt)],
  },
  crm: {
    key: 'personal', path: '/recruiter/candidates?limit=50', member: 'candidates', isSearched: true, head: ['Name', 'Headline', 'Location', 'Relationship', 'Added'],
    cells: (row) => [make('b', {}, row.name), row.oneLiner ?? '', row.location ?? '', row.relationshipStatus ?? '', time(row.addedAt)],
  },
}
let baseUrl
let turn = 0
let timer

export function startData(from) {
  baseUrl = from
  byId('data-list').addEventListener('input', load)
  byId('data-query').addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(load, 250) })
  return load
}

// load reads the first page of the chosen list. The answer to an earlier question is dropped.
async function load() {
  const mine = ++turn
  const list = lists[byId('data-list').value]
  const query = byId('data-query').value.trim()
  const key = keyOfType(list.key)
  if (!key) {
    byId('data').replaceChildren(problem(`This needs a key of type ${list.key}.`))
    return
  }
  try {
    const searched = query && list.isSearched ? `&query=${encodeURIComponent(query)}` : ''
    const answer = await call(baseUrl + list.path + searched, key.secret)
    if (mine === turn) draw(list, answer, list.isSearched ? '' : query.toLowerCase())
  } catch (error) {
    if (mine === turn) byId('data').replaceChildren(problem(error.message))
  }
}

function draw(list, answer, words) {
  if (answer.status !== 200) {
    byId('data').replaceChildren(problem(`${answer.status} ${answer.body.error.message}`))
    return
  }
  const rows = answer.body[list.member].map((row) => make('tr', {}, list.cells(row).map((cell) => make('td', {}, cell)))).filter((row) => row.textContent.toLowerCase().includes(words))
  const more = answer.body.nextCursor ? ' The list has more: search, or use the API.' : ''
  byId('data').replaceChildren(make('p', { class: 'hint' }, `${rows.length} shown.${more}`),
    make('div', { class: 'card scroll', tabindex: '0', role: 'region', 'aria-label': 'Rows' }, make('table', {},
      make('thead', {}, make('tr', {}, list.head.map((name) => make('th', { scope: 'col' }, name)))), make('tbody', {}, rows))))
}
