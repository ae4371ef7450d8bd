// Notices of submissions of this page that ended while the reader was elsewhere: a message each, until it is
// dismissed or the reader comes back, and their number in the title.
import { byId, make, pill } from './dom.js'

let title = ''

export function startNotices() {
  document.addEventListener('visibilitychange', clearSeen)
}

// setTitle sets the title of the page, in front of which the number of notices is.
export function setTitle(text) {
  title = text
  drawTitle()
}

function drawTitle() {
  const count = byId('notices').children.length
  document.title = count ? `(${count}) ${title}` : title
}

const isSeen = () => !byId('view-submit').hidden && !document.hidden

// notify adds a notice, unless the reader sees the outcome.
export function notify(label, status, link) {
  if (isSeen()) return
  const notice = make('article', { class: 'toast', 'data-status': status },
    make('b', {}, label), pill(status), make('a', { href: link, onclick: () => remove(notice) }, 'See batch'),
    make('button', { type: 'button', class: 'small', 'aria-label': `Dismiss: ${label} ${status}`, onclick: () => { remove(notice); byId('main').focus({ preventScroll: true }) } }, '×'))
  byId('notices').prepend(notice)
  drawTitle()
}

function remove(notice) {
  notice.remove()
  drawTitle()
}

// clearSeen removes the notices when the reader sees the outcomes.
export function clearSeen() {
  if (!isSeen()) return
  byId('notices').replaceChildren()
  drawTitle()
}
