// The forms of the reference that send requests, in Chromium.
'use strict'
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { checkAccess, checkWidth, openPage } = require('./browser')

const { AGENCY_KEY, BASE_URL, MEMBER_EMAIL } = process.env
const docs = `${BASE_URL}/docs`

// openForm opens the form of an operation, with a key if one is given.
async function openForm(page, operation, key) {
  const article = page.locator(`#${operation}`)
  await article.getByRole('button', { name: 'Try it' }).click()
  const form = article.locator('form')
  if (key) await form.locator('input[type=password]').fill(key)
  return form
}

// send presses Send and returns the answer that is shown.
async function send(form) {
  await form.locator('.answer').evaluate((answer) => answer.replaceChildren())
  await form.getByRole('button', { name: 'Send' }).click()
  await form.locator('.status').waitFor()
  return form.locator('.answer')
}

const status = async (answer) => Number((await answer.locator('.status').textContent()).split(' ')[0])

// watch returns the requests that the page sends to the API, as they come.
function watch(page) {
  const sent = []
  page.on('request', (request) => request.url().startsWith(BASE_URL) && !request.url().startsWith(docs) && sent.push(request))
  return sent
}

test('a submission is sent with the key of this system, and its batch is read', async () => {
  const page = await openPage(`${docs}/submissions`)
  const sent = watch(page)
  const form = await openForm(page, 'submitCandidate')
  await form.getByRole('button', { name: 'Use the key of this system' }).click()
  await form.getByText('The key of this system is used.').waitFor()
  await form.getByRole('button', { name: 'profile not found' }).click()
  const answer = await send(form)
  assert.equal(await status(answer), 200)
  assert.match(await answer.textContent(), /X-RateLimit-Limit60X-RateLimit-Remaining\d+X-RateLimit-Reset\d+Idempotency-Keytry-\w+ \(sent\)X-Request-Id/)
  assert.equal(JSON.parse(await answer.locator('pre').textContent()).accepted, true)
  assert.match(sent[0].postDataJSON().linkedinUrl, /sandbox-not-found$/)
  // The form of the batch has its id, and leads to the cause of the failure.
  await answer.getByRole('button', { name: 'Read the batch' }).click()
  const batch = page.locator('#getBatch form')
  for (;;) {
    await batch.locator('.status').waitFor()
    const read = JSON.parse(await batch.locator('pre').textContent())
    if (read.items[0].status === 'failed') break
    await send(batch)
  }
  assert.equal(await batch.locator('.advice a').getAttribute('href'), `${new URL(docs).pathname}#item-errors-linkedin_profile_not_found`)
  assert.deepEqual(page.complaints, [])
})

test('each send of a submission has an Idempotency-Key of its own', async () => {
  const page = await openPage(`${docs}/submissions`)
  const sent = watch(page)
  const form = await openForm(page, 'submitCandidate', AGENCY_KEY)
  await send(form)
  await send(form)
  const keys = sent.map((request) => request.headers()['idempotency-key'])
  assert.equal(new Set(keys).size, 2, `${keys}`)
  assert.ok(keys.every((key) => /^try-[0-9a-f]{24}$/.test(key)))
})

test('a key stays in its tab, and out of addresses', async () => {
  const page = await openPage(`${docs}/network`)
  const sent = watch(page)
  const logged = []
  page.on('console', (message) => logged.push(message.text()))
  await send(await openForm(page, 'listCandidates', AGENCY_KEY))
  assert.equal(sent[0].headers().authorization, `Bearer ${AGENCY_KEY}`)
  assert.equal(new URL(sent[0].url()).search, '?status=on_market&limit=50')
  const kept = await page.evaluate(() => [JSON.stringify(localStorage), document.cookie, location.href].join())
  assert.ok(!kept.includes(AGENCY_KEY) && !`${logged}`.includes(AGENCY_KEY))
  // Other pages of the tab know it, other tabs do not.
  await page.goto(`${docs}/platform`)
  assert.equal(await (await openForm(page, 'listMembers')).locator('input[type=password]').inputValue(), AGENCY_KEY)
  const other = await page.context().newPage()
  await other.goto(`${docs}/platform`)
  assert.equal(await (await openForm(other, 'listMembers')).locator('input[type=password]').inputValue(), '')
})

