import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { endLater } from './endings.ts'

/** A local EVM node. */
export type Node = {
  readonly url: string
  readonly pid: number
  /** Asks the node to end, so that it can write its state, and waits for that. */
  stop(): Promise<void>
}

/** The path of the program itself: the npm package's wrapper would leave it running when it ends. */
function anvilProgram(): string {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  const outer = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'))
  const manifest = outer.resolve(`@foundry-rs/anvil-${process.platform}-${architecture}/package.json`)
  return join(dirname(manifest), 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil')
}

/** Starts anvil on a free port and waits until it listens. If it ends instead, throws its last output. */
export async function startAnvil(options: readonly string[]): Promise<Node> {
  const child = spawn(anvilProgram(), ['--host', '127.0.0.1', '--port', '0', ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', RUST_LOG: 'off' },
  })
  const ended = once(child, 'exit')
  const stop = endLater(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGINT')
    await ended
  })
  let words = ''
  child.stderr.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-2_000)
  })
  const lines = createInterface(child.stdout)
  const port = await Promise.race([
    new Promise<string>((resolve) => {
      lines.on('line', (line) => {
        const found = /Listening on 127\.0\.0\.1:(\d+)/.exec(line)?.[1]
        if (found !== undefined) resolve(found)
      })
    }),
    ended.then(() => Promise.reject(new Error(`anvil ended: ${words.trim()}`))),
  ])
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    stop,
  }
}
