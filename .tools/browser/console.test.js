// The local console in Chromium.
'use strict'
const assert = require('node:assert/strict')
const { afterEach, test } = require('node:test')
const { checkAccess, checkWidth, closePages, openPage } = require('./browser')

const root = new URL('/', process.env.BASE_URL).href
const views = ['home', 'submit', 'requests', 'batches', 'queues', 'data', 'keys', 'reset']

afterEach(closePages) // the console serves a bounded number of them

// openConsole opens the console and waits until it is live.
async function openConsole(options, fragment = '#submit') {
  const page = await openPage(root + fragment, options)
  await page.waitForSelector('#live[data-open=true]')
  await page.waitForSelector('#chosen-key', { state: 'attached' })
  return page
}

// show shows a view without loading the page anew.
async function show(page, view) {
  await page.click(`.side a[href="#${view}"]`)
  await page.waitForSelector(`#view-${view}:not([hidden])`)
}

// waitFor waits for the newest card of an outcome to have a status.
const waitFor = (page, status) => page.waitForSelector(`#outcomes .result:first-child[data-status=${status}]`)

// writeResume returns a resume that is in no folder of this repository.
const writeResume = (name, slug) => `# ${name}\n\n${slug}@example.com · https://www.linkedin.com/in/${slug}\n\n## Experience\n\n**Backend Engineer**, Fernleaf Labs\nMarch 2019 – Present\n\n- Built services in Go\n`

test('from a new page to the first succeeded of one’s own file takes under two minutes', async () => {
  const began = performance.now()
  const page = await openConsole()
  await page.setInputFiles('#file', { name: 'own.md', mimeType: 'text/markdown', buffer: Buffer.from(writeResume('Tamsin Oyelaran', 'tamsin-oyelaran')) })
  await page.waitForFunction(() => document.getElementById('own-linkedin').value === 'https://www.linkedin.com/in/tamsin-oyelaran')
  assert.equal(await page.inputValue('#own-name'), 'Tamsin Oyelaran')
  await page.click('#own-submit')
  await waitFor(page, 'succeeded')
  const took = performance.now() - began
  console.log(`# first succeeded after ${(took / 1000).toFixed(1)} s`)
  assert.ok(took < 120_000)
  assert.deepEqual(page.complaints, [])
})

test('a file can be dropped', async () => {
  const page = await openConsole()
  const dropped = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([text], 'dropped.txt', { type: 'text/plain' }))
    return transfer
  }, writeResume('Ignace Delacroix', 'ignace-delacroix'))
  await page.dispatchEvent('#drop', 'drop', { dataTransfer: dropped })
  await page.waitForFunction(() => document.getElementById('own-email').value === 'ignace-delacroix@example.com')
  await page.click('#own-submit')
  await waitFor(page, 'succeeded')
  assert.deepEqual(page.complaints, [])
})

test('a second file keeps nothing of the first, and is not sent unless it was read', async () => {
  const page = await openConsole()
  const values = () => page.$$eval('#own-name, #own-email, #own-linkedin, #own-reference', (fields) => fields.map((field) => field.value))
  await page.fill('#own-reference', 'of the first')
  await page.click('summary:has-text("Work preferences")')
  await page.setInputFiles('#file', { name: 'own.md', mimeType: 'text/markdown', buffer: Buffer.from(writeResume('Tamsin Oyelaran', 'tamsin-oyelaran')) })
  await page.waitForFunction(() => document.getElementById('own-name').value === 'Tamsin Oyelaran')
  await page.check('[data-field=locations] input[value=boston]')
  await page.fill('#own-ote', '1')
  await page.uncheck('#own-market')
  await page.setInputFiles('#file', 'local/demo/resumes/maya-okafor.locked.pdf')
  await page.waitForSelector('#own-hint .problem')
  assert.deepEqual(await values(), ['', '', '', ''])
  assert.ok(await page.isDisabled('#own-submit'))
  assert.ok(!(await page.isChecked('[data-field=locations] input[value=boston]')) && await page.isChecked('#own-market'))
  assert.equal(await page.inputValue('#own-ote'), '')
  await page.setInputFiles('#file', { name: 'nameless.txt', mimeType: 'text/plain', buffer: Buffer.from('Experience\n\nBackend Engineer, Fernleaf Labs\nMarch 2019 – Present\n') })
  await page.waitForSelector('#own-submit:not([disabled])')
  assert.deepEqual(await values(), ['', '', '', ''])
})

