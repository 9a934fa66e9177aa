import { fromRlp, type Hex as ViemHex, toRlp } from 'viem'
import { numeric } from '../../kernel/hex.ts'

/** The first byte of an RLP list is at least this. */
const firstList = 0xc0

/**
 * The header's members in RLP order: Ethereum's, then those of Avalanche. Numbers are written without leading zeros.
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

/** The RLP items of a block's header, for the members that the block has. */
export function headerOf(block: Readonly<Record<string, unknown>>): ViemHex[] {
  return headerMembers.flatMap((name) => {
    const value = block[name.replace('#', '')]
    if (typeof value !== 'string') return []
    return [name.startsWith('#') ? numeric(value) : (value as ViemHex)]
  })
}

/** A transaction in a block's RLP: a legacy transaction is a list, a typed one is a string. */
export function itemOf(raw: ViemHex): ViemHex | ReturnType<typeof fromRlp<'hex'>> {
  return Number.parseInt(raw.slice(2, 4), 16) >= firstList ? fromRlp(raw, 'hex') : raw
}

/**
 * A C block as the node stores it: header, transactions, no uncles, version 0, atomic transactions. The header is
 * that of the sample's own EVM node, so its Keccak hash is the block's hash; it has no hash of the atomic
 * transactions.
 */
export function blockRlp(
  block: Readonly<Record<string, unknown>>,
  raws: readonly ViemHex[],
  extraData: Uint8Array | undefined,
): Uint8Array {
  const extra: ViemHex = `0x${Buffer.from(extraData ?? []).toString('hex')}`
  return toRlp([headerOf(block), raws.map(itemOf), [], '0x', extra], 'bytes')
}
