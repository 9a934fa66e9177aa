import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'

/** A real node in its own process. */
export type AnvilNode = { readonly rpcUrl: string; readonly wsUrl: string; stop(): Promise<void> }

/** Starts a node that mines only on request and keeps all states. Its chain begins in November 2023. */
export async function startAnvil(chainId: number): Promise<AnvilNode> {
  const folder = await mkdtemp(join(tmpdir(), 'ridgeline-anvil-'))
  const options = `--host 127.0.0.1 --port 0 --chain-id ${chainId} --no-mining --timestamp 1700000000`
  const node = spawn(anvilProgram(), [...options.split(' '), '--cache-path', folder])
  const stop = async () => {
    const ended = once(node, 'exit')
    node.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  for await (const line of createInterface(node.stdout)) {
    const port = /Listening on 127\.0\.0\.1:(\d+)/.exec(line)?.[1]
    if (port === undefined) continue
    return { rpcUrl: `http://127.0.0.1:${port}`, wsUrl: `ws://127.0.0.1:${port}`, stop }
  }
  throw new Error('the node ended before it listened')
}

function anvilProgram(): string {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  const outer = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'))
  const manifest = outer.resolve(`@foundry-rs/anvil-${process.platform}-${architecture}/package.json`)
  return join(dirname(manifest), 'bin', 'anvil')
}
