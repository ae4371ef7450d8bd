// The work preferences of the form, with the values that the API lists.
import { byId, make } from './dom.js'
import { keyOfType } from './keyring.js'
import { call } from './server.js'

const many = { locations: 'Locations', workplaceTypes: 'Workplace types', idealFundingRounds: 'Funding rounds' }
let usual // the preferences of a sandbox value

// startPreferences prepares the choice, which is drawn when it is first opened.
export function startPreferences(baseUrl, preferences) {
  usual = preferences
  byId('preferences').parentElement.addEventListener('toggle', () => byId('own-visa') ?? draw(baseUrl))
}

// draw draws the choice, of which the API lists the values.
async function draw(baseUrl) {
  const key = keyOfType('agency')
  const answer = key ? await call(`${baseUrl}/enumerations`, key.secret) : {}
  if (answer.status !== 200) return
  const valuesOf = (field) => answer.body.enumerations.find(({ fields }) => fields.includes(field)).values
  byId('preferences').replaceChildren(
    ...Object.entries(many).map(([field, title]) => make('fieldset', { 'data-field': field }, make('legend', {}, title),
      valuesOf(field).map(({ value, name }) => make('label', { class: 'check' }, make('input', { type: 'checkbox', value, checked: usual[field].includes(value) }), ` ${name}`)))),
    make('label', {}, 'Salary from ', make('input', { id: 'own-salary', type: 'number', min: '1', value: String(usual.salaryMin) })),
    make('label', {}, 'Work authorization ', make('select', { id: 'own-visa' },
      valuesOf('visaAuthorization').map(({ value, name }) => make('option', { value, selected: value === usual.visaAuthorization }, name)))))
}

// chosenPreferences returns what was chosen; the API checks it.
export function chosenPreferences() {
  if (!byId('own-visa')) return usual
  const checked = (field) => [...document.querySelectorAll(`[data-field=${field}] :checked`)].map(({ value }) => value)
  return {
    ...Object.fromEntries(Object.keys(many).map((field) => [field, checked(field)])),
    salaryMin: Number(byId('own-salary').value), visaAuthorization: byId('own-visa').value,
  }
}