test('an error is shown with what to do', async () => {
  const page = await openPage(`${docs}/network`)
  const form = await openForm(page, 'putPreferences', AGENCY_KEY)
  await form.locator('textarea').fill('{"salaryMin": 0}')
  const answer = await send(form)
  assert.equal(await status(answer), 400)
  const link = answer.locator('.advice a')
  assert.equal(await link.getAttribute('href'), `${new URL(docs).pathname}#error-codes-validation_failed`)
  assert.match(await answer.locator('.advice').textContent(), /^validation_failed \S.{10,}/)
  await form.locator('input[type=password]').fill('rmk_test_wrong')
  const refused = await send(form)
  assert.equal(await status(refused), 401)
  assert.match(await refused.locator('.advice').textContent(), /^invalid_api_key: what to do/)
  // The browser reports 4xx on its console.
  assert.deepEqual(page.complaints.filter((what) => !/status of 40[01]/.test(what)), [])
})

test('a change with a key that is not of the sandbox is asked about first', async () => {
  const page = await openPage(`${docs}/network`)
  const sent = watch(page)
  const asked = []
  const form = await openForm(page, 'offMarket', 'rmk_live_wrong')
  page.once('dialog', (dialog) => { asked.push(dialog.message()); dialog.dismiss() })
  await form.getByRole('button', { name: 'Send' }).click()
  assert.deepEqual([asked.length, sent.length], [1, 0])
  page.once('dialog', (dialog) => { asked.push(dialog.message()); dialog.accept() })
  assert.equal(await status(await send(form)), 401)
  assert.deepEqual([asked.length, sent.length], [2, 1])
  // Reads are not.
  assert.equal(await status(await send(await openForm(page, 'listCandidates', 'rmk_live_wrong'))), 401)
  assert.equal(asked.length, 2)
})

test('the values of the sandbox are those of its guide', async () => {
  const page = await openPage(docs)
  const guide = await page.locator('section:has(> #sandbox)').textContent()
  await page.goto(`${docs}/submissions`)
  const form = await openForm(page, 'submitCandidate')
  const buttons = await form.locator('.choices', { hasText: 'Sandbox' }).getByRole('button').all()
  for (const button of buttons) {
    await button.click()
    const { linkedinUrl, resume } = JSON.parse(await form.locator('textarea').inputValue())
    const slug = linkedinUrl.match(/\/in\/(sandbox-.*)$/)?.[1]
    assert.ok((!slug || guide.includes(`…/in/${slug}`)) && (resume.fileName || guide.includes(resume.contentBase64)), await button.textContent())
  }
  assert.equal(buttons.length, 8)
})

test('every endpoint can be tried as its form begins', async () => {
  const page = await openPage(docs)
  const addresses = await page.locator('#contents p a').evaluateAll((all) => all.map((a) => a.href))
  const tried = []
  for (const address of addresses) {
    await page.goto(address)
    for (const operation of await page.locator('article[data-url]').evaluateAll((all) => all.map((article) => article.id))) {
      const form = await openForm(page, operation)
      const local = form.getByRole('button', { name: 'Use the key of this system' })
      if (await local.count()) {
        await local.click()
        await form.getByText('The key of this system is used.').waitFor()
      }
      if (operation === 'getAgencyRole') await form.locator('input[name=recruiterEmail]').fill(MEMBER_EMAIL)
      const answer = await send(form)
      const hasID = await page.locator(`#${operation} .endpoint code`).textContent().then((path) => path.includes('{'))
      assert.ok((hasID ? [200, 404] : [200]).includes(await status(answer)), `${operation}: ${await answer.textContent()}`)
      tried.push(operation)
    }
  }
  assert.ok(tried.length > 30)
  assert.deepEqual(page.complaints.filter((what) => !/status of 404/.test(what)), [])
})

test('a form works by keyboard, on a telephone, and for screen readers', async () => {
  for (const colorScheme of ['light', 'dark']) {
    const page = await openPage(`${docs}/submissions`, { colorScheme, viewport: { width: 390, height: 844 } })
    const button = page.locator('#listBatches').getByRole('button', { name: 'Try it' })
    await button.focus()
    await page.keyboard.press('Enter')
    assert.equal(await button.getAttribute('aria-expanded'), 'true')
    await page.keyboard.press('Tab')
    await page.keyboard.type(AGENCY_KEY)
    await page.keyboard.press('Enter')
    await page.locator('#listBatches .status').waitFor()
    await openForm(page, 'submitCandidate')
    await checkWidth(page)
    await checkAccess(page)
    await page.emulateMedia({ media: 'print' })
    assert.equal(await page.locator('form:visible, button:visible').count(), 0)
    assert.deepEqual(page.complaints, [])
  }
})
