// What the reference says of the sandbox happens.
'use strict'
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { setTimeout: pause } = require('node:timers/promises')
const { openPage } = require('./browser')

const { BASE_URL, AGENCY_KEY } = process.env

async function call(path, body, headers = {}) {
  const request = { headers: { Authorization: `Bearer ${AGENCY_KEY}`, 'Content-Type': 'application/json', ...headers } }
  const response = await fetch(BASE_URL + path, body ? { ...request, method: 'POST', body: JSON.stringify(body) } : request)
  return { status: response.status, headers: response.headers, body: await response.json() }
}

// submit returns the outcome of an item: its status, and its error code if it has one.
async function submit(body) {
  const accepted = await call('/talent-network/candidates/submit', body)
  assert.equal(accepted.status, 200, JSON.stringify(accepted.body))
  for (;;) {
    const [item] = (await call(`/talent-network/batches/${accepted.body.batchId}`)).body.items
    if (!['queued', 'processing'].includes(item.status)) return [item.status, item.errorCode].filter(Boolean)
    await pause(1000)
  }
}

test('each outcome of the sandbox is as the page says', { timeout: 300_000 }, async () => {
  const page = await openPage(`${BASE_URL}/docs`)
  const section = page.locator('section:has(> #sandbox)')
  const smallest = JSON.parse(await section.locator('pre').textContent())
  const rows = await section.locator('tbody tr').evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => ({
    text: cell.textContent, codes: [...cell.querySelectorAll('code')].map((code) => code.textContent),
  }))))
  let person = 0
  const someone = () => ({ ...smallest, email: `sandbox-${++person}@example.com`, linkedinUrl: `https://www.linkedin.com/in/sandbox-person-${person}` })
  await Promise.all(rows.map(async ([when, then]) => {
    const slug = when.codes[0]?.match(/^…(\/in\/sandbox-.*)$/)
    if (slug || when.text === 'any other') {
      const body = slug ? { ...someone(), linkedinUrl: `https://www.linkedin.com${slug[1]}` } : someone()
      const outcome = await submit(body)
      assert.ok(outcome.every((code) => then.codes.includes(code)), `${when.text}: ${outcome}`)
    } else if (when.text.includes('contentBase64') || when.text.startsWith('a resume')) {
      assert.deepEqual(await submit({ ...someone(), resume: { contentBase64: when.codes.at(-1) } }), then.codes)
    } else if (when.text.includes('without Idempotency-Key')) {
      const body = { ...someone(), linkedinUrl: 'https://www.linkedin.com/in/sandbox-slow' }
      const answers = [await call('/talent-network/candidates/submit', body), await call('/talent-network/candidates/submit', body)]
      assert.deepEqual(answers.map((answer) => answer.body.deduplicated), [false, true])
    } else if (when.text.includes('Idempotency-Key')) {
      const body = someone(), key = { 'Idempotency-Key': 'sandbox-1' }
      const answers = [await call('/talent-network/candidates/submit', body, key), await call('/talent-network/candidates/submit', body, key)]
      assert.deepEqual(answers[1].body, answers[0].body)
      assert.equal(answers[1].headers.get('idempotent-replayed'), 'true')
    } else {
      const body = someone()
      body.preferences = { ...body.preferences, salaryMin: 0 }
      const answer = await call('/talent-network/candidates/submit', body)
      assert.deepEqual([String(answer.status), answer.body.error.code], ['400', then.codes[0]])
    }
  }))
  assert.equal(rows.length, 11)
})
