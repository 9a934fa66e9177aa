import type { TransactionFailure } from '../../../../contract/evm/transaction-failure.ts'
import { safeText } from '../../../lib/text.ts'

type Failure = Pick<TransactionFailure, 'kind' | 'source' | 'isStateMissing' | 'error'>

const kinds: Record<string, string> = {
  REASON: 'The contract reverted and gave this reason.',
  PANIC: 'A check that the compiler added failed.',
  CUSTOM_ERROR: 'The contract reverted with an error of its own.',
  UNKNOWN_ERROR: 'The contract reverted with an error whose signature is not known.',
  EMPTY_REVERT: 'The contract reverted without data.',
  OUT_OF_GAS: 'The call used all the gas that it was given.',
  INVALID_OPCODE: 'The code reached an invalid instruction.',
  OTHER: 'This is the text of the trace.',
}

/** What kind of failure it is, in a sentence. */
export const kindText = ({ kind }: Failure): string => kinds[kind] ?? 'The reason is not known.'

const sources: Record<string, string> = {
  TRACE: 'The node traced this transaction.',
  REPLAY: 'Replayed on the state before its block: earlier transactions of the same block are not included.',
  STORED_TRACE: 'From the trace of its block, stored when it was indexed.',
  RECEIPT: 'The receipt alone.',
}

/** The source of the failure's details, and why more is unknown. */
export function sourceText({ source, isStateMissing }: Failure): string {
  const known = sources[source] ?? source
  if (isStateMissing) return `${known} This node no longer keeps that state, so the call can’t be replayed.`
  if (source === 'RECEIPT') return `${known} This node neither traces nor replays it.`
  return known
}

/** The decoded error as code: `CreditTooLow(available: 1, required: 2)`. */
export function errorText({ error }: Failure): string | undefined {
  if (!error) return undefined
  const isText = error.signature === 'Error(string)'
  const args = error.args.map(({ name, value }) => {
    const text = typeof value === 'string' ? safeText(value, 200) : JSON.stringify(value)
    return isText ? `"${text}"` : `${name === '' ? '' : `${safeText(name, 40)}: `}${text}`
  })
  return `${safeText(error.name, 80)}(${args.join(', ')})`
}
