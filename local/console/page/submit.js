// Submissions: of one's own file, or of a sandbox value, with a key that the page knows.
import { agencyName } from './agencies.js'
import { byId, copyButton, make, problem } from './dom.js'
import { chooseKey, chosenKey, createKey, knownKeys, onKeys, pasteKey } from './keyring.js'
import { follow } from './outcome.js'
import { chosenPreferences, startPreferences } from './preferences.js'
import { call, change, describeRefusal } from './server.js'

let start
let taken // the file that was chosen last
let content // it in base64, without its type, once it was read

export function startSubmit(from) {
  start = from
  byId('samples').replaceChildren(...start.samples.map(sampleCard))
  startFile()
  byId('own').addEventListener('submit', (event) => { event.preventDefault(); submitOwn() })
  onKeys(drawChooser)
  drawChooser()
  startPreferences(start.baseUrl, start.samples[0].body.preferences)
}

// drawChooser draws the choice of a key, and the ways to get another.
function drawChooser() {
  const keys = knownKeys().filter((key) => key.type === 'agency')
  const create = make('button', { type: 'button', class: keys.length ? 'small' : 'primary', id: 'quick-key' }, keys.length ? 'Create another' : 'Create a key')
  create.addEventListener('click', () => createKey('console', 'agency', 'test', start.agencies[0].id).catch((error) => create.after(problem(error.message))))
  const select = make('select', { id: 'chosen-key', onchange: () => chooseKey(keys[select.selectedIndex]) },
    keys.map((key) => make('option', { selected: key === chosenKey() }, `${key.name} · ${agencyName(key.agencyId)} · ${key.environment} · …${key.secret.slice(-4)}`)))
  byId('key-chooser').replaceChildren(keys.length
    ? make('div', { class: 'fields paste' }, make('label', {}, 'Submit with ', select), create)
    : make('div', {}, make('p', { class: 'hint' }, 'The page has no key yet. Create one of environment ', make('code', {}, 'test'), ', or paste one.'), create),
  make('details', { class: 'more', open: keys.length === 0 }, make('summary', {}, 'Paste another key'), pasteForm()))
}

function pasteForm() {
  const field = make('input', { id: 'pasted-key', type: 'password', autocomplete: 'off', placeholder: 'rmk_…' })
  const note = make('div', { 'aria-live': 'polite' })
  const add = () => pasteKey(field.value.trim(), start.baseUrl).catch((error) => note.replaceChildren(problem(error.message)))
  return make('form', { class: 'fields', onsubmit: (event) => { event.preventDefault(); add() } },
    make('div', { class: 'fields paste' }, make('label', {}, 'Key ', field), make('button', {}, 'Use it')), note)
}

function sampleCard(sample) {
  const shortened = { ...sample.body, resume: { ...sample.body.resume, contentBase64: `${sample.body.resume.contentBase64.slice(0, 24)}…` } }
  const slot = make('span', { class: 'slot' })
  const send = make('button', { type: 'button', class: 'small', 'aria-label': `Submit: ${sample.outcome}`, onclick: () => submit(sample.body, sample.outcome, slot) }, 'Submit')
  const curl = `curl -s -H "Authorization: Bearer $AGENCY_KEY" -H "Content-Type: application/json" \\\n  --data '${JSON.stringify(sample.body).replaceAll("'", "'\\''")}' \\\n  ${start.baseUrl}/talent-network/candidates/submit`
  return make('article', { class: 'card sample', 'data-sample': sample.id },
    make('div', { class: 'title' }, make('h3', {}, sample.outcome), slot),
    make('p', { class: 'meta' }, make('span', { class: `pill ${sample.status === 'succeeded' ? 'good' : 'bad'}` }, sample.status), make('span', { class: 'dim' }, sample.takes)),
    make('code', { class: 'dim slug' }, sample.id),
    make('div', { class: 'spread' }, send, copyButton(curl, 'Copy as curl')),
    make('details', {}, make('summary', {}, 'Body'), make('pre', { tabindex: '0' }, JSON.stringify(shortened, null, 2))))
}

