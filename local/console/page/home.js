// The start: figures and small charts of what the console holds, drawn anew as it happens.
import { byId, make } from './dom.js'
import { listen, read } from './server.js'

const minutes = 30 // of the charts
const samples = 60 // of the depths of queues
let requests = [] // {at, ms, status}, oldest first
const depths = [] // how many messages the queues had, oldest first
let newest = 0
let timer
let next // the next load

export function startHome() {
  listen('request', (event) => {
    if (event.number <= newest) return // sent again after a reconnection
    newest = event.number
    requests.push({ at: Date.parse(event.at), ms: event.ms, status: event.status })
    requests = requests.slice(-5000)
    if (!byId('view-home').hidden && !timer) timer = setTimeout(drawRequests, 250)
  })
  return load
}

// load reads what no event has: outcomes and queues. It comes again while the view is shown.
async function load() {
  if (byId('view-home').hidden) return
  drawRequests()
  const [test, live, queues] = await Promise.all(['data/batches?environment=test', 'data/batches?environment=live', 'data/queues'].map((path) => read(path).catch(() => null)))
  if (queues) {
    depths.push(queues.reduce((sum, queue) => sum + queue.waiting + queue.inFlight, 0))
    if (depths.length > samples) depths.shift()
    drawQueues(queues)
  }
  if (test && live) drawOutcomes([...test.batches, ...live.batches].filter(({ createdAt }) => new Date(createdAt).toDateString() === new Date().toDateString()))
  clearTimeout(next) // that of a view that was left and opened again
  next = setTimeout(load, 5000)
}

function drawRequests() {
  timer = null
  const times = requests.map(({ ms }) => ms).sort((a, b) => a - b)
  const quantile = (q) => (times.length ? `${times[Math.min(times.length - 1, Math.floor(q * times.length))]} ms` : '–')
  const failed = requests.filter(({ status }) => status >= 400).length
  const groups = byMinute()
  byId('home-requests').replaceChildren(
    figures(['requests', requests.length], ['with an error', failed, 'bad'], ['last minute', groups.at(-1).length]),
    bars(groups.map((group) => group.length), `Requests a minute, the last ${minutes} minutes`))
  byId('home-latency').replaceChildren(
    figures(['p50', quantile(0.5)], ['p95', quantile(0.95)]),
    bars(groups.map((group) => Math.max(0, ...group.map(({ ms }) => ms))), `Slowest request of each minute, the last ${minutes} minutes`, ' ms'))
}

// byMinute returns the requests of each of the last minutes.
function byMinute() {
  const now = Date.now()
  const groups = Array.from({ length: minutes }, () => [])
  for (const request of requests) groups[minutes - 1 - Math.floor(Math.max(0, now - request.at) / 60_000)]?.push(request)
  return groups
}

function drawOutcomes(batches) {
  const count = (status) => batches.reduce((sum, { counts }) => sum + counts[status], 0)
  const all = ['succeeded', 'failed', 'deduplicated', 'queued', 'processing'].map((status) => [status, count(status)])
  const most = Math.max(1, ...all.map(([, n]) => n))
  byId('home-outcomes').replaceChildren(make('dl', { class: 'shares' }, all.map(([status, n]) => make('div', {}, make('dt', {}, status),
    make('dd', {}, make('span', {}, String(n)), chart(100, 8, `${status}: ${n}`, [svg('rect', { x: 0, y: 0, width: (100 * n) / most, height: 8, class: `mark ${status}` })]))))))
}

function drawQueues(queues) {
  const dead = queues.reduce((sum, queue) => sum + queue.dead, 0)
  byId('home-queues').replaceChildren(
    figures(['in queues', depths.at(-1)], ['dead', dead, 'bad']),
    bars([...Array(samples - depths.length).fill(0), ...depths], 'Messages in queues, since this view was opened'))
}

function figures(...all) {
  return make('dl', { class: 'figures' }, all.map(([name, value, tone]) => make('div', { class: 'figure' }, make('dt', {}, name), make('dd', { class: value ? tone : '' }, String(value)))))
}

function svg(name, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children)
  return element
}

const chart = (width, height, title, marks) => svg('svg', { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': title, class: 'chart' }, ...marks)

// bars returns a chart with a bar for each value, and its title with the highest one.
function bars(values, title, unit = '') {
  const highest = Math.max(...values)
  const width = 300 / values.length
  const marks = values.map((value, i) => {
    const height = highest ? Math.max(value ? 2 : 0, (60 * value) / highest) : 0
    return svg('rect', { x: i * width + 0.5, y: 60 - height, width: width - 1, height, rx: 1, class: 'mark' })
  })
  const base = svg('line', { x1: 0, y1: 60, x2: 300, y2: 60, class: 'base' })
  return make('figure', {}, chart(300, 61, `${title}, at most ${highest}${unit}`, [...marks, base]), make('figcaption', { class: 'dim' }, `${title} (at most ${highest}${unit})`))
}
