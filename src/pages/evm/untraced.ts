import type { ChainStatus } from '../../../contract/evm/chains.ts'
import { formatInteger } from '../../lib/amounts.ts'

/**
 * The untraced blocks of a chain as text: “blocks 42 to 238”, with the number of further ranges. Undefined without
 * any.
 */
export function untracedWords(status: Pick<ChainStatus, 'untracedBlocks'> | undefined): string | undefined {
  const [latest, ...others] = status?.untracedBlocks ?? []
  if (latest === undefined) return undefined
  const { firstBlock, lastBlock } = latest
  const range =
    firstBlock === lastBlock
      ? `block ${formatInteger(firstBlock)}`
      : `blocks ${formatInteger(firstBlock)} to ${formatInteger(lastBlock)}`
  if (others.length === 0) return range
  return `${range} and ${others.length} earlier ${others.length === 1 ? 'range' : 'ranges'}`
}
