import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { openHome } from '../home.ts'
import type { Notice } from '../launcher.ts'
import { sampleControl, type SampleControl } from './control.ts'

/** The options of a test's network. The defaults are fast: a short history, no live blocks, test controls enabled. */
export type StartOptions = {
  /** Length of the history in hours; 48 by default. */
  readonly hours?: number
  /** Unix seconds; a fixed time when absent, so that every run sees the same chains. */
  readonly now?: number
  readonly seed?: number
  readonly live?: boolean
  readonly archive?: boolean
  readonly port?: number
  /** A home to use again; a new one that `stop` removes when absent. */
  readonly home?: string
  readonly testControls?: boolean
  /** A built program to start instead of the sources. */
  readonly program?: string
  /** Resolves when the node listens, without waiting for the history. */
  readonly early?: boolean
}

/** A running sample network. */
export type RunningSample = {
  readonly url: string
  readonly home: string
  readonly child: ChildProcess
  readonly listening: Extract<Notice, { type: 'listening' }>
  /** The program's output so far. */
  readonly notices: readonly Notice[]
  readonly control: SampleControl
  /** RPC and websocket URL of a chain by its name in the network, such as `C-Chain`. */
  chain(name: string): Extract<Notice, { type: 'listening' }>['network']['chains'][number]
  /** Resolves when the history is complete. */
  readonly ready: Promise<void>
  /** Ends the program like Ctrl-C and removes the home if this start created it. */
  stop(): Promise<void>
  /** Ends the program like a crash; its nodes remain until the next start on this home. */
  kill(): Promise<void>
}

/** 2026-03-18 12:30 UTC, a Wednesday. */
export const testNow = 1_773_837_000

const timeoutMs = 180_000

/** Starts a sample network for a test and resolves when it is ready. Rejects with its output if it fails. */
export async function startSample(options: StartOptions = {}): Promise<RunningSample> {
  const home = options.home ?? mkdtempSync(path.join(tmpdir(), 'ridgeline-sample-'))
  // The program that `npm test` has built starts in two thirds of the CPU time; without it, the sources are started.
  const folder = process.env['RIDGELINE_BUILT']
  const built = options.program ?? (folder && path.join(folder, 'sample.js'))
  const source = fileURLToPath(new URL('../main.ts', import.meta.url))
  const program = built === undefined ? ['--import', 'tsx', source] : [built]
  const settings = {
    home,
    port: options.port ?? 0,
    hours: options.hours ?? 48,
    now: options.now ?? testNow,
    seed: options.seed ?? 1,
    live: options.live === true ? 'on' : 'off',
  }
  const args = [
    ...program,
    ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
    ...(options.testControls === false ? [] : ['--test-controls']),
    ...(options.archive === true ? ['--archive'] : []),
  ]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let errors = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString('utf8')).slice(-4000)
  })
  const notices: Notice[] = []
  const hear = <T extends Notice['type']>(type: T): Promise<Extract<Notice, { type: T }>> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`the sample network was not ${type} within ${timeoutMs / 1000} s`)),
        timeoutMs,
      )
      child.on('message', (message) => {
        const notice = message as Notice
        if (notice.type === type) {
          clearTimeout(timer)
          resolve(notice as Extract<Notice, { type: T }>)
        }
        if (notice.type === 'failed') {
          clearTimeout(timer)
          reject(new Error(notice.message))
        }
      })
      child.once('exit', (code) => {
        clearTimeout(timer)
        reject(new Error(`the sample network ended with code ${String(code)}: ${errors}`))
      })
    })
  child.on('message', (message) => notices.push(message as Notice))

  /** Removes a home of this start, and the nodes that a killed program has left in it. */
  function clean(): void {
    if (options.home !== undefined) return
    openHome(home).release()
    rmSync(home, { recursive: true, force: true })
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill(signal)
    await exit
  }

  const ready = hear('ready').then(() => undefined)
  // Not every test awaits it: the rejection must not count as unhandled.
  ready.catch(() => undefined)
  try {
    const listening = await hear('listening')
    if (options.early !== true) await ready
    return {
      url: listening.url,
      home,
      child,
      listening,
      notices,
      control: sampleControl(listening.url),
      chain(name) {
        const found = listening.network.chains.find((chain) => chain.name === name)
        if (found === undefined) throw new Error(`the sample network has no chain ${name}`)
        return found
      },
      ready,
      async stop() {
        await end('SIGTERM')
        clean()
      },
      kill: () => end('SIGKILL'),
    }
  } catch (error) {
    await end('SIGTERM')
    clean()
    throw error
  }
}
