import { keccak256 } from '../../../kernel/keccak.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import { encodeRlp, shortest, type RlpItem } from './rlp.ts'
import { toHex } from './trie.ts'

type Field = readonly [name: string, kind: 'bytes' | 'quantity']

const common: readonly Field[] = [
  ['parentHash', 'bytes'],
  ['sha3Uncles', 'bytes'],
  ['miner', 'bytes'],
  ['stateRoot', 'bytes'],
  ['transactionsRoot', 'bytes'],
  ['receiptsRoot', 'bytes'],
  ['logsBloom', 'bytes'],
  ['difficulty', 'quantity'],
  ['number', 'quantity'],
  ['gasLimit', 'quantity'],
  ['gasUsed', 'quantity'],
  ['timestamp', 'quantity'],
  ['extraData', 'bytes'],
  ['mixHash', 'bytes'],
  ['nonce', 'bytes'],
]

/** Optional fields in header order. If one is present, all earlier ones are present too. */
const ethereum: readonly Field[] = [
  ['baseFeePerGas', 'quantity'],
  ['withdrawalsRoot', 'bytes'],
  ['blobGasUsed', 'quantity'],
  ['excessBlobGas', 'quantity'],
  ['parentBeaconBlockRoot', 'bytes'],
  ['requestsHash', 'bytes'],
]

const cChain: readonly Field[] = [
  ['baseFeePerGas', 'quantity'],
  ['extDataGasUsed', 'quantity'],
  ['blockGasCost', 'quantity'],
  ['blobGasUsed', 'quantity'],
  ['excessBlobGas', 'quantity'],
  ['parentBeaconBlockRoot', 'bytes'],
  ['timestampMilliseconds', 'quantity'],
  ['minDelayExcess', 'quantity'],
  ['targetExponent', 'quantity'],
  ['minPriceExponent', 'quantity'],
  ['settledHeight', 'quantity'],
  ['settledGasUnix', 'quantity'],
  ['settledGasNumerator', 'quantity'],
  ['settledExcess', 'quantity'],
]

const subnetEvm: readonly Field[] = [
  ['baseFeePerGas', 'quantity'],
  ['blockGasCost', 'quantity'],
  ['blobGasUsed', 'quantity'],
  ['excessBlobGas', 'quantity'],
  ['parentBeaconBlockRoot', 'bytes'],
  ['timestampMilliseconds', 'quantity'],
  ['minDelayExcess', 'quantity'],
]

/**
 * Recomputes the hash of a block from its header's fields, as an Ethereum, C-Chain or Subnet-EVM header.
 * Returns undefined if the fields do not allow it: a mandatory field is missing, an optional field is missing
 * before a present one, or there is an unknown field that may be part of the hash.
 */
export function headerHash(block: JsonObject): string | undefined {
  if (Object.keys(block).some((name) => !known.has(name))) return undefined
  const required = collect(block, common)
  if (!required || required.length < common.length) return undefined
  const optional = collect(block, layoutOf(block))
  if (!optional) return undefined
  const coreth = block['extDataHash'] === undefined ? [] : [bytesOf(block['extDataHash'], 'bytes')]
  if (coreth.includes(undefined)) return undefined
  return toHex(keccak256(encodeRlp([...required, ...(coreth as RlpItem[]), ...optional])))
}

function layoutOf(block: JsonObject): readonly Field[] {
  if (block['extDataHash'] !== undefined) return cChain
  return block['blockGasCost'] !== undefined || block['minDelayExcess'] !== undefined ? subnetEvm : ethereum
}

/** The encoded fields up to the first absent one; undefined if a later field is present or unreadable. */
function collect(block: JsonObject, fields: readonly Field[]): RlpItem[] | undefined {
  const items: RlpItem[] = []
  let ended = false
  for (const [name, kind] of fields) {
    const value = block[name]
    if (value === undefined || value === null) {
      ended = true
      continue
    }
    if (ended) return undefined
    const item = bytesOf(value, kind)
    if (!item) return undefined
    items.push(item)
  }
  return items
}

function bytesOf(value: unknown, kind: 'bytes' | 'quantity'): string | undefined {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]*$/.test(value)) return undefined
  return kind === 'bytes' ? value : shortest(value)
}

/** All header fields with a known position, and the fields that nodes add without hashing them. */
const known = new Set([
  'hash',
  'size',
  'totalDifficulty',
  'transactions',
  'uncles',
  'withdrawals',
  'blockExtraData',
  'extDataHash',
  ...[...common, ...ethereum, ...cChain].map(([name]) => name),
])
