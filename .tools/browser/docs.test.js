// The reference page in Chromium.
'use strict'
const assert = require('node:assert/strict')
const { execFile } = require('node:child_process')
const { test } = require('node:test')
const { promisify } = require('node:util')
const { checkAccess, checkWidth, openPage } = require('./browser')

const docs = `${process.env.BASE_URL}/docs`

const pages = ['', '/submissions', '/network', '/roles', '/crm', '/platform', '/enumerations']

for (const colorScheme of ['light', 'dark']) {
  test(`pages are accessible and fit their window, ${colorScheme}`, async () => {
    const page = await openPage(docs, { colorScheme })
    const linked = await page.locator('#contents p a').evaluateAll((all) => all.map((a) => a.pathname))
    assert.deepEqual(linked, pages.slice(1).map((name) => new URL(docs + name).pathname))
    for (const name of pages) {
      await page.goto(docs + name)
      for (const width of [360, 768, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        await checkWidth(page)
      }
      // All other rules find the same in both themes.
      await checkAccess(page, colorScheme === 'dark' ? ['color-contrast'] : undefined)
    }
    assert.deepEqual(page.complaints, [])
  })
}

test('search finds codes, endpoints, fields and values', async () => {
  const page = await openPage(docs)
  for (const [typed, id] of [
    ['resume_identity_mismatch', 'item-errors-resume_identity_mismatch'],
    ['submit candidate', 'submitCandidate'],
    ['talent-network/changes', 'listChanges'],
    ['submitCandidate salaryMin', 'submitCandidate-request-preferences.salaryMin'],
    ['washington_dc', 'location-washington_dc'],
    ['idempotency_key_reused', 'error-codes-idempotency_key_reused'],
  ]) {
    await page.keyboard.press('/')
    await page.locator('#search').fill(typed)
    await page.locator('#results a').first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => decodeURIComponent(url.hash) === `#${id}`)
    const target = page.locator(`[id="${id}"]`)
    await target.waitFor()
    const { y } = await target.boundingBox()
    assert.ok(y >= 0 && y < 700, `${id} is at ${y}`)
  }
  await page.locator('#search').fill('no such thing')
  await page.getByText('Nothing found').waitFor()
  await checkAccess(page, ['aria-required-children', 'aria-required-parent', 'aria-valid-attr-value', 'aria-input-field-name'])
  assert.deepEqual(page.complaints, [])
})

