import { type ComponentType, useEffect, useRef } from 'react'
import SwaggerUI, {
  type Group,
  type Immutable,
  type ViewerRequest,
  type ViewerSystem,
} from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import type { Profile } from '../../../contract/profile.ts'
import { keyed } from '../../api/session.ts'
import { isStatic } from '../../lib/place.ts'
import type { OpenApi } from './document.ts'
import { resolvedPart } from './resolved-part.ts'
import { hasWords, outlineOf, shownDocument } from './shown-document.ts'
import 'swagger-ui-dist/swagger-ui.css'
import './viewer.css'

/** Finds operations by every word of the filter in their tag, path, summary or id; the viewer's own knows tags only. */
const filterOperations = () => ({
  fn: {
    opsFilter: (tagged: Immutable<Group>, search: string) =>
      tagged
        .map((group, tag) =>
          group.update('operations', (operations) =>
            operations.filter((one) => {
              const described = one.get('operation')
              const parts = [one.get('method'), one.get('path')]
              return hasWords(
                [tag, ...parts, described.get('summary'), described.get('operationId')].join(' '),
                search,
              )
            }),
          ),
        )
        .filter((group) => group.get('operations').size > 0),
  },
})

/** Answers for an operation that opens with all that the document has of it, of which the list has an outline. */
const resolveParts = (document: OpenApi) => () => ({
  fn: {
    resolveSubtree: (_: unknown, path: readonly string[]) =>
      Promise.resolve({ spec: resolvedPart(document, path), errors: [] }),
  },
})

/**
 * The filter and the operations; the page has the title, the server and the key. Operations open by their whole line,
 * which is a button: a link within it could not be reached by itself.
 */
const plainParts = ({ React }: ViewerSystem) => ({
  components: {
    DeepLink: ({ text }: { text: string }) => React.createElement('span', null, text),
    OperationsAlone: ({
      getComponent,
    }: {
      getComponent: (name: string, isContainer: true) => ComponentType
    }) =>
      React.createElement(
        'div',
        { className: 'swagger-ui' },
        React.createElement(getComponent('FilterContainer', true)),
        React.createElement(getComponent('operations', true)),
      ),
    authorizeOperationBtn: () => null,
  },
})

/** What assistive technology misses in the viewer: names of fields, levels of headings, boxes that scroll by keys. */
function mend(root: HTMLElement): void {
  for (const select of root.querySelectorAll('select:not([aria-label])')) {
    const parameter = select.closest<HTMLElement>('[data-param-name]')?.dataset['paramName']
    select.setAttribute('aria-label', parameter ?? 'Media type')
  }
  for (const box of root.querySelectorAll<HTMLElement>(':is(.microlight, .curl, pre):not([tabindex])'))
    box.tabIndex = 0
  for (const heading of root.querySelectorAll(':is(h3, h4, h5):not([aria-level])'))
    heading.setAttribute('aria-level', String(Number(heading.tagName[1]) - 1))
  const filter = root.querySelector<HTMLInputElement>('.operation-filter-input:not([aria-label])')
  if (filter) {
    filter.setAttribute('aria-label', 'Filter operations')
    filter.placeholder = 'Filter by name, path or words'
  }
}

/** The operations with their parameters, answers and forms, by Swagger UI. */
export function Viewer({ document, profile }: { document: OpenApi; profile: Profile }) {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const root = host.current
    if (!root) return undefined
    const place = root.appendChild(window.document.createElement('div'))
    // Once a frame at most: an operation that opens changes the page hundreds of times.
    let waiting: number | undefined
    const observer = new MutationObserver(() => {
      waiting ??= requestAnimationFrame(() => {
        waiting = undefined
        mend(root)
      })
    })
    observer.observe(root, { childList: true, subtree: true })
    const shown = shownDocument(document, profile)
    SwaggerUI({
      spec: outlineOf(shown),
      domNode: place,
      // A static build has its own pages there.
      deepLinking: !isStatic,
      displayOperationId: true,
      displayRequestDuration: true,
      docExpansion: 'none',
      defaultModelsExpandDepth: -1,
      filter: true,
      requestSnippetsEnabled: true,
      requestSnippets: { defaultExpanded: true },
      // Commands are copied and shared, so they have no key.
      showMutatedRequest: false,
      tryItOutEnabled: true,
      validatorUrl: null,
      layout: 'OperationsAlone',
      plugins: [filterOperations, resolveParts(shown), plainParts],
      requestInterceptor: (request: ViewerRequest) => ({ ...request, ...keyed(profile, request.headers) }),
    })
    return () => {
      observer.disconnect()
      if (waiting !== undefined) cancelAnimationFrame(waiting)
      place.remove()
    }
  }, [document, profile])
  return <div ref={host} id="operations" />
}
