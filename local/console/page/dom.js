// Elements are made from values and never from markup: every text becomes a text node, so nothing
// that a candidate, a key or a path is called can be more than text.

// make returns an element with attributes and children. `on…` attributes are listeners, a value of
// false or null leaves an attribute out.
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value)
    else if (value !== false && value != null) element.setAttribute(key, value === true ? '' : value)
  }
  element.append(...children.flat().filter((child) => child != null && child !== false))
  return element
}

export const byId = (id) => document.getElementById(id)

// pill returns a status in its colour.
export function pill(status) {
  return make('span', { class: `pill ${tones[status] ?? ''}` }, status)
}

const tones = {
  refused: 'bad', queued: 'calm', processing: 'busy', succeeded: 'good', failed: 'bad', deduplicated: 'twin',
  active: 'good', revoked: 'bad', expired: 'calm', disabled: 'calm',
}

export const toneOf = (code) => (code >= 500 ? 'bad' : code >= 400 ? 'warn' : code >= 200 ? 'good' : 'calm')

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })

// time returns a moment to the second today, and its day otherwise.
export function time(at) {
  if (!at) return '–'
  const moment = new Date(at)
  const today = new Date().toDateString() === moment.toDateString()
  return make('time', { datetime: moment.toISOString(), title: moment.toISOString() }, today ? clock.format(moment) : day.format(moment))
}

export const bytes = (n) => (n < 1024 ? `${n} B` : n < 1 << 20 ? `${(n / 1024).toFixed(1)} kB` : `${(n / (1 << 20)).toFixed(1)} MB`)

// copyButton returns a button that copies a text.
export function copyButton(text, label = 'Copy') {
  const button = make('button', { type: 'button', class: 'small' }, label)
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text)
    button.textContent = 'Copied'
    setTimeout(() => { button.textContent = label }, 1500)
  })
  return button
}

// sure makes a button ask once more before it acts. The question ends when the button loses the focus.
export function sure(button, question, act) {
  const label = button.textContent
  const takeBack = () => {
    delete button.dataset.asked
    button.textContent = label
  }
  button.addEventListener('blur', takeBack)
  button.addEventListener('click', (event) => {
    event.preventDefault()
    if (button.dataset.asked) {
      takeBack()
      act()
      return
    }
    button.dataset.asked = 'yes'
    button.textContent = question
    button.focus() // Safari does not focus a button that is clicked
  })
}

// isAsking reports whether a button in an element asks whether to act. The element stays as it is until then.
export const isAsking = (element) => element.querySelector('[data-asked]') !== null

export const problem = (message) => make('p', { class: 'problem', role: 'alert' }, message)