test('a batch moves to succeeded in a page that is open, and the live requests name no person', async () => {
  const page = await openConsole()
  const watching = await openConsole({}, '#batches')
  await page.click('[data-sample=sandbox-slow] button:has-text("Submit")')
  const batch = (await page.getAttribute('#outcomes .result:first-child a', 'href')).split('/').pop()
  const row = `[data-batch="${batch}"]`
  await watching.waitForSelector(`${row} .pill.busy`, { timeout: 30_000 })
  await watching.click(`${row} summary`)
  await watching.waitForSelector(`${row} .item[data-status=processing]`)
  await watching.waitForSelector(`${row} .item[data-status=succeeded]`)
  await waitFor(page, 'succeeded')

  await show(watching, 'requests')
  await watching.fill('#request-filter', batch)
  const request = watching.locator('#requests > details:not([hidden])').first()
  await request.locator('summary').click()
  await request.locator('.inside').waitFor()
  const shown = await request.innerText()
  assert.match(shown, /"name": ‹13 characters›/)
  assert.match(shown, /"status"|"batchId"/)
  const live = await watching.evaluate(() => document.body.innerText)
  for (const secret of ['Robin', 'sandbox-slow', '@example.com', 'rmk_', 'Brightwater']) assert.ok(!live.includes(secret), `${secret} is shown`)
  assert.deepEqual([...page.complaints, ...watching.complaints], [])
})

test('a refused event becomes a dead letter, which is shown and sent again', async () => {
  const page = await openConsole({}, '#queues')
  await page.click('#send-example')
  await page.click('[data-queue=feed] button:not([disabled])')
  await page.click('#letters-list summary')
  assert.match(await page.innerText('#letters-list'), /example\.refused/)
  const first = await page.getAttribute('#letters-list details', 'data-letter')
  await page.click('#redrive')
  await page.click('#redrive[data-asked]')
  await page.waitForSelector(`[data-letter="${first}"]`, { state: 'detached' })
  assert.deepEqual(page.complaints, [])
})

test('one dead letter is removed, and another one sent again', async () => {
  const page = await openConsole({}, '#queues')
  await page.click('#send-example')
  await page.click('#send-example')
  await page.waitForFunction(() => Number(document.querySelector('[data-queue=feed] .figure:nth-child(3) dd')?.textContent) >= 2)
  await page.click('[data-queue=feed] button')
  for (const [first, second] of [['Remove', 'Remove for good?'], ['Send again']]) {
    const letter = page.locator('#letters-list details').first()
    const id = await letter.getAttribute('data-letter')
    await letter.locator('summary').click()
    await letter.locator(`button:has-text("${first}")`).click()
    if (second) await letter.locator(`button:has-text("${second}")`).click()
    await page.waitForSelector(`[data-letter="${id}"]`, { state: 'detached' })
  }
  assert.deepEqual(page.complaints, [])
})

test('requests are filtered, repeated reads grouped, and copied as curl', async () => {
  const page = await openConsole({ permissions: ['clipboard-read', 'clipboard-write'] }, '#requests')
  const { AGENCY_KEY, BASE_URL } = process.env
  const send = (path, options) => fetch(BASE_URL + path, { headers: { Authorization: `Bearer ${AGENCY_KEY}` }, ...options })
  for (let n = 0; n < 4; n++) await send('/identity')
  await send('/docs', { headers: { Accept: 'text/html' } })
  await send('/talent-network/lookup/nothing', { method: 'DELETE' })
  const shown = page.locator('#requests > details:not([hidden])')
  await page.fill('#request-filter', '/identity')
  await page.waitForFunction(() => Number(document.querySelector('#requests > details:not([hidden]) .repeats')?.textContent.slice(1)) >= 4)
  const grouped = await shown.count()
  await page.uncheck('#request-group')
  assert.ok(await shown.count() >= grouped + 3)
  await shown.first().locator('summary').click()
  await shown.first().locator('button:has-text("Copy as curl")').click()
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `curl -s -X GET -H "Authorization: Bearer $API_KEY" '${BASE_URL}/identity'`)
  await page.fill('#request-filter', '')
  await page.selectOption('#request-method', 'DELETE')
  assert.deepEqual([...new Set(await shown.locator('.verb').allInnerTexts())], ['DELETE'])
  await page.selectOption('#request-method', 'every method')
  await page.selectOption('#request-status', '4xx')
  assert.ok((await shown.locator('.pill').allInnerTexts()).every((status) => status.startsWith('4')))
  await page.selectOption('#request-status', 'every status')
  await page.waitForSelector('#requests .path:text-matches("^/docs ?$")')
  assert.deepEqual(page.complaints, [])
})

test('a request has the headers that its caller and the service sent, without the key', async () => {
  const page = await openConsole({}, '#requests')
  const { AGENCY_KEY, BASE_URL } = process.env
  const headers = { Authorization: `Bearer ${AGENCY_KEY}`, 'Content-Type': 'application/json', 'Idempotency-Key': `headers-${Date.now()}`, 'User-Agent': 'headers-test/1.0 (ada@example.com)' }
  const answer = await fetch(`${BASE_URL}/talent-network/candidates/submit?limt=1`, { method: 'POST', headers, body: '{}' })
  const id = answer.headers.get('X-Request-Id')
  await page.fill('#request-filter', id)
  const request = page.locator(`#requests > details[data-request="${id}"]`)
  await request.locator('summary').click()
  await request.locator('.bodies section:nth-child(2) .headers div').first().waitFor() // written when the request has been unfolded
  const shown = (part) => request.locator(`.bodies section:nth-child(${part}) .headers div`).evaluateAll((rows) => Object.fromEntries(rows.map((row) => [...row.children].map((cell) => cell.textContent))))
  assert.deepEqual(await shown(1), {
    Authorization: `Bearer …${AGENCY_KEY.slice(-4)}`, 'Content-Type': 'application/json', 'Idempotency-Key': headers['Idempotency-Key'], 'User-Agent': 'headers-test/1.0',
  })
  const answered = await shown(2)
  for (const name of ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'X-Ignored-Params']) assert.equal(answered[name], answer.headers.get(name))
  assert.ok(!(await page.content()).includes(AGENCY_KEY))
  assert.deepEqual(page.complaints, [])
})

