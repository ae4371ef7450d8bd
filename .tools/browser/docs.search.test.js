// The search of the reference page, in Chromium.
'use strict'
const assert = require('node:assert/strict')
const { before, test } = require('node:test')
const { checkAccess, checkWidth, openPage } = require('./browser')

let page
before(async () => { page = await openPage(`${process.env.BASE_URL}/docs/crm`) })

// find returns the results as texts and as the ids to which they lead.
async function find(words) {
  await page.locator('#search').fill(words)
  await page.locator('#results > *').first().waitFor()
  return page.locator('#results a').evaluateAll((all) => all.map((a) => ({ id: decodeURIComponent(a.hash.slice(1)), path: a.pathname, text: a.textContent })))
}

for (const [words, first] of [
  ['429', 'rate-limits'],
  ['rate limit', 'rate-limits'],
  ['webhook', 'listChanges'],
  ['pagination cursor', 'pagination'],
  ['errors details', 'errors'],
  ['sandbox crash', 'sandbox-in-sandbox-crash'],
  ['sandbox-crash', 'sandbox-in-sandbox-crash'],
  ['nesting depth', 'limits-json-nesting-depth'],
  ['six bytes not a document', 'sandbox-resume.contentbase64-aaecawqf-six-bytes-that-are-not-a-document'],
  ['on-target earnings', 'submitCandidate-request-preferences.ote'],
  ['upload resume', 'uploadResume'],
  ['cv', 'uploadResume'],
  ['POST /resumes', 'uploadResume'],
  ['recruiter_not_found', 'item-errors-recruiter_not_found'],
  // Misspelt.
  ['idempotancy', 'idempotency'],
  ['webhok', 'listChanges'],
  ['submit candidtae', 'submitCandidate'],
]) {
  test(`"${words}" finds ${first}`, async () => {
    const found = await find(words)
    assert.equal(found[0]?.id, first, JSON.stringify(found.slice(0, 4)))
  })
}

test('every way to see a 429 is found', async () => {
  const ids = (await find('429')).map(({ id }) => id)
  for (const id of ['rate-limits', 'errors-429', 'error-codes-rate_limited', 'error-codes-ip_throttled']) assert.ok(ids.includes(id), `${id} is not in ${ids}`)
})

test('a field of an endpoint is one result', async () => {
  const found = await find('salaryMin')
  assert.equal(new Set(found.map(({ text }) => text)).size, found.length, JSON.stringify(found))
  const endpoints = found.filter(({ id }) => id.includes('-re')).map(({ id }) => id.split('-')[0])
  assert.deepEqual(endpoints, [...new Set(endpoints)])
  assert.ok(endpoints.includes('putPreferences') && endpoints.includes('submitCandidate'))
})

test('titles of endpoints come before fields, fields before sections, sections before text', async () => {
  const kinds = (await find('resume')).map(({ id }) => (/-(request|response)-/.test(id) ? 1 : /^[a-z]+[A-Z]\w+$/.test(id) ? 0 : 2))
  assert.deepEqual(kinds, kinds.toSorted())
  assert.equal(kinds[0], 0)
})

test('a result of a text shows where the words are', async () => {
  const [first] = await find('byte for byte')
  assert.equal(first.id, 'idempotency')
  assert.match(first.text, /byte for byte/)
})

test('each result can be reached and leads to something', async () => {
  const texts = {}
  for (const words of ['candidate', 'status', '400', 'europe', 'key']) {
    for (const { id, path } of await find(words)) {
      texts[path] ??= await (await fetch(new URL(path, process.env.BASE_URL))).text()
      assert.ok(texts[path].includes(` id="${id}"`), `${words}: ${path}#${id}`)
    }
  }
})

test('what was understood of a misspelt word is shown, and results fit a telephone', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await find('idempotancy')
  await page.getByText('Results for “idempotency”').waitFor()
  await checkWidth(page)
  await checkAccess(page, ['aria-required-children', 'aria-required-parent', 'color-contrast'])
  assert.deepEqual(page.complaints, [])
})
