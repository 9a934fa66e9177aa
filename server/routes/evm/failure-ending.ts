import type { TransactionFailure } from '../../../contract/evm/transaction-failure.ts'
import { isRevert } from '../../node/failures.ts'
import { isTruncated } from '../../store/evm/kept-call-data.ts'
import { describeRevert } from '../../tokens/abi/revert.ts'

/** What a failure is, as far as it is known. */
export type Ending = Pick<TransactionFailure, 'kind' | 'reason' | 'error' | 'data'>

/** How a call ended: its error, and its output if that is known. */
type End = { readonly error?: string | undefined; readonly output?: string | undefined }

/** Maximum bytes of revert data that are decoded. */
const maxDecoded = 16_384
/** Maximum bytes of revert data in an answer. */
const maxShown = 4_096

const outOfGas = /out ?of ?gas|gas uint64 overflow/i
const invalidOpcode = /invalid ?(fe ?)?opcode|bad instruction|opcode ?not ?found/i

/** What the error and the output of a failed call say. */
export function describeEnding(
  { error = '', output }: End,
  errorsOf: Parameters<typeof describeRevert>[1],
): Ending {
  if (isRevert(error) && output !== undefined) {
    const isLong = output.length > 2 + 2 * maxDecoded
    const revert = describeRevert(output, isLong ? () => ({ known: [] }) : errorsOf, isTruncated(output))
    return { ...revert, ...(output !== '0x' && { data: output.slice(0, 2 + 2 * maxShown) }) }
  }
  if (outOfGas.test(error)) return { kind: 'OUT_OF_GAS', reason: 'out of gas' }
  if (invalidOpcode.test(error)) return { kind: 'INVALID_OPCODE', reason: 'invalid opcode' }
  if (/^(execution )?reverted$/i.test(error)) return revertedAlone
  // A stored trace has the reason of a revert as text.
  return { kind: 'OTHER', reason: error }
}

/** Of a revert nothing is known but that it was one. */
export const revertedAlone: Ending = { kind: 'UNKNOWN', reason: 'reverted, the reason is not known' }
