// The reference page in Chromium.
'use strict'
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { checkAccess, checkWidth, openPage } = require('./browser')

const docs = `${process.env.BASE_URL}/docs`

for (const colorScheme of ['light', 'dark']) {
  test(`the page is accessible and fits its window, ${colorScheme}`, async () => {
    const page = await openPage(docs, { colorScheme })
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await checkWidth(page)
    }
    await checkAccess(page)
    assert.deepEqual(page.complaints, [])
  })
}