test('a timeline tells what was read from the resume', async () => {
  const page = await openConsole()
  await page.setInputFiles('#file', 'local/demo/resumes/maya-okafor.libreoffice.pdf')
  await page.waitForSelector('#own-submit:not([disabled])')
  await page.fill('#own-linkedin', `https://www.linkedin.com/in/maya-okafor-${Date.now()}`)
  await page.click('#own-submit')
  await waitFor(page, 'succeeded')
  const id = await page.innerText('#outcomes .result:first-child p code')
  await page.click('#outcomes a')
  const item = page.locator('#batches > details[open] .item', { hasText: id })
  await item.locator('.timeline li:has-text("read from resume and profile")').waitFor()
  const { AGENCY_KEY, BASE_URL } = process.env
  const member = await (await fetch(`${BASE_URL}/talent-network/candidates/${id}`, { headers: { Authorization: `Bearer ${AGENCY_KEY}` } })).json()
  const text = await item.locator('.timeline').innerText()
  const { yearsOfExperience, skills } = member.resume
  for (const fact of [member.name, `${member.currentTitle}, ${member.currentCompany}`, `${yearsOfExperience} years of experience`, `${skills.length} skills (${skills[0]}`]) {
    assert.ok(text.includes(fact), `the timeline has no ${fact}: ${text}`)
  }
  assert.match(text, /attempt 1[^]*read from[^]*ended/)
  assert.deepEqual(page.complaints, [])
})

test('a key is shown once, works, and is refused with 401 once it is revoked', async () => {
  const page = await openConsole({}, '#keys')
  await page.fill('#create-name', 'to be revoked')
  await page.click('#create-key button.primary')
  const secret = await page.innerText('#secret')
  assert.match(secret, /^rmk_test_/)
  const row = page.locator('.row.key', { hasText: `…${secret.slice(-4)}` })
  assert.match(await row.innerText(), /active/)
  await show(page, 'submit')
  await page.click('[data-sample=sandbox-not-found] button:has-text("Submit")')
  await waitFor(page, 'failed')
  await show(page, 'keys')
  assert.ok(!(await page.content()).includes(secret), 'the key is shown again')
  await row.locator('button').click()
  await row.locator('button[data-asked]').click()
  await row.locator('.pill', { hasText: 'revoked' }).waitFor()
  await show(page, 'submit')
  await page.click('[data-sample=sandbox-not-found] button:has-text("Submit")')
  await waitFor(page, 'refused')
  assert.match(await page.innerText('#outcomes .result:first-child'), /401/)
  await page.reload()
  await page.waitForSelector('#quick-key')
  assert.ok(!(await page.content()).includes(secret), 'the key is shown after a reload')
  assert.ok(!(await page.evaluate(() => JSON.stringify({ ...localStorage }))).includes(secret), 'the key outlives the tab')
  assert.deepEqual(page.complaints.filter((what) => !/status of 401/.test(what)), [])
})

test('batches have names, references, a filter and the attempts of a worker that dies', async () => {
  const page = await openConsole()
  await page.click('[data-sample=sandbox-crash] button:has-text("Submit")')
  await page.waitForSelector('#outcomes .progress:has-text("attempt 2 of 5, next at")')
  await page.click('#outcomes a')
  const row = page.locator('#batches > details[open]')
  await row.locator('.timeline li:has-text("attempt 2 ended without a result")').waitFor()
  await row.locator('summary:has-text("Robin Sandbox")').waitFor()
  await row.locator('.timeline li:has-text("ended failed")').waitFor()
  assert.match(await row.innerText(), /internal_error[^]*attempt 1 ended without a result[^]*attempt 4 ended without a result[^]*ended/)

  await page.fill('#batch-filter', 'robin')
  await row.waitFor()
  await page.selectOption('#batch-state', 'deduplicated')
  await row.waitFor({ state: 'hidden' })
  await page.selectOption('#batch-state', 'failed')
  await row.waitFor()
  await page.fill('#batch-filter', 'nobody of this name')
  await page.waitForSelector('#batches-empty:not([hidden])')
  await page.fill('#batch-filter', '')
  await row.locator('a:has-text("requests of this batch")').click()
  await page.waitForSelector('#requests > details:not([hidden]) .path:has-text("/candidates/submit")')
  assert.deepEqual(page.complaints, [])
})

test('every outcome stays on the page', async () => {
  const page = await openConsole()
  for (let n = 0; n < 8; n++) await page.click('[data-sample=sandbox-not-found] button:has-text("Submit")')
  const ended = '#outcomes .result:is([data-status=failed], [data-status=deduplicated])' // one of a person in flight is deduplicated
  await page.waitForFunction((ended) => document.querySelectorAll(ended).length === 8, ended)
})

