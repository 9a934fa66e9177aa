import { fromRlp, toRlp } from 'viem'
import type { Hex as ViemHex } from 'viem'
import { numeric } from '../../kernel/hex.ts'

/** From this byte on RLP holds a list. */
const firstList = 0xc0

/**
 * The header's members in the order of its RLP, those of the sample's EVM node and those of the network's; numbers are
 * written without leading zeros.
 */
const headerMembers = [
  'parentHash',
  'sha3Uncles',
  'miner',
  'stateRoot',
  'transactionsRoot',
  'receiptsRoot',
  'logsBloom',
  '#difficulty',
  '#number',
  '#gasLimit',
  '#gasUsed',
  '#timestamp',
  'extraData',
  'mixHash',
  'nonce',
  'extDataHash',
  '#baseFeePerGas',
  'withdrawalsRoot',
  '#extDataGasUsed',
  '#blockGasCost',
  '#blobGasUsed',
  '#excessBlobGas',
  'parentBeaconBlockRoot',
  '#timestampMilliseconds',
  '#minDelayExcess',
]

/** The RLP of a block's header as far as the block has its members. */
export function headerOf(block: Readonly<Record<string, unknown>>): ViemHex[] {
  return headerMembers.flatMap((name) => {
    const value = block[name.replace('#', '')]
    if (typeof value !== 'string') return []
    return [name.startsWith('#') ? numeric(value) : (value as ViemHex)]
  })
}

/** A transaction within a block's RLP: legacy ones are lists there, typed ones strings. */
export function itemOf(raw: ViemHex): ViemHex | ReturnType<typeof fromRlp<'hex'>> {
  return Number.parseInt(raw.slice(2, 4), 16) >= firstList ? fromRlp(raw, 'hex') : raw
}

/**
 * A C block as the node keeps it: header, transactions, no uncles, version 0, atomic transactions. The header is that
 * of the sample's own EVM node, so its Keccak is the block's hash; it has no hash of the atomic transactions in it.
 */
export function blockRlp(
  block: Readonly<Record<string, unknown>>,
  raws: readonly ViemHex[],
  extraData: Uint8Array | undefined,
): Uint8Array {
  const extra: ViemHex = `0x${Buffer.from(extraData ?? []).toString('hex')}`
  return toRlp([headerOf(block), raws.map(itemOf), [], '0x', extra], 'bytes')
}
