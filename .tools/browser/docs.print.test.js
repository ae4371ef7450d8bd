// The reference page on paper, in Chromium.
'use strict'
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { openPage } = require('./browser')

const docs = `${process.env.BASE_URL}/docs`

// The widths of A4 without margins, in pixels.
for (const [name, width, height] of [['portrait', 688, 1017], ['landscape', 1017, 688]]) {
  for (const javaScriptEnabled of [true, false]) {
    test(`A4 ${name} has one column without buttons or folds, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
      const page = await openPage(docs, { javaScriptEnabled, viewport: { width, height } })
      await page.emulateMedia({ media: 'print' })
      // Text, fields and samples have the whole width; nothing is cut off.
      for (const place of ['#main', '#submitCandidate .facts', '#submitCandidate .samples', '#rate-limits', '#listRoles .failures']) {
        const box = await page.locator(place).first().boundingBox()
        assert.ok(box.width > width - 20, `${place} is ${box.width} wide of ${width}`)
      }
      assert.equal(await page.locator('.copy:visible, header:visible, nav:visible').count(), 0)
      assert.ok(await page.locator('[id="submitCandidate-request-preferences.salaryMin"]').isVisible())
      assert.ok(await page.locator('[id="roleType-backend_engineer"]').isVisible())
      const cut = await page.locator('pre:visible').evaluateAll((all) => all.filter((pre) => pre.scrollHeight > pre.clientHeight + 2 || pre.scrollWidth > pre.clientWidth + 2).length)
      assert.equal(cut, 0)
    })
  }
}

test('folds are as they were after printing', async () => {
  const page = await openPage(docs)
  const open = () => page.locator('main details[open]').count()
  const before = await open()
  const all = await page.locator('main details').count()
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  assert.equal(await open(), all)
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  assert.equal(await open(), before)
  assert.ok(before < all)
})
