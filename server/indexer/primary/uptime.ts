import type { Database } from '../../store/database.ts'
import { nodeIdOfText } from '../../../protocol/ids/text.ts'
import { classify, FatalError } from '../../kernel/errors.ts'
import { copyRows } from '../../store/copy.ts'
import type { IndexerLogger } from '../evm/indexer.ts'
import { pause } from '../../kernel/pause.ts'
import type { CurrentValidator, PrimaryNode } from './node.ts'
import { writeNetworkSample } from './network-sample.ts'
import { thinSamples } from './thin-samples.ts'
import { type Cell, columnsOf, keyOf, Rows } from './batch/rows.ts'

export type UptimeOptions = {
  readonly database: Database
  readonly node: PrimaryNode
  /** The P-chain's key. */
  readonly chain: number
  readonly logger: IndexerLogger
  /** Seconds between two samples. */
  readonly every: number
}

/** Seconds after which a sample is stored even if nothing changed. */
const keepEvery = 3_600

type Sample = { readonly uptime: number; readonly connected: boolean; readonly ts: number }

/**
 * Samples the uptime and the connection state of the primary network's validators, as the node sees them,
 * until the signal aborts; with it their spread and the versions of the node's peers. A validator's sample is stored when
 * it differs from the last one, and once an hour; after 90 days only the last one of each hour is kept. A failure is logged; the next sample is taken as scheduled.
 */
export async function sampleUptime(options: UptimeOptions, signal: AbortSignal): Promise<void> {
  const { database, node, chain, logger, every } = options
  const last = new Map<string, Sample>()
  let failed = false
  while (!signal.aborted) {
    try {
      const now = Math.floor(Date.now() / 1000)
      const validators = await node.currentValidators(signal)
      const rows = news(chain, validators, last, now)
      if (rows.length > 0) await write(database, rows)
      const uptimes = validators.flatMap(({ uptime }) => uptime ?? [])
      await writeNetworkSample(database, chain, {
        ts: now,
        uptimes,
        versions: await node.peerVersions(signal),
      })
      await thinSamples(database, chain, now)
      failed = false
    } catch (error) {
      if (signal.aborted) return
      const { message } = classify(error)
      if (!failed) logger.warn({ chain: 'P-chain', reason: message }, 'uptime could not be sampled')
      failed = true
      if (error instanceof FatalError) return
    }
    await pause(every * 1000, signal)
  }
}

/** The rows of changed samples. Also updates `last`. */
function news(
  chain: number,
  validators: readonly CurrentValidator[],
  last: Map<string, Sample>,
  ts: number,
): Cell[][] {
  const rows: Cell[][] = []
  const gone = new Set(last.keys())
  for (const { txId, nodeId, uptime, connected } of validators) {
    if (uptime === undefined) continue
    const key = keyOf(txId)
    gone.delete(key)
    const before = last.get(key)
    if (before && before.connected === connected && before.uptime === uptime && ts - before.ts < keepEvery)
      continue
    last.set(key, { uptime, connected, ts })
    rows.push([chain, nodeIdOfText(nodeId), txId, ts, uptime, connected])
  }
  for (const key of gone) last.delete(key)
  return rows
}

const columns = columnsOf('chain int2, node bytea, tx_id bytea, ts int8, uptime float4, connected bool')

async function write(database: Database, samples: readonly Cell[][]): Promise<void> {
  const rows = new Rows(columns)
  for (const cells of samples) rows.add(cells)
  await database.begin(async (sql) => {
    await copyRows(sql, 'uptime_samples', columns.names, rows.done(), 'binary')
  })
}
