// What was read from the resumes and profiles of members.
import { read } from './server.js'

const known = new Map() // submission → facts of its member; null if that has a newer submission

// readFacts reads the facts of the members of items that have one, once each, and later those that cannot be read now.
export async function readFacts(items, environment) {
  const unread = items.filter((item) => item.candidateUserId && !known.has(item.submissionId))
  await Promise.all(unread.map(async ({ candidateUserId, submissionId }) => {
    const facts = await read(`data/people/${encodeURIComponent(candidateUserId)}?environment=${environment}`).catch(() => null)
    if (facts) known.set(submissionId, facts.submissionId === submissionId ? facts : null)
  }))
}

// describeFacts returns in one line what was read with an item; '' if that is not known.
export function describeFacts({ submissionId }) {
  const facts = known.get(submissionId)
  if (!facts) return ''
  const { name, title, company, location, years, skills, languages } = facts
  return [
    name, [title, company].filter(Boolean).join(', '), location, years > 0 && `${years} years of experience`,
    count(skills, 'skill'), count(languages, 'language'),
  ].filter(Boolean).join(' · ')
}

// count returns how many there are, and the first of them.
function count(all, noun) {
  if (!all.length) return ''
  const rest = all.length > 5 ? ', …' : ''
  return `${all.length} ${noun}${all.length === 1 ? '' : 's'} (${all.slice(0, 5).join(', ')}${rest})`
}
