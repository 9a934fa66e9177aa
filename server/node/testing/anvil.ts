import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { mnemonicToAccount } from 'viem/accounts'

/** One of the accounts that every anvil funds at its start. */
export const anvilAccount = (addressIndex = 0) =>
  mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex })

/** A real EVM node on loopback, with methods to set it up. */
export type Anvil = {
  readonly url: string
  ask(method: string, params: readonly unknown[]): Promise<unknown>
  stop(): Promise<void>
}

/** The path of the program itself: the npm package's wrapper would leave it running when it ends. */
function anvilProgram(): string {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  const outer = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'))
  const manifest = outer.resolve(`@foundry-rs/anvil-${process.platform}-${architecture}/package.json`)
  return join(dirname(manifest), 'bin', 'anvil')
}

/** Starts a separate node on a free port. */
export async function startAnvil(options: readonly string[] = []): Promise<Anvil> {
  const child = spawn(anvilProgram(), ['--host', '127.0.0.1', '--port', '0', ...options])
  const ended = once(child, 'exit')
  let url = ''
  for await (const line of createInterface(child.stdout)) {
    const port = /Listening on 127\.0\.0\.1:(\d+)/.exec(line)?.[1]
    if (port === undefined) continue
    url = `http://127.0.0.1:${port}`
    break
  }
  if (url === '') throw new Error('the node ended before it listened')
  child.stdout.resume()
  return {
    url,
    async ask(method, params) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(url, { method: 'POST', headers, body })
      const answer = (await response.json()) as { result?: unknown; error?: { message: string } }
      if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
      return answer.result
    },
    async stop() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
