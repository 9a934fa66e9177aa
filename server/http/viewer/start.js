// A file of its own, because the content security policy allows no inline script.
;(async function () {
  /** Whether a text has every word of a search. */
  const hasWords = (text, words) => words.every((word) => text.includes(word))

  /** Finds operations by every word of the filter in their tag, path, summary or id; the viewer's own knows tags only. */
  const filterOperations = () => ({
    fn: {
      opsFilter: (taggedOps, phrase) => {
        const words = phrase.toLowerCase().split(/\s+/).filter(Boolean)
        return taggedOps
          .map((tagged, tag) =>
            tagged.update('operations', (operations) =>
              operations.filter((one) => {
                const operation = one.get('operation')
                const text = [
                  tag,
                  one.get('method'),
                  one.get('path'),
                  operation.get('summary'),
                  operation.get('operationId'),
                ]
                return hasWords(text.join(' ').toLowerCase(), words)
              }),
            ),
          )
          .filter((tagged) => tagged.get('operations').size > 0)
      },
    },
  })

  /** Operations open by their whole line, which is a button: a link within it could not be reached by itself. */
  const plainPaths = (system) => ({
    components: { DeepLink: ({ text }) => system.React.createElement('span', null, text) },
  })

  const parts = [
    ['.information-container', 'About'],
    ['.schemes-server-container', 'Server and key'],
    ['.swagger-ui > div:nth-child(2) > div:nth-child(3)', 'Filter'],
  ]

  /** What assistive technology misses in the viewer: names of fields, levels of headings, boxes that scroll by keys. */
  const mend = (root) => {
    for (const select of root.querySelectorAll('select:not([aria-label])')) {
      const parameter = select.closest('[data-param-name]')?.dataset.paramName
      select.setAttribute('aria-label', parameter ?? (select.id === 'servers' ? 'Server' : 'Media type'))
    }
    // Its main part has the operations alone.
    for (const [selector, name] of parts) {
      const part = root.querySelector(`${selector}:not([role])`)
      part?.setAttribute('role', 'region')
      part?.setAttribute('aria-label', name)
    }
    for (const box of root.querySelectorAll(':is(.microlight, .curl, pre):not([tabindex])')) box.tabIndex = 0
    for (const heading of root.querySelectorAll(':is(h3, h4, h5):not([aria-level])'))
      heading.setAttribute('aria-level', String(Number(heading.tagName[1]) - 1))
    root
      .querySelector('.operation-filter-input:not([aria-label])')
      ?.setAttribute('aria-label', 'Filter operations')
    const filter = root.querySelector('.operation-filter-input')
    if (filter) filter.placeholder = 'Filter by words of the name, the path or the summary'
  }

  /** The examples of optional parameters are said and not filled in: a request has what is asked for. */
  const sayExamples = (document) => {
    for (const item of Object.values(document.paths))
      for (const { parameters = [] } of Object.values(item))
        for (const parameter of parameters) {
          if (parameter.required || parameter.example === undefined) continue
          if (parameter.name !== 'pageToken') parameter.description += `. Example: \`${parameter.example}\``
          delete parameter.example
        }
    return document
  }

  const root = document.querySelector('#operations')
  // Once a frame at most: an operation that opens changes the page hundreds of times.
  let waiting = false
  const mendSoon = () => {
    if (waiting) return
    waiting = true
    requestAnimationFrame(() => {
      waiting = false
      mend(root)
    })
  }
  new MutationObserver(mendSoon).observe(root, { childList: true, subtree: true })
  const answer = await fetch('/openapi.json')
  const spec = sayExamples(await answer.json())
  const viewer = SwaggerUIBundle({
    spec,
    dom_id: '#operations',
    deepLinking: true,
    displayOperationId: true,
    displayRequestDuration: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: -1,
    filter: true,
    persistAuthorization: true,
    requestSnippetsEnabled: true,
    requestSnippets: { generators: { curl_bash: { title: 'curl', syntax: 'bash' } }, defaultExpanded: true },
    tryItOutEnabled: true,
    validatorUrl: null,
    plugins: [filterOperations, plainPaths],
    // The key that the dashboard has for this service, until another one is entered here.
    onComplete: () => {
      try {
        const key = JSON.parse(localStorage.getItem('ridgeline.keys') ?? '{}').local
        if (key && localStorage.getItem('authorized') === null) viewer.preauthorizeApiKey('apiKey', key)
      } catch {
        // Storage may be closed or hold something else.
      }
    },
  })
})()
