// What happened to members after the submissions that made them ended, as the agency's feed of changes has it.
import { read } from './server.js'

const feeds = new Map() // agency and environment → {next, members: candidateUserId → changes}

const titles = {
  'candidate.preferences_changed': 'preferences changed', 'candidate.market_changed': 'market state changed',
  'candidate.fast_track_changed': 'fast-track changed', 'candidate.removed': 'erased from the talent network',
}

// readChanges reads what an agency's feed has since the last reading.
export async function readChanges(agency, environment) {
  const query = `agency=${agency}&environment=${environment}`
  const feed = feeds.get(query) ?? { next: '', members: new Map() }
  feeds.set(query, feed)
  for (let more = true; more;) {
    const asked = feed.next
    const page = await read(`data/changes?${query}&after=${encodeURIComponent(asked)}`)
    if (feed.next !== asked) return // another reading was first
    for (const change of page.changes) add(feed.members, change)
    feed.next = page.next
    more = page.more
  }
}

function add(members, { type, at, candidateUserId, status }) {
  const all = members.get(candidateUserId) ?? []
  all.push({ at: new Date(at).toISOString(), what: titles[type] ?? type, status })
  members.set(candidateUserId, all)
}

// changesAfter returns the changes of an item's member after the item ended: {at, what, status}.
export function changesAfter(item, agency, environment) {
  const all = feeds.get(`agency=${agency}&environment=${environment}`)?.members.get(item.candidateUserId) ?? []
  return all.filter(({ at }) => Date.parse(at) > Date.parse(item.updatedAt))
}