test('the form sends the preferences, the reference and the choice of the market', async () => {
  const page = await openConsole()
  await page.setInputFiles('#file', { name: 'own.md', mimeType: 'text/markdown', buffer: Buffer.from(writeResume('Oskar Lindgren', 'oskar-lindgren')) })
  await page.waitForFunction(() => document.getElementById('own-name').value === 'Oskar Lindgren')
  await page.click('summary:has-text("Work preferences")')
  await page.check('[data-field=locations] input[value=boston]')
  await page.uncheck('[data-field=locations] input[value=europe]')
  await page.fill('#own-salaryMin', '123456')
  await page.fill('#own-salaryMax', '150000')
  await page.fill('#own-ote', '180000')
  const optional = { roleType: ['backend_engineer', 'data_engineer'], companySizePreferences: ['< 10 employees'], excludedIndustries: [] }
  for (const [field, values] of Object.entries(optional)) {
    const choice = page.locator('.choice', { has: page.locator(`[data-field=${field}]`) })
    await choice.locator('summary').click()
    if (field === 'excludedIndustries') optional[field] = [await choice.locator('input').first().getAttribute('value')]
    for (const value of optional[field]) await choice.locator(`input[value="${value}"]`).check()
    assert.equal(await choice.locator('.badge').innerText(), String(optional[field].length))
  }
  await page.selectOption('#own-visa', 'NEEDS_NEW_VISA_AUTHORIZATION')
  await page.fill('#own-reference', 'form-1')
  await page.uncheck('#own-market')
  await page.click('#own-submit')
  await page.waitForSelector('#outcomes :text("Taken off the market.")')
  const id = await page.innerText('#outcomes .result:first-child p code')
  const get = async (path) => (await fetch(process.env.BASE_URL + path, { headers: { Authorization: `Bearer ${process.env.AGENCY_KEY}` } })).json()
  const { preferences } = await get(`/talent-network/candidates/${id}/preferences`)
  assert.deepEqual([preferences.locations, preferences.salaryMin, preferences.visaAuthorization], [['boston'], 123456, 'NEEDS_NEW_VISA_AUTHORIZATION'])
  assert.deepEqual([preferences.salaryMax, preferences.ote], [150000, 180000])
  for (const [field, values] of Object.entries(optional)) assert.deepEqual(preferences[field], values)
  const row = (await get('/talent-network/candidates?limit=100')).candidates.find((candidate) => candidate.candidateUserId === id)
  assert.equal(row.status, 'off_market')
  await show(page, 'batches')
  await page.fill('#batch-filter', 'form-1')
  await page.waitForSelector('#batches > details:not([hidden]) summary:has-text("Oskar Lindgren")')
  assert.deepEqual(page.complaints, [])
})

test('the data of the keys is listed and searched', async () => {
  const page = await openConsole({}, '#data')
  await page.waitForSelector('#data td')
  await page.selectOption('#data-list', 'roles')
  await page.waitForSelector('#data th:has-text("Company")')
  const found = page.waitForResponse((response) => response.url().endsWith('query=enginer'))
  await page.fill('#data-query', 'enginer')
  await found
  await page.waitForFunction(() => {
    const names = [...document.querySelectorAll('#data-rows td:first-child')].slice(0, 5).map((name) => name.textContent)
    return names.length === 5 && names.every((name) => name.includes('Engineer')) // not so before the search
  })
  await page.selectOption('#data-list', 'crm')
  await page.fill('#data-query', 'Ada')
  await page.waitForSelector('#data th:has-text("Relationship")')
  await page.waitForSelector('#data td:has-text("Ada")')
  await page.selectOption('#data-list', 'members')
  await page.fill('#data-query', 'no member of this name')
  await page.waitForSelector('#data .hint:has-text("0 shown")')
  assert.deepEqual(page.complaints, [])
})

test('the data is read page by page', async () => {
  const page = await openConsole({}, '#data')
  await page.selectOption('#data-list', 'roles')
  const shown = (text) => page.waitForSelector(`#data-count:has-text("${text}")`)
  const first = () => page.innerText('#data td')
  await shown('Rows 1 to 20')
  const top = await first()
  assert.ok(await page.isDisabled('#data-previous'))
  await page.evaluate(() => { for (let n = 0; n < 2; n++) document.getElementById('data-next').click() }) // at once
  await shown('Rows 21 to 40')
  assert.equal(await page.innerText('#data-page'), 'Page 2')
  assert.notEqual(await first(), top)
  await page.waitForFunction(() => window.scrollY === 0) // the buttons are below the rows
  await page.click('#data-previous')
  await shown('Rows 1 to 20')
  assert.equal(await first(), top)
  let number = 1
  for (; !(await page.isDisabled('#data-next')); number++) {
    await page.focus('#data-next')
    await page.keyboard.press('Enter')
    await shown(`Rows ${number * 20 + 1} to `)
  }
  assert.ok(number > 3, `${number} pages`)
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'Rows') // the button leads nowhere
  await page.fill('#data-query', 'engineer')
  await page.waitForSelector('#data-page:has-text("Page 1")')
  await page.selectOption('#data-list', 'members')
  await page.waitForSelector('#data th:has-text("E-mail")')
  assert.deepEqual(page.complaints, [])
})