test('copy copies, and samples stay in the chosen language', async () => {
  const page = await openPage(`${docs}/submissions`, { permissions: ['clipboard-read', 'clipboard-write'] })
  const sample = page.locator('#submitCandidate .sample').first()
  await sample.getByText('Go', { exact: true }).click()
  await sample.getByRole('button', { name: 'Copy' }).click()
  await sample.getByText('Copied').waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  assert.match(copied, /^api := client\.New\([\s\S]*api\.Submit\([\s\S]*fmt\.Println\(accepted\.BatchID\)\n$/)
  await page.reload()
  assert.ok(await page.locator('#getBatch [data-language=go]').isVisible())
  assert.ok(await page.locator('#getBatch [data-language=curl]').isHidden())
  assert.deepEqual(page.complaints, [])
})

test('the theme is chosen and kept', async () => {
  const page = await openPage(docs, { colorScheme: 'light' })
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await paper()
  await page.getByLabel('Theme').selectOption('dark')
  const dark = await paper()
  assert.notEqual(dark, light)
  await page.reload()
  assert.equal(await paper(), dark)
  await page.getByLabel('Theme').selectOption('system')
  assert.equal(await paper(), light)
  await page.emulateMedia({ colorScheme: 'dark' })
  assert.equal(await paper(), dark)
})

test('without scripts everything is there', async () => {
  const page = await openPage(docs, { javaScriptEnabled: false })
  assert.ok(await page.getByText('resume_identity_mismatch').first().isVisible())
  assert.ok(await page.locator('#search').isHidden() && await page.getByLabel('Theme').isHidden())
  // A link to what the page once had shows the link to it.
  await page.goto(`${docs}#submitCandidate`)
  const { y } = await page.locator('.overview').getByText('/talent-network/candidates/submit', { exact: true }).boundingBox()
  assert.ok(y >= 0 && y < 700, `the link is at ${y}`)
  await page.locator('.overview').getByText('/talent-network/candidates/submit', { exact: true }).click()
  await page.waitForURL(`${docs}/submissions#submitCandidate`)
  // Tabs and folds are the browser's own.
  await page.locator('#submitCandidate').getByText('Python', { exact: true }).click()
  assert.ok(await page.locator('#submitCandidate [data-language=python]').isVisible())
  await page.getByText('10 fields of preferences').first().click()
  assert.ok(await page.locator('[id="submitCandidate-request-preferences.salaryMin"]').isVisible())
  assert.equal(await page.locator('button').count(), 0)
})

test('what a link leads to is unfolded', async () => {
  const page = await openPage(`${docs}/enumerations`)
  const value = page.locator('[id="roleType-backend_engineer"]')
  assert.ok(await value.isHidden())
  await page.goto(`${docs}/enumerations#roleType-backend_engineer`)
  await value.waitFor()
})

for (const [former, page] of [
  ['submitCandidate', 'submissions'], ['submitCandidate-request-preferences.salaryMin', 'submissions'], ['putFastTrack-errors', 'network'],
  ['crm', 'crm'], ['enumerations', 'enumerations'], ['enum-roleType', 'enumerations'], ['roleType-backend_engineer', 'enumerations'],
  ['companySize-under-10-employees', 'enumerations'], ['/Roles/listRoles', 'roles', 'listRoles'],
]) {
  test(`the former address #${former} leads to the page ${page}`, async () => {
    const id = former.split('/').pop()
    const opened = await openPage(`${docs}#${former}`)
    await opened.waitForURL(`${docs}/${page}#${id}`)
    await opened.locator(`[id="${id}"]`).waitFor()
    assert.deepEqual(opened.complaints, [])
  })
}

test('samples name the host that serves the page', async () => {
  const page = await openPage(docs.replace('127.0.0.1', 'localhost'))
  const start = await page.locator('section:has(> #quick-start) pre').first().textContent()
  assert.match(start, /^export BASE_URL='http:\/\/localhost:\d+\/api\/external\/v1'\n/)
})

test('pages are small, and not sent twice', async () => {
  for (const name of [...pages, '/docs.js', '/docs.css', '/search.json']) {
    const response = await fetch(docs + name, { headers: { 'Accept-Encoding': 'gzip' } })
    const size = (await execute('curl', ['-sS', '-o', '/dev/null', '-w', '%{size_download}', '-H', 'Accept-Encoding: gzip', docs + name])).stdout
    assert.equal(response.headers.get('content-encoding'), 'gzip')
    assert.ok(Number(size) > 2_000 && Number(size) <= 40_000, `${name}: ${size} bytes`)
    const again = await fetch(docs + name, { headers: { 'If-None-Match': response.headers.get('etag') } })
    assert.equal(again.status, 304)
  }
})

const execute = promisify(execFile)

test('the sample errors of the endpoints are what the service responds with', async () => {
  const page = await openPage(docs)
  const all = []
  for (const name of pages) {
    await page.goto(docs + name)
    all.push(...await page.locator('article:has(.refusal)').evaluateAll((articles) => articles.map((article) => ({
      method: article.querySelector('.endpoint b').textContent,
      path: article.querySelector('.endpoint code').textContent.replace(/\{\w+\}/, '01990b6e-7c1f-7d3a-9b1e-2f6c0a4d8e12'),
      status: Number(article.querySelector('.refusal .caption').textContent.replace('Error, ', '')),
      sample: JSON.parse(article.querySelector('.refusal code').textContent),
    }))))
  }
  assert.ok(all.length > 25)
  await Promise.all(all.map(async ({ method, path, status, sample }) => {
    const key = path.startsWith('/recruiter/') ? process.env.RECRUITER_KEY : process.env.AGENCY_KEY
    const headers = { Authorization: `Bearer ${status === 401 ? 'rmk_test_wrong' : key}`, 'Content-Type': 'application/json' }
    const response = await fetch(`${process.env.BASE_URL}${path}?limit=0`, { method, headers, body: method === 'GET' ? undefined : '{}' })
    const body = await response.json()
    assert.equal(response.status, status, `${method} ${path}: ${JSON.stringify(body)}`)
    assert.deepEqual({ ...body.error, request_id: '' }, { ...sample.error, request_id: '' }, `${method} ${path}`)
  }))
})

test('the errors of an endpoint are beside it, and lead to the codes', async () => {
  const page = await openPage(`${docs}/network#putFastTrack-errors`)
  const errors = page.locator('#putFastTrack .failures')
  assert.match(await errors.locator('tr', { hasText: 'key_owner_mismatch' }).textContent(), /^403.*recruiter other than the key.s creator.*Use a key created by/)
  await errors.getByText('key_owner_mismatch').click()
  await page.waitForURL(`${docs}#error-codes-key_owner_mismatch`)
  await page.locator('#error-codes-key_owner_mismatch').waitFor()
  assert.deepEqual(page.complaints, [])
})

// quickStart runs the quick start of the page with a key, with another name if one is given.
async function quickStart(AGENCY_KEY, name = 'Ada Example') {
  const page = await openPage(docs, { javaScriptEnabled: false })
  const blocks = await page.locator('section:has(> #quick-start) pre').allTextContents()
  assert.equal(blocks.length, 3)
  const { PATH } = process.env
  return execute('bash', ['-euo', 'pipefail', '-c', blocks.join('\n').replaceAll('Ada Example', name)], { env: { PATH, AGENCY_KEY }, timeout: 300_000 })
}

test('the quick start runs as it is on the page, and again with another name', async () => {
  for (const name of ['Ada Example', 'Ada Sample']) {
    const { stdout } = await quickStart(process.env.AGENCY_KEY, name)
    assert.match(stdout, /"principal":"agency"/)
    assert.match(stdout, /"accepted":true/)
    assert.match(stdout, /"status":"succeeded"/)
    assert.match(stdout, /"candidateUserId":"cu_\w+","preferences":\{/)
  }
})

test('the quick start stops at a wrong key and prints the reason', async () => {
  const { code, stderr } = await quickStart('rmk_test_wrong').then(() => assert.fail('it succeeded'), (failure) => failure)
  assert.equal(code, 1)
  assert.match(stderr, /^Stopped, because the answer was: \{"error":\{.*"invalid_api_key"/m)
})

test('a local reference leads to the console', async () => {
  const page = await openPage(docs)
  assert.equal(await page.locator('.forms').getByText('Console').getAttribute('href'), '/')
})
