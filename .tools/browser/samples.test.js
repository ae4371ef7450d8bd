// The samples of the reference do what they say. Those in Go are examples that `go test` runs.
'use strict'
const assert = require('node:assert/strict')
const { execFile } = require('node:child_process')
const { mkdtempSync, rmSync, symlinkSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { before, test } = require('node:test')
const { promisify } = require('node:util')
const ts = require('typescript')
const { openPage } = require('./browser')

const execute = promisify(execFile)
const { AGENCY_KEY, BASE_URL, MEMBER_EMAIL, PATH, RECRUITER_KEY } = process.env

let samples
before(async () => {
  const page = await openPage(`${BASE_URL}/docs`)
  samples = []
  for (const address of await page.locator('#contents p a').evaluateAll((all) => all.map((a) => a.href))) {
    await page.goto(address)
    samples.push(...await page.locator('article').evaluateAll((all) => all.map((article) => ({
      operation: article.id,
      path: article.querySelector('.endpoint code').textContent,
      code: Object.fromEntries([...article.querySelectorAll('[data-language]')].map((pre) => [pre.dataset.language, pre.textContent])),
    }))))
  }
  for (const sample of samples) {
    for (const language in sample.code) sample.code[language] = sample.code[language].replace('rita%40example.org', encodeURIComponent(MEMBER_EMAIL))
  }
})

const environment = (path) => ({ PATH, API_KEY: path.startsWith('/recruiter/') ? RECRUITER_KEY : AGENCY_KEY })

// Ids are invented, so a route with one can answer 404.
const expected = (path) => (path.includes('{') ? ['200', '404'] : ['200'])

test('curl', async () => {
  await Promise.all(samples.map(async ({ operation, path, code }) => {
    const command = `${code.curl.trim()} --silent --show-error --output /dev/null --write-out '%{http_code}'`
    const { stdout } = await execute('bash', ['-euc', command], { env: environment(path) })
    assert.ok(expected(path).includes(stdout), `${operation}: ${stdout}`)
  }))
  assert.ok(samples.length > 30)
})

test('TypeScript', async () => {
  const directory = mkdtempSync(join(__dirname, '../../.bin/samples-'))
  try {
    symlinkSync(join(__dirname, '../node_modules'), join(directory, 'node_modules'))
    const files = samples.map(({ operation, code }) => {
      writeFileSync(join(directory, `${operation}.ts`), `${code.typescript}\nexport {}\n`)
      return join(directory, `${operation}.ts`)
    })
    const program = ts.createProgram(files, {
      strict: true, noEmit: true, skipLibCheck: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext,
      types: ['node'], typeRoots: [join(directory, 'node_modules/@types')],
    })
    assert.deepEqual(ts.getPreEmitDiagnostics(program).map((d) => `${d.file?.fileName}: ${ts.flattenDiagnosticMessageText(d.messageText, ' ')}`), [])
  } finally {
    rmSync(directory, { recursive: true })
  }
  const { path, code } = samples.find(({ operation }) => operation === 'listCandidates')
  const { stdout } = await execute('node', ['-e', code.typescript], { env: environment(path) })
  assert.match(stdout, /candidates: \[/)
})

test('Python', async () => {
  const run = execute('python3', ['-c', 'import ast, json, sys\nfor code in json.load(sys.stdin): ast.parse(code)'])
  run.child.stdin.end(JSON.stringify(samples.map(({ code }) => code.python)))
  await run
})
