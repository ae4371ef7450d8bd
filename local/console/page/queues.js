// Queues and their dead letters.
import { byId, make, problem, sure, time } from './dom.js'
import { change, read } from './server.js'

let shown = '' // the queue whose letters are shown
let timer

export function startQueues() {
  byId('send-example').addEventListener('click', () => attempt(() => change('letters/example')))
  sure(byId('redrive'), 'Send all again?', () => attempt(async () => {
    await change('letters/redrive', { queue: shown })
    await showLetters(shown)
  }))
  return load
}

// attempt does something and shows its error.
async function attempt(act) {
  try {
    await act()
    await load()
  } catch (error) {
    byId('letters').hidden = false
    byId('letters-list').replaceChildren(problem(error.message))
  }
}

async function load() {
  clearTimeout(timer)
  if (byId('view-queues').hidden) return
  try {
    const queues = await read('data/queues')
    byId('queues').replaceChildren(...queues.map(card))
    const dead = queues.reduce((sum, queue) => sum + queue.dead, 0)
    byId('badge-queues').hidden = dead === 0
    byId('badge-queues').textContent = dead
  } catch (error) {
    byId('queues').replaceChildren(problem(error.message))
  }
  timer = setTimeout(load, 2000)
}

function card(queue) {
  const figure = (name, n, tone) => make('div', { class: 'figure' }, make('dt', {}, name), make('dd', { class: n && tone }, String(n)))
  const button = make('button', { type: 'button', class: 'small', disabled: queue.dead === 0, onclick: () => attempt(() => showLetters(queue.name)) }, 'Show dead letters')
  return make('article', { class: 'card queue', 'data-queue': queue.name },
    make('h2', {}, queue.name), make('p', { class: 'dim' }, queue.purpose),
    make('dl', { class: 'figures' }, figure('waiting', queue.waiting), figure('in work', queue.inFlight, 'busy'), figure('dead', queue.dead, 'bad')), button)
}

async function showLetters(queue) {
  const letters = await change('letters/list', { queue })
  shown = queue
  byId('letters').hidden = false
  byId('letters-title').textContent = `Dead letters of ${queue}`
  byId('redrive').hidden = letters.length === 0
  byId('letters-list').replaceChildren(...(letters.length ? letters.map(letterRow) : [make('p', { class: 'empty' }, 'No dead letters.')]))
}

function letterRow(letter) {
  return make('details', { 'data-letter': letter.id },
    make('summary', { class: 'row letter' },
      make('span', { class: 'dim when' }, time(letter.sentAt)), make('span', { class: 'reason' }, letter.reason),
      make('span', { class: 'dim' }, letter.receives === '1' ? 'received once' : `received ${letter.receives} times`)),
    make('div', { class: 'inside' }, make('div', { class: 'spread' }, make('code', { class: 'dim' }, letter.id), make('div', { class: 'tags' }, letterButtons(letter))), make('pre', { tabindex: '0' }, letter.body)))
}

// letterButtons return the buttons that settle one letter.
function letterButtons(letter) {
  const settle = (path) => attempt(async () => {
    await change(path, { queue: shown, id: letter.id })
    await showLetters(shown)
  })
  const remove = make('button', { type: 'button', class: 'small danger' }, 'Remove')
  sure(remove, 'Remove for good?', () => settle('letters/remove'))
  return [make('button', { type: 'button', class: 'small', onclick: () => settle('letters/redrive') }, 'Send again'), remove]
}
