import { chainReader } from '../store/chain-reads.ts'
import type { Queryable } from '../store/database.ts'
import { isDistributed } from '../store/distribution.ts'
import { readActivity } from '../store/watch/read-activity.ts'
import type { ActivityEvent } from './facts.ts'
import type { WatchedRule } from './rules.ts'

/** The most transactions that one round counts. */
export const maxActivity = 1_000

/**
 * The transactions that a rule of an address is about, after one height and up to another, oldest first: at most `limit`.
 * None if the server of the chain is lost: the round then has no facts of the chain either.
 */
export async function readActivityOf(
  sql: Queryable,
  { kind, evmChain, address }: Pick<WatchedRule, 'kind' | 'evmChain' | 'address'>,
  after: number,
  upTo: number,
  limit: number,
): Promise<ActivityEvent[]> {
  if (evmChain === undefined || address === undefined) return []
  if (kind !== 'addressSends' && kind !== 'addressReceives') return []
  const chain = BigInt(evmChain)
  const onChain = chainReader(sql, [chain], await isDistributed(sql), () => undefined)
  const rows = await onChain((inner) =>
    readActivity(inner, kind, chain, Buffer.from(address.slice(2), 'hex'), after, upTo, limit),
  )
  return rows.map(({ height, hash }) => ({
    height: Number(height),
    txHash: `0x${hash.toString('hex')}`,
  }))
}
