import { listChainStatus, type ChainStatus } from '../../../contract/evm/chains.ts'
import type { Chain } from '../../kernel/settings/chains.ts'
import { statusTopic } from '../../events/hub.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import { toJson } from '../../http/json.ts'
import { lostServer, readStatus, type StatusRow } from '../../store/network/read-status.ts'
import { keptFields } from '../evm/kept.ts'
import type { RouteContext } from '../../http/route-context.ts'

/** `/v1/status`: Ridgeline's own operation for each chain's progress and headline figures. */
export function statusRoutes({ chains, store, headCache, clock }: RouteContext): Implementation[] {
  const topics = chains.all.map((chain) => statusTopic(chain.id))
  return [
    implement(listChainStatus, () =>
      headCache.get(listChainStatus.id, topics, async () => {
        const { rows, lost } = await readStatus(
          store.get().database,
          chains.all.map(({ key }) => key),
          clock(),
        )
        return toJson({
          chains: chains.all.map((chain) =>
            lost.has(chain.key) ? describeLost(chain) : describeStatus(chain, rows.get(chain.key), clock()),
          ),
        })
      }),
    ),
  ]
}

/** A chain whose rows cannot be read: none of its figures is known. */
const describeLost = (chain: Chain): ChainStatus => ({
  chainId: chain.id,
  chainName: chain.config.name,
  state: 'stopped',
  reason: lostServer,
  traceSource: 'unknown',
})

/** Since when a chain is stopped. */
export const stoppedSince = (row: { readonly state: string | null; readonly stopped_ts: bigint | null }) =>
  row.state === 'stopped' && row.stopped_ts !== null ? { stoppedTimestamp: Number(row.stopped_ts) } : {}

/** The status of one chain; a chain that was never indexed is waiting. */
function describeStatus(chain: Chain, row: StatusRow | undefined, now: number): ChainStatus {
  const name = { chainId: chain.id, chainName: chain.config.name }
  if (!row) {
    return {
      ...name,
      state: 'waiting',
      reason: 'the indexer has not reached the node yet',
      traceSource: 'unknown',
    }
  }
  const { recent_blocks: blocks, recent_seconds: seconds, recent_txs: txs } = row
  return {
    ...name,
    state: row.state,
    ...(row.reason !== null && { reason: row.reason }),
    ...stoppedSince(row),
    ...(row.first_block !== null && { firstBlock: row.first_block.toString() }),
    ...(row.indexed_block !== null && { indexedBlock: row.indexed_block.toString() }),
    ...(row.indexed_ts !== null && { indexedTimestamp: Number(row.indexed_ts) }),
    ...(row.node_block !== null && { nodeBlock: row.node_block.toString() }),
    ...(row.node_seen_ts !== null && { nodeSeenTimestamp: Number(row.node_seen_ts) }),
    ...(row.finalized_block !== null &&
      row.finalized_block >= 0n && { finalizedBlock: row.finalized_block.toString() }),
    reorgCount: Number(row.reorgs),
    ...(row.genesis_hash !== null && { genesisHash: row.genesis_hash }),
    traceSource: row.trace_source,
    ...(row.client_version !== null && { clientVersion: row.client_version }),
    // Of a chain without an indexed block, nothing is counted.
    ...(row.indexed_block !== null && {
      txCount: text(row.cum_txs),
      txCountDay: text(row.day_txs),
      addressCount: text(row.cum_addresses),
      ...(row.counted && { contractCount: text(row.cum_contracts) }),
    }),
    ...(row.untraced.length > 0 && {
      untracedBlocks: [...row.untraced],
      untracedBlockCount: row.untraced_count,
    }),
    ...keptFields({ traces: row.traces_from, logs: row.logs_from }, { from: 0n }),
    ...describeSync(row, { indexed: row.indexed_block, node: row.node_block }, now),
    ...(row.base_fee !== null && { baseFeePerGas: row.base_fee }),
    ...(blocks && seconds !== null && { blockTime: Number(seconds) / Number(blocks) }),
    ...(seconds && txs !== null && { tps: Number(txs) / Number(seconds) }),
  }
}

/** Seconds after which a measurement says nothing about now. */
const syncAge = 60

/** How a chain catches up, between two heights; nothing if it does not, or was not measured in the last minute. */
export function describeSync(
  row: Pick<StatusRow, 'sync_rate' | 'sync_bound' | 'sync_ts'> & { readonly state: string | null },
  { indexed, node }: { readonly indexed: bigint | null; readonly node: bigint | null },
  now: number,
): Pick<ChainStatus, 'sync'> {
  const { sync_rate: rate, sync_bound: bound, sync_ts: ts } = row
  if (row.state !== 'syncing' || rate === null || bound === null || ts === null) return {}
  if (Number(ts) < now - syncAge || indexed === null || node === null) return {}
  const left = Number(node - indexed) / rate
  return {
    sync: {
      blocksPerSecond: rate,
      ...(Number.isFinite(left) && { secondsLeft: Math.ceil(left) }),
      boundBy: bound,
    },
  }
}

const text = (value: bigint | null): string => (value ?? 0n).toString()
