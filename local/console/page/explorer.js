// Starts Swagger UI on this system's own document. It signs in with the keys of the run; one that is
// typed in stays in the page.
'use strict'

// withoutNotices returns the document without what Swagger UI only warns of: a dialect that it takes
// for another one. The title is on the page already.
function withoutNotices(document) {
  delete document.jsonSchemaDialect
  return document
}

// signIn authorizes the explorer with the keys that the run printed.
async function signIn(ui) {
  const token = document.querySelector('meta[name=console-token]').content
  const response = await fetch('/console/keys/run', { method: 'POST', headers: { 'X-Console-Token': token } })
  for (const { type, secret } of response.ok ? await response.json() : []) ui.preauthorizeApiKey(`${type}Key`, secret)
}

// withReference returns the document with a link from each operation to its place in the reference.
function withReference(document, page) {
  for (const operations of Object.values(document.paths)) {
    for (const operation of Object.values(operations)) {
      if (operation.operationId) operation.externalDocs = { description: 'Fields, errors and samples in the reference', url: `${page}#${operation.operationId}` }
    }
  }
  return document
}

async function start() {
  const main = document.getElementById('explorer')
  if (!window.SwaggerUIBundle) {
    main.textContent = 'The explorer is not installed: run npm ci --ignore-scripts in local/, and reload.'
    return
  }
  const address = document.querySelector('meta[name=document]').content
  const response = await fetch(address, { headers: { Accept: 'application/json' } })
  const ui = window.SwaggerUIBundle({
    spec: withReference(withoutNotices(await response.json()), new URL(address.replace('/openapi.json', ''), location.href).href),
    domNode: main,
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: -1,
    displayRequestDuration: true,
    filter: true,
    persistAuthorization: false,
    tryItOutEnabled: true,
    validatorUrl: null,
    onComplete: () => signIn(ui),
  })
}

const theme = localStorage.getItem('console-theme')
const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.classList.toggle('dark-mode', isDark)
document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
window.addEventListener('load', start)
