// The page's frame: views by the address's fragment, theme, connection, counts.
import { startAgencies } from './agencies.js'
import { byId } from './dom.js'
import { startData } from './data.js'
import { startHome } from './home.js'
import { connect, listen, read } from './server.js'
import { startBatches } from './batches.js'
import { loadKeys } from './keyring.js'
import { startKeys } from './keys.js'
import { clearSeen, setTitle, startNotices } from './notices.js'
import { startQueues } from './queues.js'
import { startRequests } from './requests.js'
import { startReset } from './reset.js'
import { startSubmit } from './submit.js'

const views = [...document.querySelectorAll('[data-view]')]
const shown = {}

// show shows the view that the fragment names, and lets it load.
function show() {
  const wanted = location.hash.slice(1).split('/')[0]
  const view = views.find((v) => v.dataset.view === wanted) ?? views[0]
  for (const v of views) v.hidden = v !== view
  for (const link of document.querySelectorAll('.side a')) {
    if (link.hash !== `#${view.dataset.view}`) link.removeAttribute('aria-current')
    else {
      link.setAttribute('aria-current', 'page')
      link.scrollIntoView({ block: 'nearest', inline: 'center' })
    }
  }
  setTitle(`${view.querySelector('h1').textContent} · Local console`)
  clearSeen()
  shown[view.dataset.view]?.()
}

const themes = ['system', 'light', 'dark']

function setTheme(theme) {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  byId('theme').textContent = `${theme[0].toUpperCase()}${theme.slice(1)} theme`
  localStorage.setItem('console-theme', theme)
}

byId('theme').addEventListener('click', () => {
  setTheme(themes[(themes.indexOf(localStorage.getItem('console-theme') ?? 'system') + 1) % themes.length])
})
setTheme(localStorage.getItem('console-theme') ?? 'system')

listen('state', (isOpen) => {
  byId('live').textContent = isOpen ? 'live' : 'reconnecting'
  byId('live').dataset.open = isOpen
})

const [start] = await Promise.all([read('data/start'), loadKeys()])
startAgencies(start.agencies)
startNotices()
byId('base').textContent = start.baseUrl
byId('address').addEventListener('click', async () => {
  await navigator.clipboard.writeText(start.baseUrl)
  const copied = byId('address').querySelector('.copied')
  copied.textContent = 'copied'
  setTimeout(() => { copied.textContent = '' }, 1500)
})
shown.home = startHome()
shown.data = startData(start.baseUrl)
shown.keys = startKeys()
shown.batches = startBatches()
shown.queues = startQueues()
shown.requests = startRequests(start.baseUrl)
startReset()
startSubmit(start)
window.addEventListener('hashchange', () => { show(); byId('main').focus({ preventScroll: true }); window.scrollTo(0, 0) })
show()
connect()
