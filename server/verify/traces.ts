import type { Database } from '../store/database.ts'
import type { Findings } from './findings.ts'
import type { NodeCreation } from './node.ts'
import type { StoredBlocks } from './rows.ts'

/** Blocks whose inner calls could not be compared with the node, by reason. */
export type UnprovenTraces = {
  /** Stored without inner calls. */
  readonly untraced: number
  /** The node has pruned the state that a trace needs. */
  readonly stateGone: number
  /** The node has no trace method. */
  readonly unsupported: number
}

/** Which blocks of a chain are stored without inner calls, and up to which block its sums are complete. */
export type TraceGaps = {
  hides(number: number): boolean
  isSummed(number: number): boolean
}

/** Reads a chain's gaps and compares them with its rows. */
export async function checkTraceGaps(
  database: Database,
  chain: bigint,
  bounds: { readonly first: number; readonly head: number },
  findings: Findings,
): Promise<TraceGaps> {
  const gaps = await database<{ first: bigint; last: bigint; filled: boolean; calls: boolean }[]>`
    select first_block as first, last_block as last, filled, exists (
      select from calls c where c.chain = ${chain} and c.number between g.first_block and g.last_block) as calls
    from trace_gaps g where g.chain = ${chain} order by first_block`
  let above = bounds.first - 1
  for (const { first, last, filled, calls } of gaps) {
    const name = `the gap from ${first} to ${last}`
    if (Number(last) > bounds.head) findings.add('I3', `${name} reaches past the highest block`)
    if (Number(first) <= above) findings.add('I3', `${name} overlaps another, or the chain's beginning`)
    if (!filled && calls)
      findings.add('I2', `${name} says that its inner calls are not known, but some are stored`)
    above = Number(last)
  }
  const [row] = await database<{ sums: bigint | null }[]>`
    select trace_sums_from as sums from chains where chain = ${chain}`
  const hidden = gaps.filter(({ filled }) => !filled)
  const open = gaps.filter(({ filled }) => filled).map(({ first }) => Number(first))
  const summed = Math.min(...open, row?.sums == null ? Infinity : Number(row.sums))
  return {
    hides: (number) => hidden.some(({ first, last }) => first <= number && number <= last),
    isSummed: (number) => number < summed,
  }
}

/** The stored creations of a block. */
export function storedCreations({ creations }: StoredBlocks, number: number): NodeCreation[] {
  return (creations.get(number) ?? []).map((line) => {
    const [txIndex, , deployer = '', contract = ''] = line.split(' ')
    return { txIndex: Number(txIndex), deployer, contract }
  })
}