function startFile() {
  const drop = byId('drop')
  byId('file').addEventListener('change', (event) => take(event.target.files[0]))
  for (const kind of ['dragenter', 'dragover']) drop.addEventListener(kind, (event) => { event.preventDefault(); drop.classList.add('over') })
  for (const kind of ['dragleave', 'drop']) drop.addEventListener(kind, () => drop.classList.remove('over'))
  drop.addEventListener('drop', (event) => { event.preventDefault(); take(event.dataTransfer.files[0]) })
}

// take reads a file, and fills in the form with what ingestion will find in it. Until that is known, the
// form has nothing of an earlier file, choices included, and cannot be sent.
async function take(file) {
  if (!file) return
  if (taken) byId('own').reset()
  taken = file
  content = ''
  fillIn({ name: '', email: '', linkedinUrl: '' })
  byId('own-submit').disabled = true
  byId('drop-text').textContent = file.name
  byId('own-hint').textContent = 'Reading the file …'
  try {
    const read = await toBase64(file)
    const found = await change('resume', { content: read })
    if (taken !== file) return
    content = read
    fillIn({ ...found, linkedinUrl: found.linkedinUrl || suggestedURL(found.name) })
    byId('own-submit').disabled = false
    byId('own-hint').textContent = found.linkedinUrl ? 'Filled in from the file. Check it, and submit.' : 'Filled in from the file, which has no LinkedIn profile: with a test key, any URL passes verification.'
  } catch (error) {
    if (taken === file) byId('own-hint').replaceChildren(problem(error.message))
  }
}

function fillIn(person) {
  byId('own-name').value = person.name
  byId('own-email').value = person.email
  byId('own-linkedin').value = person.linkedinUrl
  byId('own-reference').value = ''
}

function suggestedURL(name) {
  const slug = name.normalize('NFKD').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
  return slug && `https://www.linkedin.com/in/${slug}`
}

function toBase64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(',') + 1))
    reader.onerror = () => reject(new Error('The file cannot be read.'))
    reader.readAsDataURL(file)
  })
}

function submitOwn() {
  if (!content) {
    byId('own-hint').replaceChildren(problem('Choose a resume first.'))
    return
  }
  const reference = byId('own-reference').value.trim()
  submit({
    name: byId('own-name').value, email: byId('own-email').value, linkedinUrl: byId('own-linkedin').value,
    ...(reference && { clientReferenceId: reference }),
    preferences: chosenPreferences(),
    resume: { fileName: taken.name, contentBase64: content },
  }, taken.name, null, !byId('own-market').checked)
}

// submit sends a candidate through the API and follows its batch, in the card of a sandbox value as well. A member
// whom the form does not want on the market is taken off it.
async function submit(body, label, slot, isOffMarket = false) {
  const key = chosenKey()
  const outcome = follow(label, slot, body.name)
  if (!key) {
    outcome.fail('Create a key first, above.')
    return
  }
  const answer = await call(`${start.baseUrl}/talent-network/candidates/submit`, key.secret, { method: 'POST', body, headers: { 'Idempotency-Key': crypto.randomUUID() } })
  if (answer.status === 200) outcome.accept(answer.body.batchId, key.environment, answer.body.deduplicated, isOffMarket && ((id) => takeOff(id, key)))
  else outcome.fail(describeRefusal(answer), answer.requestId)
}

// takeOff takes a member off the market, and returns what to show of that.
async function takeOff(candidateUserId, key) {
  const answer = await call(`${start.baseUrl}/talent-network/candidates/off-market`, key.secret, { method: 'POST', body: { candidates: [{ candidateUserId }] } })
  return answer.status === 200 ? make('p', {}, 'Taken off the market.') : problem(describeRefusal(answer))
}
