import type { AbiParameter } from 'viem'

/** The fewest bytes that the arguments of these types take in the ABI's encoding. */
export const leastBytes = (parameters: readonly AbiParameter[]): number =>
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
  return 'components' in parameter ? leastBytes(parameter.components) : 32
}
