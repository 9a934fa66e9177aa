import type { AbiError } from '../../kernel/settings/abi-file.ts'
import type { Decoded } from '../../../contract/evm/transactions.ts'
import type { RevertKind } from '../../../contract/evm/transaction-failure.ts'
import { decodeCall } from './decode.ts'
import type { Known } from './known.ts'
import type { Candidates } from './operator.ts'

/** What revert data say: the kind, the reason in words, and the decoded error if its signature is known. */
type Revert = {
  readonly kind: RevertKind
  readonly reason: string
  readonly error?: Decoded
}

/** Maximum length of a reason in characters; a contract may send any length. */
const maxReason = 1_000

/** The codes of `Panic(uint256)` in the Solidity documentation, "Panic via assert and Error via require". */
const panics: Readonly<Record<string, string>> = {
  '0': 'generic compiler panic',
  '1': 'assertion failed',
  '17': 'arithmetic overflow or underflow',
  '18': 'division or modulo by zero',
  '33': 'conversion of a value that the enum does not have',
  '34': 'storage byte array is incorrectly encoded',
  '49': 'pop() on an empty array',
  '50': 'array index out of bounds',
  '65': 'too much memory was allocated, or an array is too large',
  '81': 'call to an internal function that was never assigned',
}

/** The text of a panic code in decimal digits. */
const panicText = (code: string): string =>
  panics[code] ?? `panic 0x${BigInt(code).toString(16).padStart(2, '0')}`

/**
 * Describes revert data (0x hex). `errorsOf` gives the candidates for a selector. Data whose selector is not
 * known, or which do not decode, have the kind `UNKNOWN_ERROR`. Of data that may be truncated, the text and the name
 * are told as far as they are there.
 */
export function describeRevert(
  data: string,
  errorsOf: (selector: string) => Candidates<AbiError>,
  isTruncated = false,
): Revert {
  if (data === '0x') return { kind: 'EMPTY_REVERT', reason: 'reverted without a reason' }
  const selector = data.slice(0, 10)
  const error = data.length < 10 ? undefined : decodeCall(data, errorsOf(selector))
  if (!error)
    return (
      (isTruncated ? describeBeginning(data, errorsOf(selector).known) : undefined) ?? {
        kind: 'UNKNOWN_ERROR',
        reason: `unknown error ${selector}`,
      }
    )
  const first = error.args[0]?.value
  if (error.signature === 'Error(string)' && typeof first === 'string') {
    if (first.trim() === '') return { kind: 'REASON', reason: 'reverted with an empty reason', error }
    return { kind: 'REASON', reason: clip(first), error }
  }
  if (error.signature === 'Panic(uint256)' && typeof first === 'string') {
    return { kind: 'PANIC', reason: panicText(first), error }
  }
  return { kind: 'CUSTOM_ERROR', reason: clip(splitName(error.name)), error }
}

/** What the beginning of revert data says: the beginning of a text, or the name of an error that is known. */
function describeBeginning(data: string, known: readonly Known<AbiError>[]): Revert | undefined {
  const selector = data.slice(0, 10)
  if (selector === textSelector) {
    // Behind the selector, the offset and the length of the text.
    const text = Buffer.from(data.slice(2 + 2 * (4 + 64)), 'hex').toString('utf8')
    return { kind: 'REASON', reason: `${clip(text.replace(/\uFFFD$/u, ''))}…` }
  }
  const [error] = known
  return (
    error && {
      kind: 'CUSTOM_ERROR',
      reason: clip(splitName(error.signature.slice(0, error.signature.indexOf('(')))),
    }
  )
}

/** The selector of `Error(string)`. */
const textSelector = '0x08c379a0'

const clip = (text: string): string => text.slice(0, maxReason)

/** An error's name in words: `ERC20InsufficientAllowance` is `ERC20 insufficient allowance`. */
function splitName(name: string): string {
  return name
    .replaceAll('_', ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replaceAll(/\b[A-Z][a-z]/g, (letters) => letters.toLowerCase())
    .trim()
}
