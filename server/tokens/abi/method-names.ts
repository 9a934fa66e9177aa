import type { AbiParameter } from 'viem'
import type { TransactionRow } from '../../store/evm/read-transactions.ts'
import { decodeCall } from './decode.ts'
import type { AbiBook } from './operator.ts'

type Called = Pick<TransactionRow, 'to' | 'callType' | 'selector' | 'inputSize'> & {
  /** The whole input, if it is at hand: then the arguments must decode. */
  readonly input?: string
}

/**
 * The method that a transaction calls. A call with a known selector has a signature: from the ABI that the
 * operator configured for the contract, otherwise from all known signatures; `candidates` then lists every
 * signature that shares the selector, if there are several. A signature whose arguments the input can't hold is none:
 * four zero bytes are not a call of a function whose selector happens to be zero.
 */
export function methodOf(
  { to, callType, selector, inputSize, input }: Called,
  abis: AbiBook,
  chainId: string,
) {
  const method = { callType, methodHash: selector }
  if (callType !== 'CONTRACT_CALL' || selector.length !== 10) return method
  const { known } = abis.functions(selector, chainId, to)
  const fitting = known.filter(
    (each) =>
      minBytes(each.item.inputs) <= inputSize - 4 &&
      (input === undefined || decodeCall(input, { known: [each] }) !== undefined),
  )
  const [first, ...others] = fitting.map(({ signature }) => signature)
  if (first === undefined) return method
  return { ...method, methodName: first, ...(others.length > 0 && { candidates: [first, ...others] }) }
}

/** The fewest bytes that the arguments of these types take in the ABI's encoding. */
const minBytes = (parameters: readonly AbiParameter[]): number =>
  parameters.reduce((sum, parameter) => sum + bytesOf(parameter), 0)

/** Dynamic values have an offset in the head, and a length behind it; a tuple with one of them is dynamic too. */
function bytesOf(parameter: AbiParameter): number {
  const { type } = parameter
  const array = /^(.*)\[(\d*)\]$/.exec(type)
  if (array) {
    const [, inner = '', size = ''] = array
    return size === '' ? 64 : Number(size) * bytesOf({ ...parameter, type: inner })
  }
  if (type === 'bytes' || type === 'string') return 64
  return 'components' in parameter ? minBytes(parameter.components) : 32
}
