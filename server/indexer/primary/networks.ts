import { setMaxListeners } from 'node:events'
import { primaryChainKey, primaryChainName } from '../../primary/chains.ts'
import { readGenesisFile } from '../../primary/genesis-file.ts'
import { publicGenesis } from '../../primary/public-genesis.ts'
import { cChainOf } from '../../primary/served-network.ts'
import type { ChainConfig, NetworkConfig } from '../../kernel/settings/config.ts'
import { namedNetwork } from '../../kernel/settings/public-networks.ts'
import type { Database } from '../../store/database.ts'
import { FatalError } from '../../kernel/errors.ts'
import type { IndexerLogger } from '../evm/indexer.ts'
import { type Pace, defaultPace } from '../../kernel/pause.ts'
import { StoreSession } from '../../store/session.ts'
import { createStats, type IndexerStats, type StatsByChain } from '../../kernel/indexer-stats.ts'
import { CChain } from './c-chain.ts'
import { fillProposers } from './c-proposers.ts'
import { follow, type ChainDriver } from './follower.ts'
import { genesisOfNode } from './genesis-of-node.ts'
import { type NetworkConstants, readConstants } from './network-facts.ts'
import { PrimaryNode } from './node.ts'
import { PChain } from './p-chain.ts'
import { genesisOfBytes } from './p-genesis.ts'
import { keyOf } from './batch/rows.ts'
import { sampleUptime } from './uptime.ts'
import { XChain } from './x-chain.ts'

type PrimaryIndexersOptions = {
  /** A migrated store. The chains write on connections with this pool's settings (server/store/session.ts). */
  readonly database: Database
  readonly networks: readonly NetworkConfig[]
  readonly chains: readonly ChainConfig[]
  readonly logger: IndexerLogger
  readonly signal: AbortSignal
  /** Filled while the indexers run. */
  readonly stats?: StatsByChain
  readonly pace?: Pace
}

/** The P-Chain's id. */
const pId = '0'.repeat(64)

/**
 * Indexes the P-, X- and C-Chain of every configured network until the signal aborts. Throws LockedError
 * immediately if another process indexes one of them into this database.
 */
export async function runPrimaryIndexers(options: PrimaryIndexersOptions): Promise<void> {
  const { signal } = options
  const stop = new AbortController()
  const both = AbortSignal.any([signal, stop.signal])
  // Every request adds a listener to this signal.
  setMaxListeners(0, both)
  const sessions: StoreSession[] = []
  try {
    const following: (() => Promise<void>)[] = []
    for (const network of options.networks) {
      for (const { driver, session, stats } of driversOf(options, network, both)) {
        sessions.push(session)
        options.stats?.set(primaryChainName(driver.chain), stats)
        const pace = options.pace ?? defaultPace
        const pollEvery = network.pollSeconds * 1000
        const { logger } = options
        following.push(() => follow({ driver, session, logger, stats, pace, pollEvery }, both))
      }
      following.push(() => watchUptime(options, network, both))
      if (new NetworkFacts(network, options.chains).cChain) {
        following.push(() => readProposers(options, network, both))
      }
    }
    for (const session of sessions) await session.open()
    await Promise.all(following.map((run) => run()))
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    stop.abort()
    await Promise.all(sessions.map((session) => session.close()))
  }
}

/** Samples the uptimes of the validators of the network from its node. */
async function watchUptime(
  { database, logger, pace }: PrimaryIndexersOptions,
  network: NetworkConfig,
  signal: AbortSignal,
): Promise<void> {
  const node = nodeOf(network, createStats(), pace)
  const chain = primaryChainKey(network.id, 'p-chain')
  try {
    const { uptimeSeconds: every, sampleSeconds: pollEvery } = network
    await sampleUptime({ database, node, chain, logger, every, pollEvery }, signal)
  } finally {
    node.close()
  }
}

/** Reads the proposers of the C-Chain's blocks; the requests count for that chain. */
async function readProposers(
  { database, logger, stats, pace = defaultPace }: PrimaryIndexersOptions,
  network: NetworkConfig,
  signal: AbortSignal,
): Promise<void> {
  const chain = primaryChainKey(network.id, 'c-chain')
  const node = nodeOf(network, stats?.get(primaryChainName(chain)) ?? createStats(), pace)
  const pollEvery = network.pollSeconds * 1000
  try {
    await fillProposers({ database, node, chain, logger, pace, pollEvery }, signal)
  } finally {
    node.close()
  }
}

