import type { NodeLog } from './node.ts'

/**
 * A token transfer as read by the checker; `id` is -1 for ERC-20. A range of several ERC-721 tokens is one item, with its
 * last id. Addresses are 0x text.
 */
type CountedTransfer = {
  readonly kind: 20 | 721 | 1155
  readonly token: string
  readonly from: string
  readonly to: string
  readonly items: readonly { readonly id: bigint; readonly value: bigint; readonly last?: bigint }[]
}

const events = {
  transfer: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  single: '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  batch: '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
  // ConsecutiveTransfer(uint256,uint256,address,address)
  range: '0xdeaa91b6123d068f5821d0fb0678463d1a8a6079fe8af5de3ce5e896dcf9133d',
}

/** Reads a token transfer that follows its standard, without the indexer's code; undefined for other logs. */
export function transferOf({ address, topics, data }: NodeLog): CountedTransfer | undefined {
  const bytes = Buffer.from(data.slice(2), 'hex')
  const shape = `${topics.length} topics, ${bytes.length} bytes`
  const read = (): Pick<CountedTransfer, 'kind' | 'items'> | undefined => {
    if (topics[0] === events.transfer && shape === '3 topics, 32 bytes') {
      return { kind: 20, items: [{ id: -1n, value: wordAt(bytes, 0n) ?? 0n }] }
    }
    if (topics[0] === events.transfer && shape === '4 topics, 0 bytes') {
      return { kind: 721, items: [{ id: BigInt(topics[3] ?? 0), value: 1n }] }
    }
    if (topics[0] === events.single && shape === '4 topics, 64 bytes') {
      return { kind: 1155, items: [{ id: wordAt(bytes, 0n) ?? 0n, value: wordAt(bytes, 32n) ?? 0n }] }
    }
    if (topics[0] === events.range && shape === '4 topics, 32 bytes') {
      const [id, last] = [BigInt(topics[1] ?? 0), BigInt(data)]
      if (last < id) return undefined
      return { kind: 721, items: [last === id ? { id, value: 1n } : { id, last, value: 1n + last - id }] }
    }
    if (topics[0] !== events.batch || topics.length !== 4) return undefined
    const [ids, values] = [listOf(bytes, 0n), listOf(bytes, 32n)]
    if (!ids || ids.length !== values?.length) return undefined
    return { kind: 1155, items: ids.map((id, index) => ({ id, value: values[index] ?? 0n })) }
  }
  const found = read()
  if (!found) return undefined
  const isLate = found.kind === 1155 || topics[0] === events.range
  const [from, to] = topics.slice(...(isLate ? [2, 4] : [1, 3])).map(BigInt)
  if (from === undefined || to === undefined || from >> 160n > 0n || to >> 160n > 0n) return undefined
  return { ...found, token: address, from: addressText(from), to: addressText(to) }
}

/** A deposit into a wrapper of the native token, or a withdrawal, which no transfer tells of. */
type CountedWrap = {
  readonly token: string
  readonly account: string
  /** Negative for a withdrawal. */
  readonly amount: bigint
}

const wraps: Readonly<Record<string, 1n | -1n>> = {
  // Deposit(address,uint256) and Withdrawal(address,uint256)
  '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c': 1n,
  '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65': -1n,
}

/**
 * Reads a deposit or a withdrawal; undefined for other logs, and if a transfer in the same transaction (whose logs `around` gives) is between its account and nobody or the contract itself.
 */
export function wrapOf(log: NodeLog, around: () => readonly NodeLog[]): CountedWrap | undefined {
  const [event = '', account = ''] = log.topics
  const sign = wraps[event]
  const bytes = (log.data.length - 2) / 2
  if (sign === undefined || log.topics.length !== 2 || bytes !== 32) return undefined
  if (BigInt(account) === 0n || BigInt(account) >> 160n > 0n) return undefined
  const named = addressText(BigInt(account))
  const others = [addressText(0n), log.address]
  const isTold = around().some((other) => {
    const transfer = other.address === log.address ? transferOf(other) : undefined
    if (transfer?.kind !== 20) return false
    const { from, to } = transfer
    return (from === named && others.includes(to)) || (to === named && others.includes(from))
  })
  return isTold ? undefined : { token: log.address, account: named, amount: sign * BigInt(log.data) }
}

const addressText = (value: bigint): string => `0x${value.toString(16).padStart(40, '0')}`

function wordAt(bytes: Buffer, at: bigint): bigint | undefined {
  if (at + 32n > BigInt(bytes.length)) return undefined
  return BigInt(`0x${bytes.subarray(Number(at), Number(at) + 32).toString('hex')}`)
}

/** The list whose offset is stored at a position of the data; undefined unless the data contain all of it. */
function listOf(bytes: Buffer, at: bigint): bigint[] | undefined {
  const offset = wordAt(bytes, at)
  const length = offset === undefined ? undefined : wordAt(bytes, offset)
  if (offset === undefined || length === undefined) return undefined
  if (offset + 32n + length * 32n > BigInt(bytes.length)) return undefined
  return Array.from(
    { length: Number(length) },
    (_, index) => wordAt(bytes, offset + 32n * BigInt(index + 1)) ?? 0n,
  )
}
