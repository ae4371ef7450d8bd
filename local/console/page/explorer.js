// Starts Swagger UI on this system's own document. A key that is typed in stays in the page.
'use strict'

// withoutNotices returns the document without what Swagger UI only warns of: a dialect that it takes
// for another one. The title is on the page already.
function withoutNotices(document) {
  delete document.jsonSchemaDialect
  return document
}

async function start() {
  const main = document.getElementById('explorer')
  if (!window.SwaggerUIBundle) {
    main.textContent = 'The explorer is not installed: run npm ci --ignore-scripts in local/, and reload.'
    return
  }
  const response = await fetch(document.querySelector('meta[name=document]').content, { headers: { Accept: 'application/json' } })
  window.SwaggerUIBundle({
    spec: withoutNotices(await response.json()),
    domNode: main,
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: -1,
    displayRequestDuration: true,
    filter: true,
    persistAuthorization: false,
    tryItOutEnabled: true,
    validatorUrl: null,
  })
}

const theme = localStorage.getItem('console-theme')
const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.classList.toggle('dark-mode', isDark)
document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
window.addEventListener('load', start)
