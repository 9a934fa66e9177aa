import { utils } from '@avalabs/avalanchejs'
import { spawn, type ChildProcess } from 'node:child_process'
import { createHash, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { PreparedNode } from '../../scripts/support/staking-network.mjs'

/** What nodes call the chains of the primary network. */
export const chainAliases = ['P', 'X', 'C'] as const
export type ChainAlias = (typeof chainAliases)[number]

/** A running avalanchego on loopback. */
export type RealNode = {
  /** Its base URL, such as http://127.0.0.1:9650 */
  readonly url: string
  /** Resolves with the last lines of its output when it exits. */
  readonly gone: Promise<string>
  /** Halts the process or lets it go on. */
  freeze(isFrozen: boolean): void
  stop(): Promise<void>
}

type NodeOptions = {
  readonly program: string
  /** The folder of its data and keys, which survive a restart. */
  readonly prepared: Pick<PreparedNode, 'folder' | 'url'>
  readonly flags: readonly string[]
}

const timeoutMs = 240_000

/** Starts a node and waits until it is ready. Rejects with the last lines of its output if it exits or times out. */
export async function startNode({ program, prepared, flags }: NodeOptions): Promise<RealNode> {
  const { folder, url } = prepared
  // Profiles of a chain are written to the working directory.
  const child = spawn(program, flags, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const log = join(folder, 'output.log')
  const file = createWriteStream(log, { flags: 'a' })
  child.stdout.pipe(file)
  child.stderr.pipe(file)
  const lastWords = (): string => readFileSync(log, 'utf8').trim().split('\n').slice(-5).join('\n')
  const ended = once(child, 'exit').then(() => lastWords())
  const stop = (): Promise<void> => endProcess(child)
  try {
    await untilReady(url, child, lastWords)
    const freeze = (isFrozen: boolean): void => void child.kill(isFrozen ? 'SIGSTOP' : 'SIGCONT')
    return { url, gone: ended, freeze, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function untilReady(url: string, child: ChildProcess, lastWords: () => string): Promise<void> {
  const until = Date.now() + timeoutMs
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`avalanchego ended while it started:\n${lastWords()}`)
    const isReady = await fetch(`${url}/ext/health/readiness`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (isReady) return
    if (Date.now() > until) throw new Error(`avalanchego is not ready after a minute:\n${lastWords()}`)
    await delay(100)
  }
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(late)
}

/** Numbers that JavaScript would round. No string of an answer contains one between these delimiters. */
const wide = /(?<=[:[,])\d{16,}(?=[,}\]])/g

/** Parses an answer whose numbers of 16 digits and more become text. */
export const parseExactly = (answer: string): unknown => JSON.parse(answer.replace(wide, '"$&"'))

/**
 * Calls a JSON-RPC method of a node. Numbers of 16 digits and more become text. Rejects with the node's message if
 * the answer is an error.
 */
export async function ask<T>(url: string, method: string, params: unknown = {}): Promise<T> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(240_000),
  })
  if (!answer.ok) throw new Error(`${method}: HTTP ${answer.status}`)
  const body = parseExactly(await answer.text()) as { result?: T; error?: { message: string } }
  if (body.error !== undefined) throw new Error(`${method}: ${body.error.message}`)
  return body.result as T
}

/** Below the range from which systems take the ports of outgoing connections, of which other tests make thousands. */
const [firstPort, lastPort] = [12_000, 32_000]

/** Ports of the loopback interface that are currently free, and that no outgoing connection takes. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = randomInt(firstPort, lastPort)
    if (!ports.has(port) && (await isFree(port))) ports.add(port)
  }
  return [...ports]
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false
    throw error
  }
  await once(server.close(), 'close')
  return true
}

/** The bytes of the node's hex encoding, without the checksum. */
export const bytesOf = (hex: string): Buffer => Buffer.from(hex.replace(/^0x/, ''), 'hex').subarray(0, -4)

/** The id of a block of P or X, or of a transaction with its codec version. */
export const idOf = (bytes: Uint8Array): string =>
  utils.base58check.encode(createHash('sha256').update(bytes).digest())
