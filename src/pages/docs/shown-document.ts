import { operations } from '../../../contract/operations.ts'
import { hasOperation, type Profile } from '../../../contract/profile.ts'
import type { DocumentedOperation, OpenApi } from './document.ts'

const ofMetrics = new Set(operations.flatMap(({ id, api }) => (api === 'metrics' ? [id] : [])))

/**
 * The document as the page shows it: of the operations, those that the deployment has, with its URLs. The viewer fills in
 * every example; those of optional parameters are said instead, so that a request has what is asked for.
 */
export function shownDocument(
  document: OpenApi,
  profile: Pick<Profile, 'dataUrl' | 'metricsUrl' | 'missingOperations' | 'offeredOperations'>,
): OpenApi {
  const { dataUrl, metricsUrl } = profile
  const paths = Object.entries(document.paths).flatMap(([path, item]) => {
    const kept = Object.entries(item).filter(([, { operationId }]) => hasOperation(profile, operationId))
    return kept.length === 0
      ? []
      : [
          [
            path,
            Object.fromEntries(
              kept.map(([method, one]) => [
                method,
                {
                  ...withSaid(one),
                  ...(metricsUrl !== dataUrl &&
                    ofMetrics.has(one.operationId) && { servers: [{ url: metricsUrl }] }),
                },
              ]),
            ),
          ] as const,
        ]
  })
  return {
    ...document,
    paths: Object.fromEntries(paths),
    ...(dataUrl !== '' && { servers: [{ url: dataUrl }] }),
  }
}

/**
 * A document without the answers of its operations and what these refer to: the viewer makes an object of its own of every
 * value, and these are seven tenths of them.
 */
export function outlineOf(document: OpenApi): OpenApi {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const outlined = Object.entries(item).map(
      ([method, one]) => [method, { ...one, responses: undefined }] as const,
    )
    return [path, Object.fromEntries(outlined)] as const
  })
  return { ...document, components: undefined, paths: Object.fromEntries(paths) }
}

function withSaid(one: DocumentedOperation): DocumentedOperation {
  if (!one.parameters) return one
  return {
    ...one,
    parameters: one.parameters.map(({ example, ...rest }) => {
      if (example === undefined) return rest
      if (rest.required === true) return { ...rest, example }
      // Nobody can use that of a page token.
      if (rest.name === 'pageToken') return rest
      return { ...rest, description: `${rest.description ?? ''}. Example: \`${String(example)}\`` }
    }),
  }
}

/** Whether a text has every word of a search, in any case. */
export function hasWords(text: string, search: string): boolean {
  const lower = text.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word))
}
