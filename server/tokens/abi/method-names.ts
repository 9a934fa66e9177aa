import type { AbiBook } from './operator.ts'

const callMethod =
  /"to":\{"address":"(0x[0-9a-f]{40})"\},"method":\{"callType":"CONTRACT_CALL","methodHash":"(0x[0-9a-f]{8})"/g

/**
 * Puts the signature of each known method into the JSON of transactions, as the store writes it: from the
 * ABI that the operator gave for the contract, else from all that is known; then `candidates` lists every
 * signature that shares the four bytes, when there are several. All foreign text in the JSON is hex, so
 * that the pattern can't stand anywhere else.
 */
export function nameMethods(json: string, abis: AbiBook, chainId: string): string {
  return json.replace(callMethod, (text, address: string, selector: string) => {
    const { known } = abis.functions(selector, chainId, address)
    const [first] = known
    if (!first) return text
    const candidates = known.map(({ signature }) => signature)
    const more = candidates.length > 1 ? `,"candidates":${JSON.stringify(candidates)}` : ''
    return `${text},"methodName":${JSON.stringify(first.signature)}${more}`
  })
}