test('a list that is being read has no next page, and is read again after a refusal', async () => {
  const page = await openConsole({}, '#data')
  await page.selectOption('#data-list', 'roles')
  await page.waitForSelector('#data-next:not([disabled])')
  const sent = []
  let refused = 0
  await page.route('**/talent-network/candidates?*', async (route) => {
    sent.push(route.request().url())
    if (sent.length === 1) await page.evaluate(() => document.getElementById('data-next').click()) // the button is that of the roles
    if (refused++ < 2) await route.fulfill({ status: 503, contentType: 'application/json', body: '{"message":"No function answers."}' })
    else await route.continue()
  })
  await page.selectOption('#data-list', 'members')
  await page.waitForSelector('#data .problem:has-text("503 No function answers.")')
  await page.waitForSelector('#data th:has-text("E-mail")')
  assert.deepEqual(sent.filter((url) => url.includes('cursor')), [])
  assert.equal(sent.length, 3)
  await page.route('**/recruiter/candidates?*', (route) => route.abort())
  await page.selectOption('#data-list', 'crm')
  await page.waitForSelector('#data .problem:has-text("The API did not answer")')
})

test('batches are read once at a time', async () => {
  const page = await openConsole({}, '#batches')
  await page.waitForSelector('#batches > details')
  let hold, release
  const held = new Promise((resolve) => { hold = resolve })
  const released = new Promise((resolve) => { release = resolve })
  let inProgress = 0
  let most = 0
  let reads = 0
  await page.route('**/console/data/batches?*', async (route) => {
    reads++
    most = Math.max(most, ++inProgress)
    hold()
    await released
    const answer = await route.fetch()
    inProgress--
    await route.fulfill({ response: answer })
  })
  const change = () => page.dispatchEvent('#batch-agency', 'input')
  await change()
  await held
  for (let n = 0; n < 4; n++) await change()
  await page.selectOption('#batch-agency', 'Harbour & Vale')
  assert.equal(reads, 1) // what changes during a read waits for its end
  release()
  await page.waitForSelector('#batches-empty:has-text("No batch matches the filter.")') // that agency has none yet
  assert.equal(most, 1)
  assert.ok(reads >= 2)
})

test('the rows of several agencies are told apart and filtered', async () => {
  const page = await openConsole({}, '#keys')
  await page.selectOption('#create-agency', 'Harbour & Vale')
  await page.fill('#create-name', 'of Harbour')
  await page.click('#create-key button.primary')
  const secret = await page.innerText('#secret')
  await page.locator('.row.key', { hasText: `…${secret.slice(-4)}` }).locator('.tag:has-text("Harbour & Vale")').waitFor()
  await show(page, 'submit')
  const run = await page.$eval('#chosen-key', (select) => select.options[0].value)
  await page.click('[data-sample=sandbox-verified] button:has-text("Submit")') // the key that was created is chosen
  await waitFor(page, 'succeeded')
  await page.selectOption('#chosen-key', run)
  await page.click('[data-sample=sandbox-not-found] button:has-text("Submit")')
  await waitFor(page, 'failed')

  await show(page, 'batches')
  const names = () => page.locator('#batches > details:not([hidden]) .tag').allInnerTexts().then((all) => [...new Set(all)].sort())
  await page.waitForFunction(() => new Set([...document.querySelectorAll('#batches .tag')].map((tag) => tag.textContent)).size > 1)
  assert.deepEqual(await names(), ['Harbour & Vale', 'Northlight Talent'])
  const before = await page.locator('#batches > details').count()
  await page.selectOption('#batch-agency', 'Harbour & Vale')
  await page.waitForFunction((n) => document.querySelectorAll('#batches > details').length < n, before)
  assert.ok(await page.locator('#batches > details').count() > 0)
  assert.deepEqual(await names(), []) // all are of the agency that was chosen
  await page.selectOption('#batch-agency', 'Lantern Search')
  await page.waitForSelector('#batches-empty:not([hidden])')

  await show(page, 'requests')
  const requests = page.locator('#requests > details:not([hidden])')
  await page.selectOption('#request-agency', 'Harbour & Vale')
  const last4 = secret.slice(-4)
  const keys = await (await fetch(`${root}console/data/keys`)).json()
  const id = keys.find((key) => key.last4 === last4).id
  assert.deepEqual([...new Set(await requests.evaluateAll((all) => all.map((row) => row.dataset.key)))], [id])
  await requests.first().evaluate((row) => { row.open = true })
  await requests.first().locator('dd:has-text("Harbour & Vale")').waitFor()
  await page.selectOption('#request-agency', 'Lantern Search')
  await page.waitForSelector('#requests-empty:has-text("No request matches the filter.")')

  await show(page, 'data')
  await page.locator('#data td:has-text("Sofia Marchetti")').first().waitFor()
  await page.selectOption('#data-key', { label: `Harbour & Vale · test · …${last4}` })
  await page.waitForFunction(() => document.querySelector('#data tbody')?.innerText.includes('Robin Sandbox') && !document.querySelector('#data tbody').innerText.includes('Sofia'))
  assert.deepEqual(page.complaints, [])
})

