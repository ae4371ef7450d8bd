// The pages of the reference on paper, in Chromium.
'use strict'
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { openPage } = require('./browser')

const docs = `${process.env.BASE_URL}/docs`

// What has the whole width of the paper on each page.
const places = {
  '': ['#main', '#rate-limits'],
  '/submissions': ['#main', '#submitCandidate .facts', '#submitCandidate .samples'],
  '/roles': ['#listRoles .failures'],
}

// The widths of A4 without margins, in pixels.
for (const [name, width, height] of [['portrait', 688, 1017], ['landscape', 1017, 688]]) {
  for (const javaScriptEnabled of [true, false]) {
    test(`A4 ${name} has one column without buttons or folds, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
      const page = await openPage(docs, { javaScriptEnabled, viewport: { width, height } })
      await page.emulateMedia({ media: 'print' })
      for (const [path, wide] of Object.entries(places)) {
        await page.goto(docs + path)
        for (const place of wide) {
          const box = await page.locator(place).first().boundingBox()
          assert.ok(box.width > width - 20, `${place} is ${box.width} wide of ${width}`)
        }
        assert.equal(await page.locator('button:visible, header:visible, nav:visible').count(), 0)
        const cut = await page.locator('pre:visible').evaluateAll((all) => all.filter((pre) => pre.scrollHeight > pre.clientHeight + 2 || pre.scrollWidth > pre.clientWidth + 2).length)
        assert.equal(cut, 0)
      }
      await page.goto(`${docs}/submissions`)
      assert.ok(await page.locator('[id="submitCandidate-request-preferences.salaryMin"]').isVisible())
      await page.goto(`${docs}/enumerations`)
      assert.ok(await page.locator('[id="roleType-backend_engineer"]').isVisible())
    })
  }
}

test('folds are as they were after printing', async () => {
  const page = await openPage(`${docs}/roles`)
  const open = () => page.locator('main details[open]').count()
  const before = await open()
  const all = await page.locator('main details').count()
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  assert.equal(await open(), all)
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  assert.equal(await open(), before)
  assert.ok(before < all)
})

test('everything is printed in one go, and the page is as it was', async () => {
  const page = await openPage(docs)
  const sections = await page.locator('main > section').count()
  const printing = page.evaluate(() => new Promise((resolve) => {
    globalThis.print = () => resolve([...document.querySelectorAll('main [id]')].map((element) => element.id))
  }))
  await page.getByRole('button', { name: 'Print everything' }).click()
  const printed = await printing
  const linked = await page.locator('#contents a').evaluateAll((all) => all.map((a) => a.hash.slice(1)))
  assert.deepEqual(linked.filter((id) => !printed.includes(id)), [])
  assert.equal(await page.locator('main > section').count(), sections)
  assert.deepEqual(page.complaints, [])
})
