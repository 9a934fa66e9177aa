import { list, object, type JsonObject } from '../../../kernel/json.ts'
import { encodeRlp, RlpWriter, shortest, type RlpItem } from './rlp.ts'

/**
 * Encodes a block's transactions in order from their JSON: the keccak-256 of each is its hash, and the
 * transactions root commits to them. Returns undefined if a transaction has an unknown type or lacks a field.
 * The result is stored in `writer`; a caller that needs it only briefly may reuse one writer.
 */
export function encodeTransactions(
  transactions: readonly JsonObject[],
  writer = new RlpWriter(),
): Uint8Array[] | undefined {
  return encodeAll(transactions, writer, writeTransaction)
}

function encodeAll(
  items: readonly JsonObject[],
  writer: RlpWriter,
  write: (writer: RlpWriter, item: JsonObject) => boolean,
): Uint8Array[] | undefined {
  const encoded: Uint8Array[] = []
  for (const item of items) {
    const before = writer.length
    if (!write(writer, item)) return undefined
    encoded.push(writer.since(before))
  }
  return encoded
}

function writeTransaction(writer: RlpWriter, transaction: JsonObject): boolean {
  const type = typeOf(transaction)
  const layout = type === undefined ? undefined : layouts[type]
  if (type === undefined || !layout) return false
  const before = writer.length
  for (let index = layout.length - 1; index >= 0; index -= 1) {
    const field = layout[index]
    const item = field && encodeField(transaction, field)
    if (!item) return false
    writer.item(item)
  }
  writer.list(before)
  if (type > 0) writer.byte(type)
  return true
}

type Kind = 'quantity' | 'bytes' | 'to' | 'yParity' | 'accessList' | 'authorizationList' | 'hashes'
type Field = readonly [name: string, kind: Kind]

/** The encoding of every hashed field. */
const kinds = {
  nonce: 'quantity',
  gasPrice: 'quantity',
  maxPriorityFeePerGas: 'quantity',
  maxFeePerGas: 'quantity',
  maxFeePerBlobGas: 'quantity',
  gas: 'quantity',
  value: 'quantity',
  chainId: 'quantity',
  v: 'quantity',
  r: 'quantity',
  s: 'quantity',
  to: 'to',
  input: 'bytes',
  yParity: 'yParity',
  accessList: 'accessList',
  authorizationList: 'authorizationList',
  blobVersionedHashes: 'hashes',
} as const satisfies Record<string, Kind>

const fieldsOf = (...names: readonly (keyof typeof kinds)[]): readonly Field[] =>
  names.map((name) => [name, kinds[name]])

const call = ['gas', 'to', 'value', 'input'] as const
const fees = ['chainId', 'nonce', 'maxPriorityFeePerGas', 'maxFeePerGas'] as const
const signature = ['yParity', 'r', 's'] as const

/** The fields of each transaction type, in order. */
const layouts: readonly (readonly Field[])[] = [
  fieldsOf('nonce', 'gasPrice', ...call, 'v', 'r', 's'),
  fieldsOf('chainId', 'nonce', 'gasPrice', ...call, 'accessList', ...signature),
  fieldsOf(...fees, ...call, 'accessList', ...signature),
  fieldsOf(...fees, ...call, 'accessList', 'maxFeePerBlobGas', 'blobVersionedHashes', ...signature),
  fieldsOf(...fees, ...call, 'accessList', 'authorizationList', ...signature),
]

function encodeField(transaction: JsonObject, [name, kind]: Field): RlpItem | undefined {
  const value = transaction[name]
  switch (kind) {
    case 'quantity':
      return quantityOf(value)
    case 'bytes':
      return bytes(value)
    case 'to':
      return value === null || value === undefined ? '0x' : bytes(value)
    case 'yParity':
      return parityOf(value ?? transaction['v'])
    case 'accessList':
      return Array.isArray(value) ? value.map(encodeAccess) : undefined
    case 'authorizationList':
      return Array.isArray(value) ? encodeAuthorizations(value) : undefined
    case 'hashes':
      return Array.isArray(value) ? value.map(bytes) : undefined
  }
}

/** Hardhat lists 27 or 28 for typed transactions of impersonated senders. */
function parityOf(value: unknown): string | undefined {
  const given = quantityOf(value)
  return given === '0x1b' ? '0x' : given === '0x1c' ? '0x01' : given
}

function encodeAccess(value: unknown): RlpItem {
  const entry = object(value, 'an access list entry')
  return [bytes(entry['address']), list(entry['storageKeys'] ?? [], 'storage keys').map(bytes)]
}

function encodeAuthorizations(values: readonly unknown[]): RlpItem | undefined {
  const items: RlpItem[] = []
  for (const value of values) {
    const entry = object(value, 'an authorization')
    const fields = [
      quantityOf(entry['chainId']),
      bytes(entry['address']),
      quantityOf(entry['nonce']),
      quantityOf(entry['yParity'] ?? entry['v']),
      quantityOf(entry['r']),
      quantityOf(entry['s']),
    ]
    if (!fields.every((field) => field !== undefined)) return undefined
    items.push(fields)
  }
  return items
}

/** Encodes a block's receipts in order, to which the receipts root commits; see `encodeTransactions`. */
export function encodeReceipts(
  receipts: readonly JsonObject[],
  writer = new RlpWriter(),
): Uint8Array[] | undefined {
  return encodeAll(receipts, writer, writeReceipt)
}

/** Encodes a block's withdrawals in order, to which the withdrawals root commits (EIP-4895). */
export function encodeWithdrawals(withdrawals: readonly JsonObject[]): Uint8Array[] {
  return withdrawals.map(({ index, validatorIndex, address, amount }) =>
    encodeRlp([
      quantityOf(index) ?? '0x',
      quantityOf(validatorIndex) ?? '0x',
      bytes(address),
      quantityOf(amount) ?? '0x',
    ]),
  )
}

function writeReceipt(writer: RlpWriter, receipt: JsonObject): boolean {
  const type = typeOf(receipt)
  if (type === undefined || type >= layouts.length) return false
  const outcome = receipt['status'] === undefined ? bytes(receipt['root']) : quantityOf(receipt['status'])
  const gas = quantityOf(receipt['cumulativeGasUsed'])
  if (!outcome || !gas) return false
  const before = writer.length
  writeLogs(writer, list(receipt['logs'], 'the logs of a receipt'))
  writer.text(bytes(receipt['logsBloom']))
  writer.text(gas)
  writer.text(outcome)
  writer.list(before)
  if (type > 0) writer.byte(type)
  return true
}

function writeLogs(writer: RlpWriter, logs: readonly unknown[]): void {
  const before = writer.length
  for (let index = logs.length - 1; index >= 0; index -= 1) {
    const log = object(logs[index], 'a log')
    const behindLog = writer.length
    writer.text(bytes(log['data']))
    const behindTopics = writer.length
    const topics = list(log['topics'], 'topics')
    for (let place = topics.length - 1; place >= 0; place -= 1) writer.text(bytes(topics[place]))
    writer.list(behindTopics)
    writer.text(bytes(log['address']))
    writer.list(behindLog)
  }
  writer.list(before)
}

function typeOf(item: JsonObject): number | undefined {
  const type = item['type']
  if (type === undefined || type === null) return 0
  return typeof type === 'string' ? Number(type) : undefined
}

function quantityOf(value: unknown): string | undefined {
  return typeof value === 'string' ? shortest(value) : undefined
}

function bytes(value: unknown): string {
  return typeof value === 'string' ? value : '0x'
}