test('a timeline shows what followed the end of its item', async () => {
  const page = await openConsole()
  await page.click('[data-sample=sandbox-verified] button:has-text("Submit")')
  await waitFor(page, 'succeeded')
  const id = await page.innerText('#outcomes .result:first-child p code')
  await page.click('#outcomes a')
  const item = page.locator('#batches > details[open] .item', { hasText: id })
  await item.locator('.timeline li:last-child:has-text("changes of the candidate can follow")').waitFor()
  const headers = { Authorization: `Bearer ${process.env.AGENCY_KEY}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ candidates: [{ candidateUserId: id }] })
  await fetch(`${process.env.BASE_URL}/talent-network/candidates/off-market`, { method: 'POST', headers, body })
  await item.locator('.timeline li:last-child:has-text("market state changed off_market")').waitFor()
  await fetch(`${process.env.BASE_URL}/talent-network/candidates/re-enable`, { method: 'POST', headers, body })
  await item.locator('.timeline li:last-child:has-text("on_market")').waitFor()
  assert.match(await item.locator('.timeline').innerText(), /accepted[^]*attempt 1[^]*ended[^]*off_market[^]*on_market/)
  assert.equal(await item.locator('.timeline li:has-text("changes of the candidate can follow")').count(), 0)
  assert.deepEqual(page.complaints, [])
})

test('a timeline shows a message that was sent again after the end', async () => {
  const page = await openConsole()
  await page.click('[data-sample=sandbox-not-found] button:has-text("Submit")')
  await waitFor(page, 'failed')
  const batch = (await page.getAttribute('#outcomes .result:first-child a', 'href')).split('/').pop()
  const [item] = (await (await fetch(`${root}console/data/batches/${batch}?environment=test`)).json()).items
  const again = { at: new Date().toISOString(), submissionId: item.submissionId }
  const events = `retry: 60000\n\nid: 1\nevent: redelivery\ndata: ${JSON.stringify(again)}\n\n`
  await page.route(/console\/events/, (route) => route.fulfill({ contentType: 'text/event-stream', body: events }))
  await page.goto('about:blank')
  await page.goto(`${root}#batches/test/${batch}`)
  await page.waitForSelector(`[data-batch="${batch}"] .timeline li:last-child:has-text("the item had ended, so nothing was attempted")`)
})

test('a reader who is elsewhere is told when a submission of the page ends', async () => {
  const page = await openConsole()
  await page.click('[data-sample=sandbox-not-found] button:has-text("Submit")')
  await waitFor(page, 'failed')
  assert.equal(await page.locator('#notices .toast').count(), 0) // its outcome was seen
  assert.equal(await page.title(), 'Submit a candidate · Local console')
  // The page learns of no end before the reader has left the view.
  let leave
  const left = new Promise((resolve) => { leave = resolve })
  await page.route(/console\/data\/batches\/[0-9a-f-]+\?/, (route) => left.then(() => route.continue()))
  for (const sample of ['sandbox-verified', 'sandbox-unavailable']) await page.click(`[data-sample=${sample}] button:has-text("Submit")`)
  await page.waitForSelector('#outcomes .result:nth-child(2) a')
  await show(page, 'keys')
  leave()
  await page.waitForSelector('#notices .toast[data-status=failed]:has-text("Robin Sandbox")')
  await page.waitForSelector('#notices .toast[data-status=succeeded]')
  assert.equal(await page.title(), '(2) Keys · Local console')
  assert.equal(await page.getAttribute('#notices', 'aria-live'), 'polite')
  await page.click('#notices .toast[data-status=failed] button')
  assert.equal(await page.title(), '(1) Keys · Local console')
  await page.click('#notices a')
  await page.waitForSelector('#view-batches:not([hidden]) .item[data-status=succeeded]')
  assert.equal(await page.title(), 'Batches · Local console')
  await show(page, 'submit')
  await page.click('[data-sample=sandbox-slow] button:has-text("Submit")')
  await show(page, 'queues')
  await page.waitForSelector('#notices .toast')
  await show(page, 'submit')
  await page.waitForSelector('#notices .toast', { state: 'detached' })
  assert.equal(await page.title(), 'Submit a candidate · Local console')
  assert.deepEqual(page.complaints, [])
})

test('a read is sent again, and any other request from the reference', async () => {
  const page = await openConsole({}, '#requests')
  const { AGENCY_KEY, BASE_URL } = process.env
  const headers = { Authorization: `Bearer ${AGENCY_KEY}`, 'Content-Type': 'application/json' }
  const sent = await fetch(`${BASE_URL}/identity`, { headers })
  await fetch(`${BASE_URL}/talent-network/candidates/lookup`, { method: 'POST', headers, body: '{"candidates":[{"email":"nobody@example.com"}]}' })
  await page.uncheck('#request-group')
  await page.fill('#request-filter', 'get /identity')
  const rows = page.locator('#requests > details:not([hidden])')
  const first = page.locator(`#requests > details[data-request="${sent.headers.get('x-request-id')}"]`) // the newest may be of another test
  await first.locator('summary').click()
  const before = await rows.count()
  await first.locator('button:has-text("Send again")').click()
  await first.locator(':text("answered 200")').waitFor()
  await page.waitForFunction((n) => document.querySelectorAll('#requests > details:not([hidden])').length > n, before)
  await page.fill('#request-filter', 'candidates/lookup')
  await rows.first().locator('summary').click()
  await rows.first().locator('a:has-text("Try it in the reference")').click()
  await page.waitForURL(`${BASE_URL}/docs/network#lookupCandidates`)
  assert.deepEqual(page.complaints, [])
})

test('the overview draws what happens', async () => {
  const page = await openConsole({}, '')
  await page.waitForSelector('#view-home:not([hidden]) #home-queues .chart')
  const count = () => page.innerText('#home-requests .figure:first-child dd').then(Number)
  const before = await count()
  await fetch(`${process.env.BASE_URL}/identity`)
  await page.waitForFunction((n) => Number(document.querySelector('#home-requests .figure dd').textContent) > n, before)
  assert.match(await page.innerText('#home-latency'), /\d+ ms\s+p50\s+\d+ ms\s+p95|p50\s+\d+ ms\s+p95\s+\d+ ms/)
  assert.ok(await page.locator('#home-requests rect').evaluateAll((all) => all.some((bar) => Number(bar.getAttribute('height')) > 0)))
  assert.deepEqual(page.complaints, [])
})

const optionTexts = (page) => page.$$eval('#chosen-key option', (options) => options.map((option) => option.textContent))

test('a page is signed in with the keys of the run, and a visit creates none', async () => {
  const { AGENCY_KEY, RECRUITER_KEY } = process.env
  const countKeys = async () => (await (await fetch(`${root}console/data/keys`)).json()).filter((key) => key.name === 'console').length
  const before = await countKeys()
  const page = await openConsole()
  assert.deepEqual(await optionTexts(page), [`local · Northlight Talent · test · …${AGENCY_KEY.slice(-4)}`])
  await page.reload()
  await page.waitForSelector('#chosen-key')
  for (const view of views) await show(page, view)
  assert.equal(await countKeys(), before)
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, document.documentElement.outerHTML]))
  for (const secret of [AGENCY_KEY, RECRUITER_KEY]) assert.ok(!kept.includes(secret), 'a key of the run is shown or stored')
})

