/** A request as it can be sent from elsewhere. */
export type Sendable = {
  method: string
  /** Absolute. */
  url: string
  headers?: Readonly<Record<string, string>>
  /** JSON text. */
  body?: string | undefined
}

/** A text as one word of a POSIX shell: nothing in it is expanded. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

const headersOf = ({ headers = {}, body }: Sendable): [string, string][] => [
  ...Object.entries(headers),
  ...(body === undefined ? [] : [['content-type', 'application/json'] satisfies [string, string]]),
]

/** The request as a curl command for a POSIX shell. */
export function curlOf(request: Sendable): string {
  const parts = [
    `curl ${request.method === 'GET' ? '' : `-X ${request.method} `}${quoted(request.url)}`,
    ...headersOf(request).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(request.body === undefined ? [] : [`--data-raw ${quoted(request.body)}`]),
  ]
  return parts.join(' \\\n  ')
}

/** A text as a TypeScript literal that no line break or quote can leave. */
const literal = (text: string): string =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`

/** The request in TypeScript, for anything that has fetch. */
export function typescriptOf(request: Sendable): string {
  const headers = headersOf(request).map(([name, value]) => `    ${literal(name)}: ${literal(value)},`)
  const options = [
    ...(request.method === 'GET' ? [] : [`  method: ${literal(request.method)},`]),
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...(request.body === undefined ? [] : [`  body: ${literal(request.body)},`]),
  ]
  const call =
    options.length === 0
      ? `await fetch(${literal(request.url)})`
      : [`await fetch(${literal(request.url)}, {`, ...options, '})'].join('\n')
  return [
    `const response = ${call}`,
    'if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)',
    'const answer: unknown = await response.json()',
  ].join('\n')
}
