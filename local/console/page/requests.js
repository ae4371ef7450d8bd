// The live list of requests.
import { agencyName, agencyOfKey, keyNamed, meetKey, onAgencies } from './agencies.js'
import { byId, bytes, copyButton, make, time, toneOf } from './dom.js'
import { knownKeys } from './keyring.js'
import { call, describeRefusal, listen } from './server.js'

const most = 300
let isPaused = false
let waiting = []
let newest = 0
let baseUrl

// startRequests returns what shows the requests that the fragment names: of a batch, or one alone.
export function startRequests(from) {
  baseUrl = from
  listen('request', (event) => {
    if (event.number <= newest) return // sent again after a reconnection
    newest = event.number
    if (isPaused) waiting = [...waiting, event].slice(-most)
    else add(event)
  })
  onAgencies(filterAll)
  for (const id of ['request-filter', 'request-agency', 'request-method', 'request-status', 'request-group']) byId(id).addEventListener('input', filterAll)
  byId('request-clear').addEventListener('click', () => { byId('requests').replaceChildren(); drawEmpty() })
  byId('request-pause').addEventListener('click', (event) => {
    isPaused = !isPaused
    event.target.setAttribute('aria-pressed', isPaused)
    event.target.textContent = isPaused ? 'Resume' : 'Pause'
    if (!isPaused) { waiting.forEach(add); waiting = [] }
  })
  return () => {
    const wanted = location.hash.split('/')[1]
    if (!wanted) return
    byId('request-filter').value = wanted
    filterAll()
  }
}

function add(event) {
  meetKey(event.keyId)
  const list = byId('requests')
  list.prepend(row(event))
  while (list.children.length > most) list.lastChild.remove()
  filterAll()
}

// drawEmpty says why no request is shown, if none is.
function drawEmpty() {
  const rows = [...byId('requests').children]
  byId('requests-empty').hidden = rows.some((item) => !item.hidden)
  byId('requests-empty').textContent = rows.length ? 'No request matches the filter.' : 'No requests yet. Submit a candidate, or call the API from a terminal.'
}

// filterAll shows the requests that pass the filters. Of reads that were repeated with the same outcome, the
// newest is shown with their number, unless the page is told to show each.
function filterAll() {
  const passes = newFilter()
  const shown = new Map() // repeated read → [row, number]
  for (const item of byId('requests').children) {
    const key = byId('request-group').checked && item.dataset.repeats
    const first = key && shown.get(key)
    item.hidden = Boolean(first) || !passes(item.dataset)
    item.querySelector('.repeats').textContent = ''
    if (first && passes(item.dataset)) first[1]++
    if (key && !item.hidden) shown.set(key, [item, 1])
  }
  for (const [item, number] of shown.values()) if (number > 1) item.querySelector('.repeats').textContent = `×${number}`
  drawEmpty()
}

// newFilter returns a function that reports whether a request passes the filters.
function newFilter() {
  const words = byId('request-filter').value.toLowerCase().split(/\s+/).filter(Boolean)
  const agency = byId('request-agency').value
  const method = byId('request-method').value
  const status = byId('request-status').value
  return (of) => {
    const isWanted = agency === '' || agencyOfKey(of.key) === agency
    return isWanted && of.text.startsWith(method) && of.status.startsWith(status) && words.every((word) => of.text.includes(word))
  }
}

