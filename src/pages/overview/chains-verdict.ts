import type { Verdict } from '../../components/verdict.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { dayCount, type ChainRow } from './chain-rows.tsx'

/** Which chain does the most, as a sentence; empty for a single chain, or while a chain's count is not known. */
function busiestText(rows: readonly ChainRow[]): string {
  const counts = rows.flatMap((row) => {
    const count = dayCount(row)
    return count === undefined ? [] : [{ name: row.chain.chainName, count: BigInt(count) }]
  })
  const [most] = counts.toSorted((left, right) => (right.count > left.count ? 1 : -1))
  const all = counts.reduce((sum, { count }) => sum + count, 0n)
  if (most === undefined || rows.length < 2 || counts.length < rows.length || all === 0n) return ''
  return ` ${most.name} has the most transactions of the last 24 h: ${formatInteger(most.count)} of ${formatInteger(all)}.`
}

/** Whether all chains are live, and which is the busiest; undefined while their status loads. */
export function chainsVerdict(rows: readonly ChainRow[]): Verdict | null | undefined {
  if (rows.length === 0) return null
  if (rows.some(({ status }) => status === undefined)) return undefined
  const late = rows.flatMap(({ chain, status }) =>
    status === undefined || status.state === 'live' ? [] : [{ name: chain.chainName, state: status.state }],
  )
  const busiest = busiestText(rows)
  if (late.length === 0)
    return {
      state: 'ok',
      word: 'live',
      text: `${rows.length === 1 ? 'The chain is' : `All ${formatInteger(rows.length)} chains are`} at the head.${busiest}`,
    }
  const isStopped = late.some(({ state }) => state === 'stopped')
  const named = late.slice(0, 3).map(({ name, state }) => `${name} is ${state}`)
  const more = late.length > 3 ? ` and ${formatInteger(late.length - 3)} more` : ''
  return {
    state: isStopped ? 'failed' : 'pending',
    word: isStopped ? 'stopped' : 'syncing',
    text: `${formatInteger(rows.length - late.length)} of ${formatInteger(rows.length)} chains are at the head; ${named.join(', ')}${more}.${busiest}`,
  }
}
