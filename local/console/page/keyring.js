// The keys whose secret this tab knows: those of the run, which each page asks for, and those that were
// created or pasted here, which the tab keeps until it is closed (sessionStorage). No secret is stored elsewhere.
import { change } from './server.js'

const stored = 'console-keys'
const known = [] // {id, name, type, environment, agencyId, secret}
let chosen = null
const followers = []

// chosenKey returns the key with which the page submits, or null.
export const chosenKey = () => chosen

// keyOfType returns a key of a type, for requests of the page's own: the chosen one, or the run's.
export const keyOfType = (type) => (chosen?.type === type ? chosen : known.find((key) => key.type === type))

// onKeys calls a function whenever the known keys change.
export function onKeys(follower) { followers.push(follower) }

export const knownKeys = () => known

export function chooseKey(key) {
  chosen = key
  sessionStorage.setItem(stored, JSON.stringify({ keys: known.filter((k) => !k.isOfRun), chosen: chosen?.secret.slice(-4) }))
  followers.forEach((follower) => follower())
}

// loadKeys asks for the keys of the run and adds those that this tab knew before a reload.
export async function loadKeys() {
  const before = JSON.parse(sessionStorage.getItem(stored) ?? '{"keys":[]}')
  const ofRun = await change('keys/run').catch(() => [])
  known.push(...ofRun.map((key) => ({ ...key, name: 'local', isOfRun: true })), ...before.keys)
  const agency = known.filter((key) => key.type === 'agency')
  chooseKey(agency.find((key) => key.secret.endsWith(before.chosen)) ?? agency[0] ?? null)
}

// addKey makes the page know a key, and chooses it if it can submit.
function addKey(key) {
  known.push(key)
  chooseKey(key.type === 'agency' ? key : chosen)
}

export async function createKey(name, type, environment, agencyId) {
  const made = await change('keys/create', { name, type, environment, agencyId })
  addKey({ id: made.key.id, name, type, environment, agencyId, secret: made.secret })
  return made
}

// pasteKey asks the API whose a key is, and adds it. It throws if the API does not accept it.
export async function pasteKey(secret, baseUrl) {
  const response = await fetch(`${baseUrl}/identity`, { headers: { Authorization: `Bearer ${encodeURIComponent(secret)}` } })
  const identity = await response.json()
  if (!response.ok) throw new Error(`${response.status} ${identity.error.message}`)
  if (known.some((key) => key.secret === secret)) return
  const isAgency = identity.principal === 'agency'
  addKey({
    id: identity.key.id, name: identity.key.name, type: isAgency ? 'agency' : 'personal', environment: identity.environment,
    agencyId: isAgency ? identity.agency.id : identity.recruiter.agencyId, secret,
  })
}
