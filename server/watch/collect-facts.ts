import { statfs } from 'node:fs/promises'
import type { ChainConfig, NetworkConfig } from '../kernel/settings/config.ts'
import { primaryChainAliases } from '../../contract/primary/chains.ts'
import { primaryChainKey, primaryChainName, primaryChainOf } from '../primary/chains.ts'
import { chainReader } from '../store/chain-reads.ts'
import type { Queryable } from '../store/database.ts'
import { isDistributed } from '../store/distribution.ts'
import {
  readEvmHeads,
  readPrimaryHeads,
  readProposing,
  readUnreachedChains,
  readWatchNetworks,
  type HeadRow,
  type WatchNetworkRow,
} from '../store/watch/read-facts.ts'
import type { ChainFacts, NativeBalance, NetworkFacts, RoundFacts } from './facts.ts'
import { l1Fees } from './read-facts.ts'

export type Watched = {
  readonly networks: readonly Pick<NetworkConfig, 'id' | 'sampleSeconds'>[]
  readonly chains: readonly ChainConfig[]
}

/** Seconds of delay of a chain beyond which its rows are too old to go by. */
export const lateAfter = 60
/** Seconds after which a node's head counts as unknown. */
const headAge = 120
/** With at least this many validators, a node that is connected to less than a tenth of them is cut off itself. */
const isolation = { validators: 10, share: 0.1 }

/** Percent of the file system with a folder that is free for this process; null where that can't be read. */
export async function freeSpace(folder: string): Promise<number | null> {
  try {
    const { bavail, blocks } = await statfs(folder)
    return blocks === 0 ? null : Math.round((10_000 * bavail) / blocks) / 100
  } catch {
    return null
  }
}

/**
 * Counts how long each node has been silent: by a monotonic clock, because the time of the machine may
 * jump. What a process has not seen itself counts by the time of the last answer.
 */
export class SilenceClock {
  readonly #seen = new Map<string, { answers: bigint | null; at: number; offset: number }>()

  /**
   * Seconds of silence of what has a name. `answers` changes with every answer, of which the last was at `last` in Unix
   * seconds, as `now` is; `monotonic` is in milliseconds.
   */
  silence(
    name: string,
    { answers, last }: { readonly answers: bigint | null; readonly last: bigint | null },
    now: number,
    monotonic: number,
  ): number {
    const seen = this.#seen.get(name)
    if (seen && seen.answers === answers) return Math.floor(seen.offset + (monotonic - seen.at) / 1000)
    const isFirst = seen === undefined
    const offset = isFirst && last !== null ? Math.max(0, now - Number(last)) : 0
    this.#seen.set(name, { answers, at: monotonic, offset })
    return offset
  }
}

/** How far a chain is behind its node in seconds; null if the node's head is not known. */
function lagOf(row: HeadRow, now: number): number | null {
  if (row.node_height === null || row.node_seen_ts === null || now - Number(row.node_seen_ts) > headAge)
    return null
  if (row.height !== null && row.height >= row.node_height) return 0
  return row.ts === null ? null : Math.max(0, now - Number(row.ts))
}

/** Seconds after which an indexer notes an answer of its node again although nothing has changed. */
const noteSeconds = 10

const ofConfig = ({ name, network, pollSeconds }: ChainConfig) => ({
  name,
  ...(network !== undefined && { network }),
  sampleSeconds: noteSeconds + pollSeconds,
})

/** What a round has to know of networks, chains and the machine. */
export async function collectFacts(
  sql: Queryable,
  { networks, chains }: Watched,
  silences: SilenceClock,
  now: number,
  monotonic: number,
  diskFree: number | null,
  balances: Readonly<Record<string, NativeBalance>> = {},
): Promise<RoundFacts> {
  const keys = networks.map(({ id }) => primaryChainKey(id, 'p-chain'))
  const primary = networks.flatMap(({ id }) => primaryChainAliases.map((alias) => primaryChainKey(id, alias)))
  const rows = keys.length === 0 ? [] : await readWatchNetworks(sql, keys)
  const proposing = keys.length === 0 ? [] : await readProposing(sql, keys)
  const onChains = chainReader(
    sql,
    chains.map(({ evmChainId }) => BigInt(evmChainId)),
    await isDistributed(sql),
    // Such a chain has no facts, as before its first block.
    () => undefined,
  )
  const heads = [...(await readPrimaryHeads(sql, primary)), ...(await onChains(readEvmHeads))]
  const found: Record<string, ChainFacts> = {}
  for (const head of heads) {
    const { state, reason, node_seen_ts: last } = head
    const standing = {
      lag: lagOf(head, now),
      state,
      ...(head.height !== null && { height: Number(head.height) }),
      ...(head.ts !== null && { headTs: Number(head.ts) }),
      ...(state !== 'live' && reason !== null && { reason }),
      silence: silences.silence(`chain ${head.chain}`, { answers: last, last }, now, monotonic),
    }
    if (head.chain < 0n) {
      const key = -Number(head.chain)
      const { network } = primaryChainOf(key)
      found[primaryChainName(key)] = { name: primaryChainName(key), ...standing, network }
      continue
    }
    const config = chains.find(({ evmChainId }) => BigInt(evmChainId) === head.chain)
    if (config) found[head.chain.toString()] = { ...ofConfig(config), ...standing }
  }
  const unreached = await readUnreachedChains(sql)
  for (const config of chains) {
    const id = BigInt(config.evmChainId)
    if (found[id.toString()]) continue
    const reason = unreached.find(({ chain }) => chain === id)?.reason
    const state = unreached.find(({ chain }) => chain === id)?.state ?? 'waiting'
    found[id.toString()] = {
      ...ofConfig(config),
      lag: null,
      state,
      ...(reason != null && { reason }),
      silence: silences.silence(`chain ${id}`, { answers: null, last: null }, now, monotonic),
    }
  }
  const ofNetworks: Record<string, NetworkFacts> = {}
  for (const row of rows) {
    const stakes = proposing.find((each) => each.chain === row.chain)
    const { network } = primaryChainOf(row.chain)
    const chain = found[primaryChainName(row.chain)]
    ofNetworks[network] = {
      chain: row.chain,
      polls: Number(row.polls),
      sampledTs: row.sampled_ts === null ? null : Number(row.sampled_ts),
      silence: silences.silence(
        `network ${row.chain}`,
        { answers: row.polls, last: row.sampled_ts },
        now,
        monotonic,
      ),
      sampleSeconds: networks.find(({ id }) => id === network)?.sampleSeconds ?? 0,
      isIsolated: isIsolated(row),
      height: Number(row.height ?? -1n),
      chainTs: Number(row.chain_ts ?? 0n),
      isLate: row.height === null || !chain || chain.state !== 'live' || (chain.lag ?? 0) > lateAfter,
      ...l1Fees(row),
      versions: row.versions,
      heliconTs: row.helicon_ts === null ? null : Number(row.helicon_ts),
      stake: stakes?.stake ?? '0',
      proposedShare: stakes?.share ?? 0,
    }
  }
  const slowest = Math.max(0, ...networks.map(({ sampleSeconds }) => sampleSeconds))
  return {
    diskFree,
    chains: found,
    networks: ofNetworks,
    ...(Object.keys(balances).length > 0 && { balances }),
    staleAfter: Math.max(45, 4 * slowest),
  }
}

function isIsolated({ validators, connected }: WatchNetworkRow): boolean {
  if (validators === null || connected === null || validators < isolation.validators) return false
  return connected < validators * isolation.share
}
