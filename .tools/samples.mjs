// Writes the samples of requests in the reference: node samples.mjs FILE. The requests are those
// of command reference; httpsnippet writes them in each language.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { HTTPSnippet } from '@readme/httpsnippet'

const root = fileURLToPath(new URL('..', import.meta.url))
const requests = JSON.parse(execFileSync('go', ['run', './functions/platform/reference', 'requests'], { cwd: root, encoding: 'utf8' }))

// The key is read from the environment. Each replacement says how the language does that.
const languages = {
  curl: (request) => request.convert('shell', 'curl')[0].replace(/'(Authorization: Bearer \$API_KEY)'/, '"$1"'),
  python: (request) => request.convert('python', 'requests')[0]
    .replace('"Bearer $API_KEY"', 'f"Bearer {os.environ[\'API_KEY\']}"')
    .replace(/^import requests\n/, (line) => (request.requests[0].headers.length ? 'import os\n' : '') + line),
  typescript: (request) => request.convert('javascript', 'fetch')[0].replace("'Bearer $API_KEY'", '`Bearer ${process.env.API_KEY}`'),
}

const samples = {}
for (const [operation, har] of Object.entries(requests)) {
  samples[operation] = {}
  for (const [language, write] of Object.entries(languages)) samples[operation][language] = write(new HTTPSnippet(har)).trim()
}
writeFileSync(process.argv[2], JSON.stringify(samples, null, 1) + '\n')
