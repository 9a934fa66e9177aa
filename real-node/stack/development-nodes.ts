import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { anvilBinary } from '../../e2e/support/anvil.ts'
import { ask, freePorts } from './node.ts'

/** A node that a developer runs: one chain, rich accounts, blocks on demand. */
export type DevelopmentNode = {
  readonly url: string
  /** The private key of a rich account, in hex without 0x. */
  readonly key: string
  /** Whether its `debug_traceTransaction` with the callTracer says what the method says that the service asks. */
  readonly isTraced: boolean
  /** Makes a block every second, or one for each transaction again. */
  gather(isGathering: boolean): Promise<void>
  /** Remembers the head; `backTo` makes it the head again. */
  mark(): Promise<string>
  backTo(mark: string): Promise<void>
  /** Ends it and starts it again with the chain that it had; Hardhat keeps none. */
  restart(): Promise<void>
  /** Ends it and starts it again without a chain. */
  startAnew(): Promise<void>
  stop(): Promise<void>
}

type Running = {
  stop(): Promise<void>
}

/** Runs a program until it answers `eth_chainId`. Rejects with its last words when it does not get there. */
async function run(url: string, folder: string, program: string, args: readonly string[]): Promise<Running> {
  const log = join(folder, 'output.log')
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const file = createWriteStream(log, { flags: 'a' })
  child.stdout.pipe(file)
  child.stderr.pipe(file)
  const stop = (): Promise<void> => end(child)
  const until = Date.now() + 60_000
  for (;;) {
    if (await ask(url, 'eth_chainId', []).then(Boolean, () => false)) return { stop }
    if (child.exitCode !== null || Date.now() > until) {
      await stop()
      throw new Error(`${program} does not answer:\n${readFileSync(log, 'utf8').slice(-2_000)}`)
    }
    await delay(100)
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  // What they were doing is written down before they go.
  child.kill('SIGINT')
  const late = setTimeout(() => child.kill('SIGKILL'), 20_000)
  await ended
  clearTimeout(late)
}

/** The first account that Hardhat and anvil make of their well-known mnemonic. */
const firstAccount = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

/** How Hardhat and anvil gather transactions into blocks, and go back. */
function snapshots(url: string): Pick<DevelopmentNode, 'gather' | 'mark' | 'backTo'> {
  return {
    async gather(isGathering) {
      // Milliseconds to Hardhat, seconds to anvil.
      const unit = (await ask<string>(url, 'web3_clientVersion', [])).startsWith('Hardhat') ? 1_000 : 1
      if (isGathering) await ask(url, 'evm_setAutomine', [false])
      await ask(url, 'evm_setIntervalMining', [isGathering ? unit : 0])
      // To anvil the end of the interval is the end of mining.
      if (!isGathering) await ask(url, 'evm_setAutomine', [true])
    },
    mark: () => ask<string>(url, 'evm_snapshot', []),
    backTo: async (mark) => void (await ask(url, 'evm_revert', [mark])),
  }
}

/** anvil, whose state and history are in a file between two runs. */
export async function startAnvilNode(folder: string): Promise<DevelopmentNode> {
  const [port] = await freePorts(1)
  const url = `http://127.0.0.1:${port}`
  const state = join(folder, 'state.json')
  const flags = [
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--state',
    state,
    '--preserve-historical-states',
  ]
  const start = (): Promise<Running> => run(url, folder, anvilBinary(), flags)
  mkdirSync(folder, { recursive: true })
  let running = await start()
  const restart = async (): Promise<void> => {
    await running.stop()
    running = await start()
  }
  return {
    url,
    key: firstAccount,
    // The service asks `trace_block` here, which has other words for what failed.
    isTraced: false,
    ...snapshots(url),
    restart,
    async startAnew() {
      await running.stop()
      rmSync(state)
      running = await start()
    },
    stop: () => running.stop(),
  }
}

/** Hardhat from the folder in which it is installed; its chain is in memory alone. */
export async function startHardhat(installed: string, folder: string): Promise<DevelopmentNode> {
  const [port] = await freePorts(1)
  const url = `http://127.0.0.1:${port}`
  mkdirSync(folder, { recursive: true })
  // It wants to be run from a project that has it.
  const config = join(installed, 'hardhat.config.js')
  writeFileSync(config, 'module.exports = {}\n')
  const program = join(installed, 'node_modules/hardhat/internal/cli/bootstrap.js')
  const flags = [program, '--config', config, 'node', '--hostname', '127.0.0.1', '--port', String(port)]
  const start = (): Promise<Running> => run(url, installed, process.execPath, flags)
  let running = await start()
  const restart = async (): Promise<void> => {
    await running.stop()
    running = await start()
  }
  return {
    url,
    key: firstAccount,
    isTraced: false,
    ...snapshots(url),
    restart,
    startAnew: restart,
    stop: () => running.stop(),
  }
}

/** geth in development mode: a chain of its own on disk, a block for each transaction, states of all blocks. */
export async function startGeth(program: string, folder: string): Promise<DevelopmentNode> {
  const [port] = await freePorts(1)
  const url = `http://127.0.0.1:${port}`
  const data = join(folder, 'data')
  const flags = [
    '--dev',
    '--datadir',
    data,
    '--gcmode',
    'archive',
    '--ipcdisable',
    '--nodiscover',
    '--port',
    '0',
  ]
  const http = ['--http', '--http.addr', '127.0.0.1', '--http.port', String(port), '--http.api']
  const start = (): Promise<Running> =>
    run(url, folder, program, [...flags, ...http, 'eth,net,web3,debug,txpool,dev'])
  mkdirSync(folder, { recursive: true })
  let running = await start()
  const restart = async (): Promise<void> => {
    await running.stop()
    running = await start()
  }
  return {
    url,
    // The account that geth unlocks in this mode; its source names the key.
    key: 'b71c71a67e1177ad4e901695e1b4b9ee17ae16c6668d313eac2f96dbcda3f291',
    isTraced: true,
    gather: async () => undefined,
    mark: () => ask<string>(url, 'eth_blockNumber', []),
    async backTo(mark) {
      await ask(url, 'debug_setHead', [mark])
      // What makes its blocks would go on from the block that is gone.
      await restart()
    },
    restart,
    async startAnew() {
      await running.stop()
      rmSync(data, { recursive: true })
      running = await start()
    },
    stop: () => running.stop(),
  }
}
