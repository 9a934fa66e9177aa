import { encodeAbiParameters, pad, toHex, type Hex } from 'viem'
import type { SeedLog } from './chain-rows.ts'

const topics = {
  transfer: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  single: '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  batch: '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
  range: '0xdeaa91b6123d068f5821d0fb0678463d1a8a6079fe8af5de3ce5e896dcf9133d',
} as const

export const zeroAddress = `0x${'0'.repeat(40)}`

/** A movement of a token in a test; addresses as 0x text. */
export type Movement = {
  readonly kind: 20 | 721 | 1155
  readonly token: string
  readonly from: string
  readonly to: string
  /** One entry for ERC-20 (id 0) and ERC-721 (value 1, or the number of ids of a range); any number for ERC-1155. */
  readonly items: readonly { readonly id: bigint; readonly value: bigint }[]
}

const word = (text: string): string => pad(text as Hex, { size: 32 })

/** The log that a token emits for a movement; several items make a batch. */
export function logOf({ kind, token, from, to, items }: Movement): SeedLog {
  const [first] = items
  const parties = [word(from), word(to)]
  const single = { id: first?.id ?? 0n, value: first?.value ?? 0n }
  if (kind === 20) {
    return { address: token, topics: [topics.transfer, ...parties], data: toHex(single.value, { size: 32 }) }
  }
  if (kind === 721 && single.value > 1n) {
    return {
      address: token,
      topics: [topics.range, toHex(single.id, { size: 32 }), ...parties],
      data: toHex(single.id + single.value - 1n, { size: 32 }),
    }
  }
  if (kind === 721) {
    return {
      address: token,
      topics: [topics.transfer, ...parties, toHex(single.id, { size: 32 })],
      data: '0x',
    }
  }
  if (items.length === 1) {
    return {
      address: token,
      topics: [topics.single, word(from), ...parties],
      data: encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [single.id, single.value]),
    }
  }
  return {
    address: token,
    topics: [topics.batch, word(from), ...parties],
    data: encodeAbiParameters(
      [{ type: 'uint256[]' }, { type: 'uint256[]' }],
      [items.map(({ id }) => id), items.map(({ value }) => value)],
    ),
  }
}
