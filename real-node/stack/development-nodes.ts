import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { anvilBinary } from '../../e2e/support/anvil.ts'
import { ask, freePorts } from './node.ts'

/** A development node: one chain, funded accounts, blocks on demand. */
export type DevelopmentNode = {
  readonly url: string
  /** The private key of a funded account, in hex without 0x. */
  readonly key: string
  /** Whether its callTracer agrees with the trace method that the service uses. */
  readonly isTraced: boolean
  /** With true, mines a block every second; with false, one for each transaction. */
  gather(isGathering: boolean): Promise<void>
  /** Takes a snapshot, to which `backTo` reverts. */
  mark(): Promise<string>
  backTo(mark: string): Promise<void>
  /** Restarts it with its chain; Hardhat does not keep any. */
  restart(): Promise<void>
  /** Restarts it with an empty chain. */
  startAnew(): Promise<void>
  stop(): Promise<void>
}

type Running = {
  stop(): Promise<void>
}

/** Starts a program and waits until it answers `eth_chainId`. Rejects with the last lines of its output. */
async function run(url: string, folder: string, program: string, args: readonly string[]): Promise<Running> {
  const log = join(folder, 'output.log')
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const file = createWriteStream(log, { flags: 'a' })
  child.stdout.pipe(file)
  child.stderr.pipe(file)
  const stop = (): Promise<void> => end(child)
  const until = Date.now() + 240_000
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
  // SIGINT lets them save their state.
  child.kill('SIGINT')
  const late = setTimeout(() => child.kill('SIGKILL'), 20_000)
  await ended
  clearTimeout(late)
}

/** The first account of the well-known mnemonic of Hardhat and anvil. */
const firstAccount = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

/** Mining modes and snapshots of Hardhat and anvil. */
function snapshots(url: string): Pick<DevelopmentNode, 'gather' | 'mark' | 'backTo'> {
  return {
    async gather(isGathering) {
      // Hardhat takes milliseconds, anvil seconds.
      const unit = (await ask<string>(url, 'web3_clientVersion', [])).startsWith('Hardhat') ? 1_000 : 1
      if (isGathering) await ask(url, 'evm_setAutomine', [false])
      await ask(url, 'evm_setIntervalMining', [isGathering ? unit : 0])
      // Ending anvil's interval also ends automatic mining.
      if (!isGathering) await ask(url, 'evm_setAutomine', [true])
    },
    mark: () => ask<string>(url, 'evm_snapshot', []),
    backTo: async (mark) => void (await ask(url, 'evm_revert', [mark])),
  }
}

/**
 * A node that `start` starts at a URL, and starts again after `forget` has removed its chain. `facts` are what differs
 * between the programs.
 */
async function startedNode(
  url: string,
  start: () => Promise<Running>,
  forget: () => void,
  facts: Partial<DevelopmentNode>,
): Promise<DevelopmentNode> {
  let running = await start()
  const again = async (between?: () => void): Promise<void> => {
    await running.stop()
    between?.()
    running = await start()
  }
  return {
    url,
    key: firstAccount,
    // The service uses `trace_block` of anvil, whose texts of failures differ; Hardhat has no traces.
    isTraced: false,
    ...snapshots(url),
    restart: () => again(),
    startAnew: () => again(forget),
    stop: () => running.stop(),
    ...facts,
  }
}

async function freeUrl(): Promise<{ readonly port: string; readonly url: string }> {
  const [port] = await freePorts(1)
  return { port: String(port), url: `http://127.0.0.1:${port}` }
}

/** anvil, which saves its state and history to a file. */
export async function startAnvilNode(folder: string): Promise<DevelopmentNode> {
  const { port, url } = await freeUrl()
  const state = join(folder, 'state.json')
  const flags = ['--host', '127.0.0.1', '--port', port, '--state', state, '--preserve-historical-states']
  mkdirSync(folder, { recursive: true })
  return startedNode(
    url,
    () => run(url, folder, anvilBinary(), flags),
    () => rmSync(state),
    {},
  )
}

/** Hardhat from the folder of its installation. Its chain is in memory only. */
export async function startHardhat(installed: string, folder: string): Promise<DevelopmentNode> {
  const { port, url } = await freeUrl()
  mkdirSync(folder, { recursive: true })
  // Hardhat only runs in a project that has it as a dependency.
  const config = join(installed, 'hardhat.config.js')
  writeFileSync(config, 'module.exports = {}\n')
  const program = join(installed, 'node_modules/hardhat/internal/cli/bootstrap.js')
  const flags = [program, '--config', config, 'node', '--hostname', '127.0.0.1', '--port', port]
  return startedNode(
    url,
    () => run(url, installed, process.execPath, flags),
    () => undefined,
    {},
  )
}

/** geth in development mode: a chain on disk, a block for each transaction, and the states of all blocks. */
export async function startGeth(program: string, folder: string): Promise<DevelopmentNode> {
  const { port, url } = await freeUrl()
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
  const http = ['--http', '--http.addr', '127.0.0.1', '--http.port', port, '--http.api']
  const all = [...flags, ...http, 'eth,net,web3,debug,txpool,dev']
  mkdirSync(folder, { recursive: true })
  const node = await startedNode(
    url,
    () => run(url, folder, program, all),
    () => rmSync(data, { recursive: true }),
    {
      // The developer account of geth's source code, which this mode unlocks.
      key: 'b71c71a67e1177ad4e901695e1b4b9ee17ae16c6668d313eac2f96dbcda3f291',
      isTraced: true,
      gather: async () => undefined,
      mark: () => ask<string>(url, 'eth_blockNumber', []),
    },
  )
  return {
    ...node,
    async backTo(mark) {
      await ask(url, 'debug_setHead', [mark])
      // Its block producer would continue from the removed block.
      await node.restart()
    },
  }
}
