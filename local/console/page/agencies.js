// The agencies of the system, and whose each key is: by them rows are told apart and filtered.
import { make } from './dom.js'
import { read } from './server.js'

let agencies = [] // {id, name}
let keys = new Map() // key id → {agencyId, last4, …}
const unknown = new Set() // ids of keys that no list had, or that are being asked for
let reading = null // the list of keys that is being read
const followers = []

export const agencyName = (id) => agencies.find((agency) => agency.id === id)?.name ?? id ?? ''

// agencyOfKey returns the id of the agency whose data a key reads, or '' if the key is not known.
export const agencyOfKey = (id) => keys.get(id)?.agencyId ?? ''

export const keyNamed = (id) => keys.get(id)

// onAgencies calls a function whenever keys are known better.
export const onAgencies = (follower) => followers.push(follower)

// startAgencies fills in each choice of an agency, and reads whose the keys are.
export function startAgencies(from) {
  agencies = from
  for (const select of document.querySelectorAll('select.agency')) select.append(...agencies.map(({ id, name }) => make('option', { value: id }, name)))
  loadAgencies()
}

// loadAgencies reads whose the keys are.
export function loadAgencies() {
  reading = readKeys()
  return reading
}

// readKeys reads the keys. If that fails, what was known still holds.
async function readKeys() {
  const all = await read('data/keys').catch(() => null)
  if (!all) {
    unknown.clear()
    return
  }
  keys = new Map(all.map((key) => [key.id, key]))
  followers.forEach((follower) => follower())
}

// meetKey makes sure that it is known whose a key is. One that no list has is asked for once: the list that is being
// read may have it, and one list is read for all keys that it has not.
export async function meetKey(id) {
  if (!id || keys.has(id) || unknown.has(id)) return
  unknown.add(id)
  const read = reading
  await read
  if (!keys.has(id) && reading === read) await loadAgencies()
}
