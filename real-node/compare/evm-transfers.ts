import { decodeAbiParameters, parseAbiParameters, type Hex } from 'viem'
import type { NodeReceipt } from './evm-node.ts'

/** One token transfer of a log. */
export type TokenMovement = {
  readonly standard: 'ERC-20' | 'ERC-721' | 'ERC-1155'
  readonly from: Hex
  readonly to: Hex
  /** ERC-721 and ERC-1155 only. */
  readonly tokenId: bigint | undefined
  readonly value: bigint
}

const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const transferSingle = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
const transferBatch = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'

/** The transfers of a log by docs/metrics.md, "What counts"; all compared logs are well-formed. */
export function transfersOf({ topics, data }: NodeReceipt['logs'][number]): TokenMovement[] {
  const [kind, ...indexed] = topics
  const party = (at: number): Hex => `0x${indexed[at]?.slice(26) ?? ''}`
  const words = (data.length - 2) / 64
  if (kind === transfer) {
    const parties = { from: party(0), to: party(1) }
    if (indexed.length === 2 && words === 1)
      return [{ standard: 'ERC-20', ...parties, tokenId: undefined, value: BigInt(data) }]
    if (indexed.length === 3 && words === 0)
      return [{ standard: 'ERC-721', ...parties, tokenId: BigInt(indexed[2] ?? 0), value: 1n }]
  }
  if (indexed.length !== 3) return []
  const parties = { standard: 'ERC-1155', from: party(1), to: party(2) } as const
  if (kind === transferSingle) {
    const [tokenId, value] = decodeAbiParameters(parseAbiParameters('uint256, uint256'), data)
    return [{ ...parties, tokenId, value }]
  }
  if (kind === transferBatch) {
    const [ids, values] = decodeAbiParameters(parseAbiParameters('uint256[], uint256[]'), data)
    return ids.map((tokenId, at) => ({ ...parties, tokenId, value: values[at] ?? 0n }))
  }
  return []
}
