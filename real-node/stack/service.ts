import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { getNetworkOverview } from '../../contract/network/overview.ts'
import { launch, writeConfig } from '../../e2e/support/launcher.ts'
import { addressPrefix, evmChainId, networkId } from '../../scripts/support/staking-network.mjs'
import { openContract, type ContractReader } from './contract-reader.ts'
import { ask } from './node.ts'

const verifyProgram = fileURLToPath(new URL('../../scripts/verify.mjs', import.meta.url))

/** Ridgeline indexing a real network, started with its own command. */
export type Service = {
  readonly url: string
  /** The local token that administration and privileged namespaces require. */
  readonly token: string
  /** All lines of its log, parsed. */
  log(): readonly Readonly<Record<string, unknown>>[]
  /** The exit code and output of `npm run verify` on its database. */
  verify(): Promise<{ readonly code: unknown; readonly output: string }>
  stop(): Promise<unknown>
} & ContractReader

/**
 * Starts Ridgeline with a configuration of the node's primary network, its C-Chain, `chains`, and other settings.
 * `logLevel` is `info` by default. `root` is the project to run, by default this one.
 */
export async function startService(
  nodeUrl: string,
  folder: string,
  options: {
    readonly chains?: readonly unknown[]
    readonly logLevel?: string
    readonly root?: string
    readonly [setting: string]: unknown
  } = {},
): Promise<Service> {
  const { chains = [], logLevel = 'info', root, ...settings } = options
  const config = writeConfig(folder, {
    ...settings,
    networks: [{ id: 'fuji', name: 'Real network', networkId, prefix: addressPrefix, nodeUrl }],
    chains: [
      {
        name: 'C-Chain',
        evmChainId,
        rpcUrl: `${nodeUrl}/ext/bc/C/rpc`,
        wsUrl: `${nodeUrl.replace(/^http/, 'ws')}/ext/bc/C/ws`,
        network: 'fuji',
        token: { name: 'Avalanche', symbol: 'AVAX', decimals: 18 },
        pollSeconds: 0.5,
      },
      ...chains,
    ],
  })
  const launched = launch({
    home: folder,
    args: ['--config', config],
    env: { LOG_LEVEL: logLevel },
    ...(root !== undefined && { root }),
  })
  const url = await launched.url

  return {
    url,
    token: readFileSync(join(folder, 'token'), 'utf8').trim(),
    ...openContract(url, readFileSync(join(folder, 'token'), 'utf8').trim()),
    log: () =>
      readFileSync(join(folder, 'logs', 'service.log'), 'utf8')
        .split('\n')
        // The last line may be incomplete.
        .filter((line) => line.startsWith('{') && line.endsWith('}'))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    verify: () =>
      new Promise((resolve) => {
        const env = { ...process.env, RIDGELINE_HOME: folder }
        execFile(process.execPath, [verifyProgram, '--config', config], { env }, (error, stdout, stderr) =>
          resolve({ code: error?.code ?? 0, output: stdout + stderr }),
        )
      }),
    stop: () => launched.stop(),
  }
}

/** Waits until the service has indexed P and X, and the atomic transactions of C, up to the node's heads. */
export async function untilIndexed(
  service: Service,
  nodeUrl: string,
  overview: typeof getNetworkOverview,
): Promise<void> {
  const until = Date.now() + 240_000
  const heights = async (): Promise<string[]> => {
    const [p, x, c] = await Promise.all([
      ask<{ height: string }>(`${nodeUrl}/ext/bc/P`, 'platform.getHeight'),
      ask<{ height: string }>(`${nodeUrl}/ext/bc/X`, 'avm.getHeight'),
      ask<string>(`${nodeUrl}/ext/bc/C/rpc`, 'eth_blockNumber', []),
    ])
    return [p.height, x.height, String(BigInt(c))]
  }
  for (;;) {
    const wanted = await heights()
    // The service listens before its database has started.
    const { chains } = await service.get(overview, {}).catch((error: unknown) => {
      if (String(error).includes('HTTP 503')) return { chains: [] }
      throw error
    })
    const found = ['p-chain', 'x-chain', 'c-chain'].map(
      (name) => chains.find(({ chainName }) => chainName === name)?.indexedHeight,
    )
    const stopped = chains.find(({ state }) => state === 'stopped')
    if (stopped) throw new Error(`${stopped.chainName} has stopped: ${stopped.reason ?? ''}`)
    if (JSON.stringify(found) === JSON.stringify(wanted)) return
    if (Date.now() > until) throw new Error(`indexed ${found.join(', ')} of ${wanted.join(', ')}`)
    await delay(250)
  }
}
