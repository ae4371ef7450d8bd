// Keys: the list, creation and revocation. keyring.js has the secrets that the page knows.
import { agencyName, loadAgencies } from './agencies.js'
import { byId, copyButton, isAsking, make, pill, problem, sure, time } from './dom.js'
import { createKey } from './keyring.js'
import { change, read } from './server.js'

export function startKeys() {
  byId('create-type').addEventListener('input', ({ target }) => { // personal keys are those of one recruiter
    const agency = byId('create-agency')
    agency.disabled = target.value === 'personal'
    if (agency.disabled) agency.selectedIndex = 0
  })
  byId('create-key').addEventListener('submit', async (event) => {
    event.preventDefault()
    const to = byId('created')
    try {
      const made = await createKey(byId('create-name').value, byId('create-type').value, byId('create-environment').value, byId('create-agency').value)
      to.replaceChildren(secretNote(made.secret))
      await Promise.all([list(), loadAgencies()])
    } catch (error) {
      to.replaceChildren(problem(error.message))
    }
  })
  return () => { byId('created').replaceChildren(); return list() }
}

function secretNote(secret) {
  return make('div', { class: 'secret' },
    make('p', {}, make('b', {}, 'Copy the key now: it is shown only once. '), 'This tab uses it until it is closed.'),
    make('div', { class: 'spread' }, make('code', { id: 'secret' }, secret), copyButton(secret)))
}

async function list() {
  const to = byId('keys')
  try {
    const all = await read('data/keys')
    if (!isAsking(to)) to.replaceChildren(...all.map(row))
  } catch (error) {
    to.replaceChildren(problem(error.message))
  }
}

function row(key) {
  const revoke = make('button', { type: 'button', class: 'small danger' }, 'Revoke')
  sure(revoke, 'Revoke now?', async () => {
    try {
      await change('keys/revoke', { type: key.type, id: key.id, agencyId: key.agencyId })
      await list()
    } catch (error) {
      revoke.after(problem(error.message))
    }
  })
  return make('div', { class: 'row key', 'data-key': key.id },
    make('div', { class: 'what' }, make('b', {}, key.name), make('span', { class: 'dim' }, `…${key.last4}`)),
    make('span', { class: 'tags' }, make('span', { class: 'tag' }, agencyName(key.agencyId)), make('span', { class: 'tag' }, key.type), make('span', { class: 'tag' }, key.environment)),
    pill(key.status),
    make('span', { class: 'dim when' }, 'used ', time(key.lastUsedAt)),
    make('code', { class: 'dim id' }, key.id),
    make('span', { class: 'end' }, key.status === 'active' && revoke))
}
