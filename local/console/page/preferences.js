// The work preferences of the form, with the values that the API lists.
import { byId, make } from './dom.js'
import { keyOfType } from './keyring.js'
import { call } from './server.js'

// Fields with several values: those that are required, and those that are folded until they are wanted.
const required = { locations: 'Locations', workplaceTypes: 'Workplace types', idealFundingRounds: 'Funding rounds' }
const optional = { roleType: 'Role types', companySizePreferences: 'Company sizes', excludedIndustries: 'Excluded industries' }
const numbers = { salaryMin: 'Salary from', salaryMax: 'Salary hoped for (optional)', ote: 'On-target earnings (optional)' }
let usual // the preferences of a sandbox value

// startPreferences prepares the choice, which is drawn when it is first opened.
export function startPreferences(baseUrl, preferences) {
  usual = preferences
  byId('preferences').parentElement.addEventListener('toggle', () => byId('own-visa') ?? draw(baseUrl))
  byId('preferences').addEventListener('input', countChosen)
  byId('own').addEventListener('reset', () => setTimeout(countChosen))
}

// draw draws the choice, of which the API lists the values.
async function draw(baseUrl) {
  const key = keyOfType('agency')
  const answer = key ? await call(`${baseUrl}/enumerations`, key.secret) : {}
  if (answer.status !== 200) return
  const valuesOf = (field) => answer.body.enumerations.find(({ fields }) => fields.includes(field)).values
  const boxes = (field) => valuesOf(field).map(({ value, name }) => make('label', { class: 'check' }, make('input', { type: 'checkbox', value, checked: usual[field]?.includes(value) }), ` ${name}`))
  byId('preferences').replaceChildren(
    ...Object.entries(required).map(([field, title]) => make('fieldset', { 'data-field': field }, make('legend', {}, title), boxes(field))),
    make('div', { class: 'fields across' }, Object.entries(numbers).map(([field, title]) => make('label', {}, `${title} `, make('input', { id: `own-${field}`, type: 'number', min: '1', value: usual[field] })))),
    make('label', {}, 'Work authorization ', make('select', { id: 'own-visa' },
      valuesOf('visaAuthorization').map(({ value, name }) => make('option', { value, selected: value === usual.visaAuthorization }, name)))),
    ...Object.entries(optional).map(([field, title]) => make('details', { class: 'choice' }, make('summary', {}, `${title} (optional)`, ' ', make('span', { class: 'badge' })),
      make('fieldset', { 'data-field': field }, make('legend', { class: 'sr' }, title), boxes(field)))))
  countChosen()
}

const checked = (field) => [...document.querySelectorAll(`[data-field=${field}] :checked`)].map(({ value }) => value)

// countChosen shows how many values are chosen in each folded field.
function countChosen() {
  for (const folded of byId('preferences').querySelectorAll('.choice')) {
    const count = folded.querySelectorAll(':checked').length
    folded.querySelector('.badge').textContent = count
    folded.querySelector('.badge').hidden = count === 0
  }
}

// chosenPreferences returns what was chosen; the API checks it. Optional fields without a value are left out.
export function chosenPreferences() {
  if (!byId('own-visa')) return usual
  const preferences = { visaAuthorization: byId('own-visa').value }
  for (const field of Object.keys({ ...required, ...optional })) {
    const values = checked(field)
    if (field in required || values.length > 0) preferences[field] = values
  }
  for (const field of Object.keys(numbers)) {
    const { value } = byId(`own-${field}`)
    if (value !== '') preferences[field] = Number(value)
  }
  return preferences
}
