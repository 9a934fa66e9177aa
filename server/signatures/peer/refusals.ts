/** Error codes of the P-Chain (docs/signatures.md). */
const pChain = new Map([
  [1, 'the payload is not an AddressedCall'],
  [2, 'the message has a source address'],
  [3, 'the payload cannot be read'],
  [4, 'the P-Chain signs no message of this type'],
  [5, 'the justification is wrong'],
  [6, 'the subnet is not converted'],
  [7, 'the conversion ID is another'],
  [11, 'there is no such validation'],
  [12, 'the validation goes on'],
  [14, 'the validator can still be registered'],
  [16, 'the nonce is not the latest'],
  [17, 'the weight is not the current one'],
])

/** Error codes of EVM chains. */
const evmChain = new Map([
  // Nodes also use this code for an AddressedCall that the chain never emitted.
  [1, 'the chain did not emit it, or its payload cannot be read'],
  [2, 'the chain has not accepted it'],
])

/** Error codes of any chain. */
const anyChain = new Map([
  [-1, 'the message cannot be read, or is of another network or chain'],
  [-2, 'the chain signs no messages'],
  [-3, 'it answers validators only'],
  [-4, 'it was asked too often'],
])

/** The code of a peer's rate limit. */
export const throttledCode = -4

/** The message of a refusal. `text` comes from the peer: it is truncated and stripped of control characters. */
export function describeRefusal(chainId: Uint8Array, code: number, text: string): string {
  const own = chainId.every((byte) => byte === 0) ? pChain : evmChain
  const words = anyChain.get(code) ?? own.get(code) ?? 'the validator refused'
  const said = text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, 200)
  return said === '' ? `${words} (${code})` : `${words} (${code}: ${said})`
}
