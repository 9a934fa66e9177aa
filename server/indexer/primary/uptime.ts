import type { Database } from '../../store/database.ts'
import { nodeIdOfText } from '../../../protocol/ids/text.ts'
import { classify } from '../../kernel/errors.ts'
import type { IndexerLogger } from '../evm/indexer.ts'
import { pause } from '../../kernel/pause.ts'
import type { CurrentValidator, PrimaryNode } from './node.ts'
import { writeNetworkSample } from './samples/network-sample.ts'
import { thinSamples } from './samples/thin-samples.ts'
import { type Cell, keyOf } from './batch/rows.ts'
import { copyCells, countPoll, PeerObservations } from './peer-observations.ts'

type UptimeOptions = {
  readonly database: Database
  readonly node: PrimaryNode
  /** The P-Chain's key. */
  readonly chain: number
  readonly logger: IndexerLogger
  /** Seconds between two samples of uptimes and versions. */
  readonly every: number
  /** Seconds between two questions which validators are connected. */
  readonly pollEvery: number
}

/** Seconds after which a sample is stored even if nothing changed. */
const keepEvery = 3_600

type Sample = { readonly uptime: number; readonly connected: boolean; readonly ts: number }

/**
 * Samples the connection state of the primary network's validators, as the node sees them, until the signal aborts;
 * at longer intervals also their uptime, its spread, and the versions of the node's peers. A validator's sample is
 * stored when its connection changed, with the uptimes when it differs from the last one, and once an hour; after 90
 * days only the last one of each hour is kept. Each answer of the node also counts in `watch_polls`, in the same
 * transaction as its samples: the watch takes the number as the sign that it has something new to evaluate. A failure
 * is logged; the next poll is made as scheduled.
 */
export async function sampleUptime(options: UptimeOptions, signal: AbortSignal): Promise<void> {
  const { database, node, chain, logger, every, pollEvery } = options
  const last = new Map<string, Sample>()
  const observations = new PeerObservations(database, chain)
  let due = -Infinity
  let failed = false
  let isFirst = true
  while (!signal.aborted) {
    try {
      const now = Math.floor(Date.now() / 1000)
      const validators = await node.currentValidators(signal)
      // By the monotonic clock: a jump of the other neither skips nor repeats a sample.
      const isDue = performance.now() >= due
      const peers = await node.peers(signal)
      const found = news(chain, validators, last, now, isDue)
      const seen = peers && (await observations.compare(peers, now))
      const polls = await database.begin(async (sql) => {
        await copyCells(sql, 'uptime_samples', sampleColumns, found.rows)
        await seen?.store(sql)
        const count = await countPoll(sql, chain, now, validators, peers)
        if (isDue) {
          const uptimes = validators.flatMap(({ uptime }) => uptime ?? [])
          await writeNetworkSample(sql, chain, {
            ts: now,
            uptimes,
            versions: peers?.map(({ version }) => version),
          })
        }
        return count
      })
      // What was not committed is news again.
      for (const [key, sample] of found.samples) last.set(key, sample)
      for (const key of found.gone) last.delete(key)
      seen?.keep()
      if (isDue) {
        due = performance.now() + every * 1000 - pollEvery * 500
        await thinSamples(database, chain, now)
      }
      if (polls === 1 && !isFirst) {
        // The network was recreated while this ran: what was stored before is gone, and everything is news again.
        last.clear()
        observations.forget()
        due = -Infinity
      }
      isFirst = false
      failed = false
    } catch (error) {
      if (signal.aborted) return
      const { message } = classify(error)
      if (!failed) logger.warn({ chain: 'P-Chain', reason: message }, 'uptime could not be sampled')
      failed = true
    }
    await pause(Math.min(pollEvery, every) * 1000, signal)
  }
}

type News = { readonly rows: Cell[][]; readonly samples: Map<string, Sample>; readonly gone: Set<string> }

/** The rows of changed samples, and what is to be remembered once they are stored. */
function news(
  chain: number,
  validators: readonly CurrentValidator[],
  last: ReadonlyMap<string, Sample>,
  ts: number,
  takesUptimes: boolean,
): News {
  const rows: Cell[][] = []
  const samples = new Map<string, Sample>()
  const gone = new Set(last.keys())
  for (const { txId, nodeId, uptime, connected } of validators) {
    if (uptime === undefined) continue
    const key = keyOf(txId)
    gone.delete(key)
    const before = last.get(key)
    const isSame =
      before !== undefined &&
      before.connected === connected &&
      (!takesUptimes || before.uptime === uptime) &&
      ts - before.ts < keepEvery
    if (isSame) continue
    samples.set(key, { uptime, connected, ts })
    rows.push([chain, nodeIdOfText(nodeId), txId, ts, uptime, connected])
  }
  return { rows, samples, gone }
}

const sampleColumns = {
  chain: 'smallint',
  node: 'bytea',
  tx_id: 'bytea',
  ts: 'bigint',
  uptime: 'numeric',
  connected: 'boolean',
} as const
