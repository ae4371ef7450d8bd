// Pages of other origins, in Chromium, against the local console.
'use strict'
const assert = require('node:assert/strict')
const http = require('node:http')
const { after, before, test } = require('node:test')
const { chromium } = require('playwright-core')
const { flags } = require('./browser')

const root = new URL('/', process.env.BASE_URL)
let attacker, browser

before(async () => {
  attacker = http.createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>other</title>'))
  await new Promise((resolve) => attacker.listen(0, '127.0.0.1', resolve))
  // The name of a rebinding attack leads to this machine, in a browser without checks of its own.
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: [...flags, '--host-resolver-rules=MAP rebound.example 127.0.0.1', '--disable-features=LocalNetworkAccessChecks'] })
})
after(async () => {
  await browser?.close()
  attacker?.close()
})

// readToken reads the page as a program of this machine can.
async function readToken() {
  return (await (await fetch(root)).text()).match(/name="console-token" content="(\w+)"/)[1]
}

// attacked returns the keys that an attack has created.
async function attacked() {
  const keys = await (await fetch(new URL('/console/data/keys', root))).json()
  return keys.filter((key) => key.name.startsWith('attack'))
}

const body = JSON.stringify({ name: 'attack', type: 'agency', environment: 'test' })

test('a page of another origin reads nothing and changes nothing', async () => {
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${attacker.address().port}/`)
  const outcomes = await page.evaluate(async ({ target, body, token }) => {
    const attempt = (path, options) => fetch(target + path, options).then(async (r) => `${r.type} ${r.status} ${(await r.text()).length}`, (e) => e.name)
    const opened = new Promise((resolve) => {
      const events = new EventSource(`${target}console/events`)
      events.onopen = () => resolve('open')
      events.onerror = () => resolve('error')
    })
    return {
      page: await attempt(''),
      data: await attempt('console/data/keys'),
      events: await opened,
      blind: await attempt('console/keys/create', { method: 'POST', mode: 'no-cors', body, headers: { 'Content-Type': 'text/plain' } }),
      withToken: await attempt('console/keys/create', { method: 'POST', body, headers: { 'X-Console-Token': token } }),
      preflight: await attempt('console/keys/create', { method: 'POST', body, headers: { 'Content-Type': 'application/json' } }),
    }
  }, { target: root.href, body, token: await readToken() })
  assert.deepEqual(outcomes, { page: 'TypeError', data: 'TypeError', events: 'error', blind: 'TypeError', withToken: 'TypeError', preflight: 'TypeError' })
  // A form, which needs no permission of the target.
  await page.setContent(`<form method="post" enctype="text/plain" action="${root}console/keys/create"><input name='{"name":"attack by form","type":"agency","environment":"test","x":"' value='"}'></form>`)
  const [answer] = await Promise.all([page.waitForResponse(/keys\/create/), page.evaluate(() => document.forms[0].submit())])
  assert.equal(answer.status(), 403)
  assert.deepEqual(await attacked(), [])
})

test('a page cannot frame the console', async () => {
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${attacker.address().port}/`)
  await page.setContent(`<iframe src="${root}"></iframe>`)
  await page.waitForTimeout(500)
  assert.equal(await page.frames()[1].evaluate(() => document.getElementById('main')).catch(() => null), null)
})

test('a name that was made to lead here reads nothing and changes nothing', async () => {
  const page = await browser.newPage()
  const rebound = `http://rebound.example:${root.port}/`
  assert.equal((await page.goto(rebound)).status(), 421)
  // The attacker's page came before its name was made to lead here.
  await page.route(rebound, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>rebound</title>' }))
  await page.goto(rebound)
  const token = await readToken()
  const statuses = await page.evaluate(async ({ body, token }) => {
    const post = await fetch('/console/keys/create', { method: 'POST', body, headers: { 'Content-Type': 'application/json', 'X-Console-Token': token } })
    const data = await fetch('/console/data/keys')
    return [post.status, data.status]
  }, { body, token })
  assert.deepEqual(statuses, [421, 421])
  assert.deepEqual(await attacked(), [])
})

test('the own page without the token, and a GET, change nothing', async () => {
  const page = await browser.newPage()
  await page.goto(root.href)
  const statuses = await page.evaluate(async ({ body, token }) => {
    const headers = { 'Content-Type': 'application/json' }
    const query = '?name=attack&type=agency&environment=test'
    return [
      (await fetch('/console/keys/create', { method: 'POST', body, headers })).status,
      (await fetch('/console/keys/create', { method: 'POST', body, headers: { ...headers, 'X-Console-Token': 'another' } })).status,
      (await fetch(`/console/keys/create${query}`, { headers: { ...headers, 'X-Console-Token': token } })).status,
    ]
  }, { body, token: await readToken() })
  assert.deepEqual(statuses, [403, 403, 405])
  assert.deepEqual(await attacked(), [])
})
