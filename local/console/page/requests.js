// The live list of requests.
import { byId, bytes, copyButton, make, time, toneOf } from './dom.js'
import { listen } from './server.js'

const most = 300
let isPaused = false
let waiting = []
let newest = 0

// startRequests returns what shows the requests that the fragment names: of a batch, or one alone.
export function startRequests() {
  listen('request', (event) => {
    if (event.number <= newest && newest - event.number < most) return // sent again after a reconnection
    newest = event.number
    if (isPaused) waiting = [...waiting, event].slice(-most)
    else add(event)
  })
  byId('request-filter').addEventListener('input', filterAll)
  byId('request-errors').addEventListener('change', filterAll)
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
  const list = byId('requests')
  const item = row(event)
  item.hidden = !passes(item)
  list.prepend(item)
  while (list.children.length > most) list.lastChild.remove()
  drawEmpty()
}

const drawEmpty = () => { byId('requests-empty').hidden = byId('requests').children.length > 0 }

const filterAll = () => { for (const item of byId('requests').children) item.hidden = !passes(item) }

function passes(item) {
  const words = byId('request-filter').value.toLowerCase().split(/\s+/).filter(Boolean)
  return words.every((word) => item.dataset.text.includes(word)) && (!byId('request-errors').checked || Number(item.dataset.status) >= 400)
}

function row(event) {
  const path = event.path || '(no route)'
  const query = event.query?.length ? `?${event.query.join('&')}` : ''
  const summary = make('summary', { class: 'row request' },
    make('span', { class: 'dim when' }, time(event.at)),
    make('span', { class: `verb ${event.method}` }, event.method),
    make('code', { class: 'path' }, path, make('span', { class: 'dim' }, query)),
    make('span', { class: `pill ${toneOf(event.status)}` }, String(event.status)),
    make('code', { class: 'code' }, event.code),
    make('span', { class: 'dim ms' }, `${event.ms} ms`))
  const text = [event.method, path, event.status, event.code, event.keyId, event.requestId, event.batchId, event.operation].join(' ').toLowerCase()
  const item = make('details', { 'data-text': text, 'data-status': event.status, 'data-request': event.requestId }, summary)
  item.addEventListener('toggle', () => item.children.length === 1 && item.append(details(event)), { once: true })
  return item
}

function details(event) {
  const facts = [['Request id', event.requestId], ['Operation', event.operation], ['Key', event.keyId], ['Batch', event.batchId], ['Cause', event.cause]]
  return make('div', { class: 'inside' },
    make('dl', {}, facts.filter(([, value]) => value).map(([name, value]) => make('div', {}, make('dt', {}, name), make('dd', {}, make('code', {}, value), name === 'Request id' && copyButton(value))))),
    make('div', { class: 'bodies' }, body('Request', event.sent, event.sentBytes), body('Response', event.answer, event.answerBytes)))
}

function body(title, text, size) {
  return make('section', {}, make('h3', {}, title, ' ', make('span', { class: 'dim' }, size ? bytes(size) : 'no body')), text && make('pre', { tabindex: '0' }, ...marked(text)))
}

// marked returns a redacted body with the parts that were replaced set apart.
function marked(text) {
  return text.split(/("‹[^›]*›"|‹[^›]*›)/).map((part, i) => (i % 2 ? make('span', { class: 'redacted' }, part.replaceAll('"', '')) : part))
}
