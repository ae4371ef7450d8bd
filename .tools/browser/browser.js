// What tests of pages share: Chromium, and pages of which every complaint of the browser is kept.
'use strict'
const assert = require('node:assert/strict')
const { after } = require('node:test')
const { AxeBuilder } = require('@axe-core/playwright')
const { chromium } = require('playwright-core')

// Chromium looks up hosts of its own otherwise.
const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']

let browser
let contexts = []
after(async () => (await browser)?.close())

// openPage opens a page in a context of its own. Its `complaints` are what the browser reported:
// violations of the content security policy, errors on the console, uncaught exceptions, requests
// that failed, but for those that it gave up itself as the page was left.
async function openPage(url, options = {}) {
  browser ??= chromium.launch({ executablePath: process.env.CHROMIUM, args: flags })
  const context = await (await browser).newContext(options)
  context.setDefaultTimeout(180_000) // a busy machine is slow, and not wrong
  contexts.push(context)
  const page = await context.newPage()
  page.complaints = []
  const keep = (kind) => (what) => page.complaints.push(`${kind}: ${what}`)
  page.on('console', (message) => message.type() === 'error' && keep('console')(message.text()))
  page.on('pageerror', keep('exception'))
  page.on('requestfailed', (request) => {
    const { errorText } = request.failure()
    if (errorText !== 'net::ERR_ABORTED') keep('request')(`${request.url()} ${errorText}`)
  })
  if (options.javaScriptEnabled !== false) {
    await page.exposeFunction('keepViolation', keep('policy'))
    await page.addInitScript(() => document.addEventListener('securitypolicyviolation', (e) => globalThis.keepViolation(`${e.violatedDirective} ${e.blockedURI}`)))
  }
  await page.goto(url)
  return page
}

// closePages closes all pages that are open. After a test that failed it first prints what they showed, and what the
// browser complained of.
async function closePages(test) {
  if (!test.passed) for (const page of contexts.flatMap((context) => context.pages())) console.log(await describePage(page))
  await Promise.all(contexts.map((context) => context.close()))
  contexts = []
}

// describePage returns a page's address, fields, complaints and visible text.
async function describePage(page) {
  const shown = await page.evaluate(() => ({
    fields: Object.fromEntries([...document.querySelectorAll('input[id], select[id]')].filter((field) => field.checkVisibility()).map(({ id, value }) => [id, value])),
    text: document.body.innerText.slice(0, 5000),
  })).catch((error) => ({ text: error.message }))
  return JSON.stringify({ url: page.url(), complaints: page.complaints, ...shown }, null, 1).replaceAll('\\n', '\n')
}

// checkAccess fails on each violation that axe finds of WCAG 2, levels A and AA, and of the order of headings, or of
// the given rules of axe alone. The legacy mode leaves out frames, which these pages have none of, and takes a third of the time:
// the other one sends all that it has looked at from page to page.
async function checkAccess(page, rules) {
  const levels = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }
  const options = rules ? { runOnly: rules } : { runOnly: levels, rules: { 'heading-order': { enabled: true } } }
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().options({ ...options, resultTypes: ['violations'] }).analyze()
  assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join(' ').slice(0, 500)}`), [])
}

// checkWidth fails if the page is wider than its window.
async function checkWidth(page) {
  const [needed, shown] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
  assert.ok(needed <= shown, `the page is ${needed} pixels wide in a window of ${shown}`)
}

module.exports = { checkAccess, checkWidth, closePages, flags, openPage }
