import { Agent, get } from 'node:http'
import { timeEach } from './time-each.ts'

/** Times sequential requests over one keep-alive connection, in microseconds. */
export type Timer = {
  /** Milliseconds until the complete answer, like `timeEach`. Throws if one is not a success. */
  time(paths: readonly string[]): Promise<number[]>
  /** The answer of a path as text. */
  text(path: string): Promise<string>
  close(): void
}

/** What a timer sends with each request, and the status that is a success. */
type TimerOptions = { readonly headers?: Readonly<Record<string, string>>; readonly status?: number }

/** Opens a timer on a server. */
export function openTimer(url: string, { headers = {}, status = 200 }: TimerOptions = {}): Timer {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: 1, noDelay: true })

  const text = (path: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const sent = get({ hostname, port, path, agent, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.once('error', reject)
        response.once('end', () => {
          const body = Buffer.concat(chunks).toString()
          if (response.statusCode === status) resolve(body)
          else reject(new Error(`${path}: ${response.statusCode} ${body.slice(0, 200)}`))
        })
      })
      sent.once('error', reject)
    })

  return {
    text,
    time: (paths) => timeEach(paths.map((path) => () => text(path))),
    close: () => agent.destroy(),
  }
}
