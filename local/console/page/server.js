// Requests to the console and its live events. A change carries the token of the process, which only
// this page has.
const token = document.querySelector('meta[name=console-token]').content

export async function read(path) {
  return answerOf(await fetch(`/console/${path}`))
}

export async function change(path, body = {}) {
  return answerOf(await fetch(`/console/${path}`, {
    method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Console-Token': token }, body: JSON.stringify(body),
  }))
}

async function answerOf(response) {
  const text = await response.text()
  const isJSON = (response.headers.get('Content-Type') ?? '').startsWith('application/json')
  if (!response.ok) throw new Error(isJSON ? JSON.parse(text).message : text.trim())
  return JSON.parse(text)
}

const timeout = 60_000 // milliseconds; the API answers within 30 s

// call sends a request to the API as any client does, and returns its status, id and body. The body of a refusal has
// the API's error; the local gateway, which refuses what reaches no function, answers a message alone. Without an
// answer the status is 0, and the error says why.
export async function call(url, key, request) {
  return ask(url, key, request).catch((error) => ({ status: 0, requestId: null, body: { error } }))
}

async function ask(url, key, { method = 'GET', body, headers = {} } = {}) {
  const response = await fetch(url, {
    method, body: body && JSON.stringify(body), signal: AbortSignal.timeout(timeout),
    headers: { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }), ...headers },
  })
  const text = await response.text()
  const parsed = text.startsWith('{') ? JSON.parse(text) : { message: text }
  return { status: response.status, requestId: response.headers.get('X-Request-Id'), body: response.ok || parsed.error ? parsed : { error: parsed } }
}

// describeRefusal returns the error of an answer as a text.
export function describeRefusal({ status, body: { error } }) {
  const { formErrors = [], fieldErrors = {} } = error.details ?? {}
  const parts = [error.code ?? '', error.message, ...formErrors, ...Object.values(fieldErrors).flat()].filter(Boolean).join(' · ')
  return `${status || 'The API did not answer:'} ${parts}`
}

const listeners = { request: [], attempt: [], redelivery: [], state: [] }

// listen calls a function with each event of a kind; `state` is true while the page is connected.
export function listen(kind, listener) { listeners[kind].push(listener) }

const tell = (kind, value) => listeners[kind].forEach((listener) => listener(value))

export function connect() {
  const events = new EventSource('/console/events')
  for (const kind of ['request', 'attempt', 'redelivery']) {
    events.addEventListener(kind, (event) => tell(kind, { ...JSON.parse(event.data), number: Number(event.lastEventId) }))
  }
  events.addEventListener('open', () => tell('state', true))
  events.addEventListener('error', () => {
    tell('state', false)
    if (events.readyState === EventSource.CLOSED) setTimeout(connect, 2000)
  })
}