test('a pasted key is taken if the API accepts it, and is known after a reload', async () => {
  const page = await openConsole({}, '#keys')
  await page.fill('#create-name', 'to be pasted')
  await page.click('#create-key button.primary')
  const secret = await page.innerText('#secret')
  const other = await openConsole()
  await other.click('.more summary')
  await other.fill('#pasted-key', 'rmk_test_wrongkey')
  await other.click('button:has-text("Use it")')
  await other.waitForSelector('#key-chooser .problem:has-text("401")')
  assert.equal((await optionTexts(other)).length, 1)
  await other.fill('#pasted-key', secret)
  await other.click('button:has-text("Use it")')
  const label = `to be pasted · Northlight Talent · test · …${secret.slice(-4)}`
  await other.waitForFunction((text) => document.getElementById('chosen-key').selectedOptions[0].textContent === text, label)
  await other.reload()
  await other.waitForSelector('#chosen-key')
  assert.equal(await other.$eval('#chosen-key', (select) => select.selectedOptions[0].textContent), label)
  assert.ok(!(await other.evaluate(() => JSON.stringify({ ...localStorage }))).includes('rmk_'), 'a key outlives the tab')
})

test('what a caller sends is text on every view, never markup', async () => {
  const attack = '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>'
  const page = await openConsole({}, '#keys')
  await page.fill('#create-name', attack.slice(0, 100))
  await page.click('#create-key button.primary')
  const secret = await page.innerText('#secret')
  const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' }
  const send = (path, body) => fetch(process.env.BASE_URL + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const accepted = await (await send('/talent-network/candidates/submit', {
    name: attack, email: 'script@example.com', linkedinUrl: 'https://www.linkedin.com/in/script', clientReferenceId: attack,
    preferences: { locations: ['europe'], workplaceTypes: ['REMOTE'], salaryMin: 1, idealFundingRounds: ['SEED'], visaAuthorization: 'HAS_VISA_AUTHORIZATION' },
    resume: { fileName: attack, contentBase64: Buffer.from(writeResume('Script Tester', 'script')).toString('base64') },
  })).json()
  assert.ok(accepted.batchId, JSON.stringify(accepted))
  await send(`/talent-network/${encodeURIComponent(attack)}?${encodeURIComponent(attack)}`, { [attack]: attack, message: attack, status: attack })
  for (const view of views) {
    await show(page, view)
    if (view === 'batches') await page.click(`[data-batch="${accepted.batchId}"] summary`)
    if (view === 'batches') await page.waitForSelector(`[data-batch="${accepted.batchId}"] .item:has-text("<img src=x")`)
    // By script, as some are in a group that is closed, and rows move.
    if (view === 'requests') await page.evaluate(() => [...document.querySelectorAll('#requests summary')].slice(0, 5).forEach((summary) => summary.click()))
  }
  await show(page, 'keys')
  await page.waitForSelector('.row.key b:has-text("<img src=x")')
  assert.equal(await page.evaluate(() => globalThis.hacked), undefined)
  assert.equal(await page.locator('img[src=x], main script').count(), 0)
  assert.deepEqual(page.complaints, [])
})

test('the reset removes the batches of an environment', async () => {
  const page = await openConsole({}, '#keys')
  await page.selectOption('#create-environment', 'live') // the tests that run beside this one use the other
  await page.click('#create-key button.primary')
  await page.waitForSelector('#secret')
  await show(page, 'submit')
  await page.click('[data-sample="tomas-novak.scan.pdf"] button:has-text("Submit")')
  await waitFor(page, 'failed')
  await page.click('#outcomes a')
  await page.waitForSelector('#batches .item[data-status=failed]')
  await show(page, 'reset')
  await page.selectOption('#reset-environment', 'live')
  await page.click('#reset-button')
  await page.click('#reset-button[data-asked]')
  await page.waitForSelector('#reset-result .good-note')
  await show(page, 'batches')
  await page.waitForSelector('#batches-empty:not([hidden])')
  assert.deepEqual(page.complaints, [])
})

// openDetails opens what the view folds, of live requests the newest three. Rows come and go as other tests send
// requests, so none is clicked.
const openDetails = (page) => page.evaluate(async () => {
  const folded = [...document.querySelectorAll('main section:not([hidden]) details:not([open])')]
  const isRequest = (details) => details.matches('[data-request]')
  for (const details of [...folded.filter(isRequest).slice(0, 3), ...folded.filter((details) => !isRequest(details))]) details.open = true
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))) // what is drawn when it opens
})

