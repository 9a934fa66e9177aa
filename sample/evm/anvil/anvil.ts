import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import path from 'node:path'
import { createRpcClient, type RpcClient } from './rpc.ts'

/** The options of an anvil process. */
export type AnvilOptions = {
  readonly chainId: number
  readonly accounts: number
  /** Seed of the accounts: the same seed gives the same keys. */
  readonly mnemonicSeed: number
  /** Unix seconds of the genesis block. */
  readonly genesisTime: number
  /** Folder for states that anvil moves to disk. Its path identifies the process as one of this home. */
  readonly cache: string
  /** An uncompressed state that `anvil_dumpState` returned. */
  readonly load?: string
  /** The number of old states to keep; all of them by default. */
  readonly keptStates?: number
  readonly onSpawn: (pid: number) => void
}

export type Anvil = {
  readonly pid: number
  readonly port: number
  readonly rpc: RpcClient
  /** Resolves with a description when the process has exited. */
  readonly gone: Promise<string>
  stop(): Promise<void>
}

const startTimeoutMs = 30_000
const everyState = 10_000_000

/** The native binary of this platform's package: the wrapper script would remain as a process in between. */
export function anvilBinary(platform: string = process.platform, arch: string = process.arch): string {
  const system = platform === 'win32' ? 'win32' : platform
  const machine = arch === 'x64' ? 'amd64' : arch
  const require = createRequire(import.meta.url)
  // The platform package is a dependency of the main one and need not be at the top of node_modules.
  const fromMain = createRequire(require.resolve('@foundry-rs/anvil/package.json'))
  const manifest = fromMain.resolve(`@foundry-rs/anvil-${system}-${machine}/package.json`)
  return path.join(path.dirname(manifest), 'bin', system === 'win32' ? 'anvil.exe' : 'anvil')
}

function argumentsOf(options: AnvilOptions): string[] {
  const settings = {
    host: '127.0.0.1',
    port: 0,
    'chain-id': options.chainId,
    accounts: options.accounts,
    balance: 1_000_000,
    'mnemonic-seed-unsafe': options.mnemonicSeed,
    timestamp: options.genesisTime,
    // Later hard forks write a storage slot of a system contract in every block, and anvil rehashes the whole
    // storage for each: mining slows down with height. The network's own rules are those of Cancun.
    hardfork: 'cancun',
    order: 'fees',
    'cache-path': options.cache,
  }
  return [
    ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
    '--no-mining',
    // By default anvil silently drops states beyond about four thousand.
    ...(options.keptStates === undefined
      ? ['--max-persisted-states', String(everyState)]
      : ['--prune-history', String(options.keptStates)]),
    ...(options.load === undefined ? [] : ['--load-state', options.load]),
  ]
}

/**
 * Ends a process with this program, also if that is killed and can end nothing itself: a shell waits for the end of a
 * pipe that this program alone holds open. Not on Windows, where the next start ends what was left.
 */
function endWithThisProgram(child: ChildProcess, pid: number): void {
  if (process.platform === 'win32') return
  const guardian = spawn('/bin/sh', ['-c', 'cat > /dev/null; kill -9 "$1"', 'guardian', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Ctrl-C must not end it before the process that it watches.
    detached: true,
  })
  guardian.on('error', () => undefined)
  guardian.stdin.on('error', () => undefined)
  guardian.unref()
  // Nothing is killed by the number of a process that is gone.
  child.once('exit', () => guardian.kill('SIGKILL'))
}

/**
 * Starts an anvil process on a free port and resolves when it answers. Rejects with its last output when it exits
 * before that.
 */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const child = spawn(anvilBinary(), argumentsOf(options), {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C is sent to the whole foreground group: in a group of its own, anvil runs until its state is saved.
    detached: process.platform !== 'win32',
    windowsHide: true,
    env: { ...process.env, NO_COLOR: '1', RUST_LOG: 'off' },
  })
  if (child.pid !== undefined) {
    options.onSpawn(child.pid)
    endWithThisProgram(child, child.pid)
  }
  // In its own group it would survive a program that exits without stopping it.
  const endWithUs = (): void => void child.kill('SIGKILL')
  process.once('exit', endWithUs)
  child.once('exit', () => process.off('exit', endWithUs))
  let said = ''
  const gone = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(`anvil did not start: ${error.message}`))
    child.on('exit', (code, signal) => {
      const last = said.trim().split('\n').at(-1) ?? ''
      resolve(`anvil ended with ${signal ?? `code ${String(code)}`}${last === '' ? '' : `: ${last}`}`)
    })
  })
  const port = await new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`anvil did not listen within ${String(startTimeoutMs / 1000)} s`))
    }, startTimeoutMs)
    const listen = (chunk: Buffer): void => {
      said = (said + chunk.toString('utf8')).slice(-65_536)
      const found = /Listening on 127\.0\.0\.1:(\d+)/.exec(said)?.[1]
      if (found === undefined) return
      clearTimeout(timer)
      child.stdout.off('data', listen)
      // Its later output is not used, but the pipe must not fill up.
      child.stdout.resume()
      said = ''
      resolve(Number(found))
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString('utf8')).slice(-4096)
    })
    void gone.then((words) => {
      clearTimeout(timer)
      reject(new Error(words))
    })
  })
  const rpc = createRpcClient(() => port)
  return {
    pid: child.pid ?? 0,
    port,
    rpc,
    gone,
    async stop() {
      rpc.close()
      if (child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, 'exit')
      // The owner has saved the state, so anvil can be killed.
      child.kill('SIGKILL')
      await exit
    },
  }
}
