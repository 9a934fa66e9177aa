/** A request as it can be sent from elsewhere. */
type Sendable = {
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