for (const colorScheme of ['light', 'dark']) {
  test(`every view is accessible and fits its window, ${colorScheme}`, async () => {
    const page = await openConsole({ colorScheme, reducedMotion: 'reduce', viewport: { width: 1440, height: 900 } })
    await page.click('[data-sample=sandbox-not-found] button:has-text("Submit")')
    await waitFor(page, 'failed')
    for (const view of views) {
      await show(page, view)
      await openDetails(page)
      if (view === 'submit') {
        await page.waitForSelector('#own-visa')
        await openDetails(page) // the choices that the form has folded
      }
      for (const width of [360, 390, 768, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        await checkWidth(page)
      }
      // All other rules find the same in both themes.
      await checkAccess(page, colorScheme === 'dark' ? ['color-contrast'] : undefined)
    }
    await show(page, 'submit')
    await page.click('[data-sample=sandbox-slow] button:has-text("Submit")')
    await show(page, 'keys')
    await page.waitForSelector('#notices .toast')
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await checkWidth(page)
      await checkAccess(page, colorScheme === 'dark' ? ['color-contrast'] : undefined)
    }
    assert.deepEqual(page.complaints, [])
  })
}

// differenceOf returns by how much the colours of two pictures differ at most, of 255.
const differenceOf = (page, ...pictures) => page.evaluate(async (encoded) => {
  const [one, other] = await Promise.all(encoded.map(async (text) => {
    const picture = await createImageBitmap(new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]))
    const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d')
    context.drawImage(picture, 0, 0)
    return context.getImageData(0, 0, picture.width, picture.height).data
  }))
  return one.reduce((most, value, i) => Math.max(most, Math.abs(value - other[i])), 0)
}, pictures.map((picture) => picture.toString('base64')))

test('tabs that do not fit a phone fade at its edge, until the last one is in sight', async () => {
  const page = await openConsole({ viewport: { width: 390, height: 844 } })
  const { y, height } = await page.locator('.side').boundingBox()
  const edge = () => page.screenshot({ clip: { x: 342, y, width: 48, height } })
  const setFade = (visibility) => page.evaluate((value) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`.side::after { visibility: ${value} }`)
    document.adoptedStyleSheets = [sheet]
  }, visibility)
  const fades = async () => {
    await setFade('hidden')
    const plain = await edge()
    await setFade('visible')
    return await differenceOf(page, plain, await edge()) > 8 // the page's own colour, drawn over itself, is rounded
  }
  // A page that is busy draws what was scrolled later, and the numbers of the tabs change between two pictures.
  const comesTo = async (wanted) => {
    for (let pictures = 0; pictures < 40; pictures++) if (await fades() === wanted) return true
    return false
  }
  assert.ok(await comesTo(true), 'the edge of the first tabs does not fade')
  await page.locator('.side').evaluate((tabs) => { tabs.scrollLeft = tabs.scrollWidth })
  assert.ok(await comesTo(false), 'the last tab fades')
  assert.deepEqual(page.complaints, [])
})

test('the former address of the explorer leads to the endpoint in the reference', async () => {
  const page = await openPage(`${root}console/explorer#/Submitting%20candidates/getBatch`)
  await page.waitForURL(`${process.env.BASE_URL}/docs/submissions#getBatch`)
  assert.deepEqual(page.complaints, [])
})