function row(event) {
  const path = event.path || '(no route)'
  const query = event.query?.length ? `?${event.query.join('&')}` : ''
  const summary = make('summary', { class: 'row request' },
    make('span', { class: 'dim when' }, time(event.at)),
    make('span', { class: `verb ${event.method}` }, event.method),
    make('code', { class: 'path' }, path, make('span', { class: 'dim' }, query), ' ', make('span', { class: 'dim repeats' })),
    make('span', { class: `pill ${toneOf(event.status)}` }, String(event.status)),
    make('code', { class: 'code' }, event.code),
    make('span', { class: 'dim ms' }, `${event.ms} ms`))
  const text = [event.method, path, event.status, event.code, event.keyId, event.requestId, event.batchId, event.operation].join(' ').toLowerCase()
  const repeats = event.method === 'GET' && [path, event.status, event.keyId, event.batchId].join(' ')
  const item = make('details', { 'data-text': text, 'data-repeats': repeats, 'data-status': event.status, 'data-key': event.keyId, 'data-request': event.requestId }, summary)
  item.addEventListener('toggle', () => item.children.length === 1 && item.append(details(event)), { once: true })
  return item
}

function details(event) {
  const facts = [['Request id', event.requestId], ['Operation', event.operation], ['Agency', agencyName(agencyOfKey(event.keyId))], ['Key', event.keyId], ['Batch', event.batchId], ['Cause', event.cause]]
  return make('div', { class: 'inside' }, make('div', { class: 'foot' }, replay(event), copyButton(curlOf(event), 'Copy as curl')),
    make('dl', {}, facts.filter(([, value]) => value).map(([name, value]) => make('div', {}, make('dt', {}, name), make('dd', {}, make('code', {}, value), name === 'Request id' && copyButton(value))))),
    make('div', { class: 'bodies' }, part('Request', event.sentHeaders, event.sent, event.sentBytes), part('Response', event.answeredHeaders, event.answer, event.answerBytes)))
}

// replay returns what sends the request again: a button for a read of which all was recorded and whose key the page knows.
// Values of parameters and bodies are not recorded, so other requests are sent from the reference.
function replay(event) {
  const path = pathOf(event)
  const key = keyOf(event)
  const isWhole = event.method === 'GET' && !path.includes('{') && !event.query?.length
  if (!isWhole || !key) return event.operation && make('a', { href: `${baseUrl}/docs#${event.operation}` }, 'Try it in the reference')
  const note = make('span', { class: 'dim', role: 'status' })
  const button = make('button', { type: 'button', class: 'small' }, 'Send again')
  button.addEventListener('click', async () => {
    const answer = await call(baseUrl + path, key.secret)
    note.textContent = answer.status === 200 ? 'answered 200' : describeRefusal(answer)
  })
  return [button, note]
}

// keyOf returns the key of a request with its secret, if the page knows it.
function keyOf(event) {
  const named = keyNamed(event.keyId)
  return knownKeys().find(({ id, type, secret }) => id === event.keyId || named?.type === type && secret.endsWith(named.last4))
}

const pathOf = (event) => event.path.replace('{batchId}', event.batchId || '{batchId}')

// curlOf returns the request as a command. What was not recorded of it, the caller fills in: the key, the body,
// and the values of parameters.
function curlOf(event) {
  const query = event.query?.length ? `?${event.query.map((name) => `${name}=`).join('&')}` : ''
  const data = event.sentBytes > 0 ? ' -H "Content-Type: application/json" --data @body.json' : ''
  return `curl -s -X ${event.method} -H "Authorization: Bearer $API_KEY"${data} '${baseUrl}${pathOf(event)}${query}'`
}

// part returns the request or the response: its headers and its body.
function part(title, headers, text, size) {
  return make('section', {}, make('h2', {}, title, ' ', make('span', { class: 'dim' }, size ? bytes(size) : 'no body')),
    headers.length > 0 && make('dl', { class: 'headers' }, headers.map(({ name, value }) => make('div', {}, make('dt', {}, name), make('dd', {}, ...marked(value))))),
    text && make('pre', { tabindex: '0' }, ...marked(text)))
}

// marked returns a redacted text with the parts that were replaced set apart.
function marked(text) {
  return text.split(/("‹[^›]*›"|‹[^›]*›)/).map((part, i) => (i % 2 ? make('span', { class: 'redacted' }, part.replaceAll('"', '')) : part))
}
