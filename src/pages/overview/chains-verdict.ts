import type { ChainStatus } from '../../../contract/evm/chains.ts'
import type { Verdict } from '../../components/verdict.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { dayCount, type ChainRow } from './chain-rows.tsx'
import { lateText } from './late-chains.ts'

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

/** The pill of chains of which the worst is shown. */
function standingOf(late: readonly ChainStatus[]): Pick<Verdict, 'state' | 'word'> {
  const has = (state: ChainStatus['state']): boolean => late.some((one) => one.state === state)
  if (has('stopped')) return { state: 'failed', word: 'stopped' }
  return has('waiting') ? { state: 'late', word: 'late' } : { state: 'pending', word: 'catching up' }
}

/** Whether all chains are live, and which is the busiest; undefined while their status loads. */
export function chainsVerdict(rows: readonly ChainRow[]): Verdict | null | undefined {
  if (rows.length === 0) return null
  if (rows.some(({ status }) => status === undefined)) return undefined
  const late = rows.flatMap(({ status }) => (status === undefined || status.state === 'live' ? [] : [status]))
  const busiest = busiestText(rows)
  if (late.length === 0)
    return {
      state: 'ok',
      word: 'live',
      text: `${rows.length === 1 ? 'The chain is' : `All ${formatInteger(rows.length)} chains are`} at the head.${busiest}`,
    }
  const live = rows.length - late.length
  const share =
    rows.length === 1
      ? ''
      : `${live === 0 ? 'None' : formatInteger(live)} of ${formatInteger(rows.length)} chains ${live > 1 ? 'are' : 'is'} at the head. `
  return { ...standingOf(late), text: `${share}${lateText(late)}${busiest}` }
}