function nodeOf(network: NetworkConfig, stats: IndexerStats, pace: Pace = defaultPace): PrimaryNode {
  return new PrimaryNode({
    url: network.nodeUrl,
    timeout: network.requestSeconds * 1000,
    concurrency: network.concurrency,
    stats,
    pace,
  })
}

type Prepared = { readonly driver: ChainDriver; readonly session: StoreSession; readonly stats: IndexerStats }

function driversOf(options: PrimaryIndexersOptions, network: NetworkConfig, signal: AbortSignal): Prepared[] {
  const { database } = options
  const keys = {
    p: primaryChainKey(network.id, 'p-chain'),
    x: primaryChainKey(network.id, 'x-chain'),
    c: primaryChainKey(network.id, 'c-chain'),
  }
  const make = (
    chain: number,
    driver: (session: StoreSession, stats: IndexerStats) => ChainDriver,
  ): Prepared => {
    const stats = createStats()
    // Negative, because EVM chains lock their positive chain ids.
    const session = new StoreSession(database, -chain, signal, `the primary network's chain ${chain}`)
    return { driver: driver(session, stats), session, stats }
  }
  const nodeFor = (stats: IndexerStats): PrimaryNode => nodeOf(network, stats, options.pace)
  const facts = new NetworkFacts(network, options.chains)
  const common = { concurrency: network.concurrency, startOver: network.onNewGenesis === 'startOver' }
  const prepared = [
    make(keys.p, (session, stats) => {
      const node = nodeFor(stats)
      return new PChain(keys.p, {
        ...common,
        node,
        session,
        stats,
        rules: async (abort) => {
          const { ids, ...shared } = await facts.of(node, abort)
          return {
            ...shared,
            chain: keys.p,
            xChain: keys.x,
            cChain: keys.c,
            xId: keyOf(ids.x),
            cId: keyOf(ids.c),
          }
        },
        genesis: async (block, _rules, abort) => {
          const bytes =
            network.genesisFile === undefined
              ? publicGenesis(block.parentId)
              : readGenesisFile(network.genesisFile)
          return bytes ? genesisOfBytes(bytes, block) : genesisOfNode(node, network, abort)
        },
      })
    }),
    make(keys.x, (session, stats) => {
      const node = nodeFor(stats)
      return new XChain(keys.x, {
        ...common,
        node,
        session,
        stats,
        rules: async (abort) => {
          const { ids, avaxAsset, followed } = await facts.of(node, abort)
          return {
            chain: keys.x,
            pChain: keys.p,
            cChain: keys.c,
            xId: ids.x,
            cId: keyOf(ids.c),
            avaxAsset,
            followed,
          }
        },
      })
    }),
  ]
  const evm = facts.cChain
  if (!evm) return prepared
  prepared.push(
    make(keys.c, (session, stats) => {
      const node = nodeFor(stats)
      return new CChain(keys.c, {
        evmChainId: evm.evmChainId,
        session,
        stats,
        startOver: common.startOver,
        rules: async (abort) => {
          const { ids, avaxAsset, followed } = await facts.of(node, abort)
          return {
            chain: keys.c,
            pChain: keys.p,
            xChain: keys.x,
            cId: ids.c,
            xId: keyOf(ids.x),
            avaxAsset,
            followed,
          }
        },
      })
    }),
  )
  return prepared
}

type Facts = NetworkConstants & { readonly followed: ReadonlySet<string> }

/** The constants of a network, fetched from its node. */
class NetworkFacts {
  readonly #network: NetworkConfig
  /** The configured EVM chain that is this network's C-Chain and is indexed from its first block. */
  readonly cChain: ChainConfig | undefined

  constructor(network: NetworkConfig, chains: readonly ChainConfig[]) {
    this.#network = network
    this.cChain = cChainOf(network, chains)
  }

  async of(node: PrimaryNode, signal: AbortSignal): Promise<Facts> {
    const networkId = await node.networkId(signal)
    if (networkId !== this.#network.networkId) {
      throw new FatalError(
        `${node.host} serves the network ${namedNetwork(networkId)}, not ${namedNetwork(this.#network.networkId)}: check the node's URL`,
      )
    }
    const constants = await readConstants(node, signal)
    const { x, c } = constants.ids
    const followed = new Set([pId, keyOf(x), ...(this.cChain ? [keyOf(c)] : [])])
    return { ...constants, followed }
  }
}
