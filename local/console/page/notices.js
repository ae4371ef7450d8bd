// Notices of submissions of this page that ended while the reader was elsewhere: a message each, until it is
// dismissed or the reader comes back, and their number in the title.
import { byId, make, pill } from './dom.js'

let title = ''

export function startNotices() {
  document.addEventListener('visibilitychange', clearSeen)
}

// setTitle sets the title of the page, preceded by the number of notices.
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
    make('b', {}, label), pill(status), make('a', { href: link, onclick: () => dismiss(notice) }, 'See batch'),
    make('button', { type: 'button', class: 'small', 'aria-label': `Dismiss: ${label} ${status}`, onclick: () => dismiss(notice) }, '×'))
  byId('notices').prepend(notice)
  drawTitle()
}

// dismiss removes a notice, which may have the focus.
function dismiss(notice) {
  notice.remove()
  byId('main').focus({ preventScroll: true })
  drawTitle()
}

// clearSeen removes the notices when the reader sees the outcomes.
export function clearSeen() {
  if (!isSeen()) return
  byId('notices').replaceChildren()
  drawTitle()
}
