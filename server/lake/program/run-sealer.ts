import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Config, NetworkConfig } from '../../kernel/settings/config.ts'
import { lakeFolderOf } from '../../kernel/settings/lake.ts'
import { pause } from '../../kernel/pause.ts'
import { publicNetworkIds } from '../../kernel/settings/public-networks.ts'
import { programFile } from '../../kernel/programs/program-file.ts'
import type { SealerNews, SealerOrder } from './sealer.ts'

type RunSealerOptions = {
  readonly config: Pick<Config, 'lake' | 'lakeFolder' | 'home' | 'chains' | 'networks'>
  readonly databaseUrl: string
  readonly logger: {
    info(fields: object, message: string): void
    warn(fields: object, message: string): void
  }
  readonly signal: AbortSignal
  /** Milliseconds between two looks of the sealer. */
  readonly every?: number
  /** Milliseconds after which a sealer that ended by itself is started again. */
  readonly againAfter?: number
  /** Called with each sealer that was started. */
  readonly onStarted?: (pid: number | undefined) => void
}

const defaultAgainAfter = 5_000

/**
 * With `lake.seal` in the settings, keeps a process beside the service that writes what becomes final into the lake, until
 * the signal. A sealer that ends by itself is started again: what it had not published is done again.
 */
export async function runLakeSealer(options: RunSealerOptions): Promise<void> {
  const { config, logger, signal, againAfter = defaultAgainAfter } = options
  if (!config.lake.seal) return
  const order = orderOf(options)
  for (const network of config.networks)
    if (!hasGenesis(network))
      logger.warn({ network: network.id }, 'its P- and X-Chain are not sealed: they need its genesisFile')
  while (!signal.aborted) {
    const sealer = startSealer()
    options.onStarted?.(sealer.pid)
    const end = () => sealer.kill('SIGKILL')
    signal.addEventListener('abort', end)
    sealer.on('message', ({ event, ...fields }: SealerNews) => {
      if (event === 'sealed') logger.info(fields, 'the lake has another range')
      else
        logger.warn(fields, event === 'again' ? 'the lake tries again' : 'the lake seals this chain no more')
    })
    sealer.send(order)
    await once(sealer, 'exit')
    signal.removeEventListener('abort', end)
    if (signal.aborted) return
    logger.warn({}, 'the sealer of the lake ended, and is started again')
    await pause(againAfter, signal)
  }
}

function orderOf({ config, databaseUrl, every }: RunSealerOptions): SealerOrder {
  return {
    root: config.lake.storage ?? lakeFolderOf(config),
    home: config.home,
    size: config.lake.rangeSize,
    databaseUrl,
    ...(every !== undefined && { every }),
    chains: config.chains.map(({ evmChainId, rpcUrl, startBlock, concurrency, traces }) => ({
      chain: evmChainId,
      rpcUrl,
      from: startBlock,
      concurrency,
      traces: traces === 'off' ? traces : undefined,
    })),
    networks: config.networks
      .filter(hasGenesis)
      .map(({ id: network, nodeUrl, genesisFile, concurrency }) => ({
        network,
        nodeUrl,
        genesisFile,
        concurrency,
      })),
  }
}

const hasGenesis = ({ genesisFile, networkId }: NetworkConfig): boolean =>
  genesisFile !== undefined || publicNetworkIds.has(networkId)

function startSealer(): ChildProcess {
  const { path, isSource } = programFile('lake', 'main.ts', import.meta.url)
  const execArgv = isSource ? ['--import', import.meta.resolve('tsx')] : []
  return fork(path, ['sealer'], { execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
}
