import { readFileSync } from 'node:fs'

/** A recorded call to a real node and its answer. */
export type Recorded = {
  readonly name: string
  readonly path: string
  readonly body: unknown
  readonly status: number
  readonly answer: unknown
}

/** The recorded calls of a file of `sample/node/fixtures`, by name. */
export function recordedCalls(file: string): ReadonlyMap<string, Recorded> {
  const url = new URL(`../node/fixtures/${file}`, import.meta.url)
  const list = JSON.parse(readFileSync(url, 'utf8')) as readonly Recorded[]
  return new Map(list.map((each) => [each.name, each]))
}

/** Sends a recorded call to another node and returns its answer in the recorded format. */
export async function repeat(
  base: string,
  { path, body }: Recorded,
): Promise<Pick<Recorded, 'status' | 'answer'>> {
  const response = await fetch(base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  return { status: response.status, answer: isJson ? (JSON.parse(text) as unknown) : text }
}
