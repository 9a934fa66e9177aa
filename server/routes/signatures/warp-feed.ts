import type { Stretch } from '../../http/keyset-list.ts'
import type { EmittedMessage } from '../../../contract/signatures/warp.ts'
import type { Chain } from '../../kernel/settings/chains.ts'
import { hexText } from '../../../protocol/ids/text.ts'
import { CodecError } from '../../../protocol/codec/reader.ts'
import { readTransactionMessages, type TransactionMessage } from '../../signatures/emitted.ts'
import { messageFields } from '../../signatures/message-fields.ts'
import { readSources } from '../../signatures/sources.ts'
import { decodeUnsigned } from '../../../protocol/warp/warp-messages.ts'
import type { ChainConfig } from '../../kernel/settings/config.ts'
import type { Database } from '../../store/database.ts'
import { readKept } from '../../store/evm/read-kept.ts'
import { lastBlock, lastIndex } from '../../store/read.ts'
import {
  readEmitted,
  readEmittedBy,
  readHeightUpTo,
  readL1Transactions,
  type EmittedRow,
} from '../../store/signatures/read-warp.ts'
import { Texts } from '../../primary/texts.ts'
import type { ServedNetwork } from '../../primary/served-network.ts'

/** A source of messages: the P-Chain of a network, or one of its EVM chains. */
export type FeedSource = { readonly kind: 'primary' } | { readonly kind: 'evm'; readonly chain: Chain }

/**
 * A message's position in the merged list: latest block time first, then the P-Chain before EVM chains by id,
 * then the latest of the chain first.
 */
type FeedPlace = {
  /** Unix seconds. */
  readonly ts: number
  /** 0 for the P-Chain, otherwise the EVM chain id. */
  readonly source: bigint
  readonly height: bigint
  readonly index: number
}

/** The columns of a position, as a page token holds them. */
export const feedCursor = { ts: 'number', source: 'bigint', height: 'bigint', index: 'number' } as const

/** A message read from the store, not yet formatted. */
type Found = {
  readonly place: FeedPlace
  readonly message: Uint8Array
  readonly chainName: string
  readonly txHash: string
  readonly logIndex?: number
  readonly said?: TransactionMessage
}

const pSource = 0n
const keyOf = (source: FeedSource): bigint => (source.kind === 'evm' ? source.chain.key : pSource)

export const pChainName = 'P-Chain'

/** A page of the messages of some sources before a position, latest first; `next` if there may be more. */
export async function readFeed(
  database: Database,
  network: ServedNetwork,
  chains: readonly ChainConfig[],
  sources: readonly FeedSource[],
  before: FeedPlace | undefined,
  pageSize: number,
): Promise<Stretch<EmittedMessage, FeedPlace>> {
  const each = await Promise.all(
    sources.map(async (source) => {
      const start = await startOf(database, network, source, before)
      return source.kind === 'evm'
        ? readOfChain(database, source.chain, start, pageSize + 1)
        : readOfP(database, network, start, pageSize + 1)
    }),
  )
  const found = each.flat().toSorted((left, right) => (precedes(left.place, right.place) ? -1 : 1))
  const shown = found.slice(0, pageSize)
  return {
    rows: await describe(database, network, chains, shown),
    next: found.length > pageSize ? shown.at(-1)?.place : undefined,
  }
}

/** The chains whose older messages are missing, because their logs were dropped. */
export async function readNotKept(
  database: Database,
  sources: readonly FeedSource[],
): Promise<{ chainName: string; logsFrom: string }[]> {
  const each = await Promise.all(
    sources.map(async (source) => {
      if (source.kind === 'primary') return []
      const { logs } = await readKept(database, source.chain.key)
      return logs > 0n ? [{ chainName: source.chain.config.name, logsFrom: `${logs}` }] : []
    }),
  )
  return each.flat()
}

function precedes(left: FeedPlace, right: FeedPlace): boolean {
  if (left.ts !== right.ts) return left.ts > right.ts
  if (left.source !== right.source) return left.source < right.source
  return left.height === right.height ? left.index > right.index : left.height > right.height
}

/**
 * The position at which a source continues: its own, or after the blocks of that time that the previous page
 * has passed.
 */
async function startOf(
  database: Database,
  network: ServedNetwork,
  source: FeedSource,
  before: FeedPlace | undefined,
): Promise<{ height: bigint; index: number }> {
  if (before === undefined) return { height: lastBlock, index: lastIndex }
  const key = keyOf(source)
  if (key === before.source) return { height: before.height, index: before.index }
  const [kind, chain] = source.kind === 'evm' ? (['evm', key] as const) : (['primary', network.p] as const)
  const upTo = key > before.source ? before.ts : before.ts - 1
  const height = await readHeightUpTo(database, kind, chain, upTo)
  return { height: height ?? -2n, index: lastIndex }
}

async function readOfChain(
  database: Database,
  chain: Chain,
  start: { height: bigint; index: number },
  limit: number,
): Promise<Found[]> {
  const rows = await readEmitted(database, chain.key, { number: start.height, index: start.index }, limit)
  return rows.map((row) => foundIn(chain, row))
}

const foundIn = (chain: Chain, row: EmittedRow): Found => ({
  place: { ts: Number(row.ts), source: chain.key, height: row.number, index: row.index },
  message: messageIn(row.data),
  chainName: chain.config.name,
  txHash: hexText(row.tx_hash),
  logIndex: row.index,
})

/** The message that a transaction of one of the EVM chains emitted; undefined if none of them has one. */
export async function readMessageOf(
  database: Database,
  network: ServedNetwork,
  chains: readonly ChainConfig[],
  sources: readonly FeedSource[],
  hash: Buffer,
): Promise<EmittedMessage | undefined> {
  for (const source of sources) {
    if (source.kind !== 'evm') continue
    const row = await readEmittedBy(database, source.chain.key, hash)
    if (!row) continue
    const [message] = await describe(database, network, chains, [foundIn(source.chain, row)])
    if (message) return message
  }
  return undefined
}

/** The bytes value in the log's data: offset, length, bytes. */
function messageIn(data: Buffer): Uint8Array {
  const size = data.length >= 64 ? Number(data.readBigUInt64BE(56)) : 0
  return data.subarray(64, 64 + Math.min(size, data.length))
}

async function readOfP(
  database: Database,
  network: ServedNetwork,
  start: { height: bigint; index: number },
  limit: number,
): Promise<Found[]> {
  const rows = await readL1Transactions(database, network.p, start, limit)
  const messages = await readTransactionMessages(database, network, rows)
  const texts = new Texts(network.config.prefix)
  return rows.flatMap((row, at) => {
    const said = messages[at]
    if (!said) return []
    return [
      {
        place: { ts: Number(row.ts), source: pSource, height: row.height, index: row.index },
        message: said.message,
        chainName: pChainName,
        txHash: texts.id(row.id),
        said,
      },
    ]
  })
}

async function describe(
  database: Database,
  network: ServedNetwork,
  chains: readonly ChainConfig[],
  found: readonly Found[],
): Promise<EmittedMessage[]> {
  const texts = new Texts(network.config.prefix)
  // On a chain without the precompile, another contract may be at its address.
  const readable = found.filter(({ message }) => isMessage(message))
  const ids = readable.map(({ message }) => decodeUnsigned(message).sourceChainId)
  const sources = await readSources(database, network, chains, [
    ...new Map(ids.map((id) => [hexText(id), id])).values(),
  ])
  return readable.map(({ place, message, chainName, txHash, logIndex, said }) => ({
    ...messageFields(message, texts, sources),
    ...(said && saidFields(said)),
    chainName,
    txHash,
    ...(logIndex !== undefined && { logIndex }),
    blockNumber: place.height.toString(),
    blockTimestamp: place.ts,
  }))
}

/** The fields of a P-Chain message that are not in its bytes. */
export function saidFields({ justification, signingSubnetId, refusal }: TransactionMessage) {
  return {
    signingSubnetId,
    ...(justification.length > 0 && { justification: hexText(justification) }),
    ...(refusal !== undefined && { refusal }),
  }
}

function isMessage(bytes: Uint8Array): boolean {
  try {
    decodeUnsigned(bytes)
    return true
  } catch (error) {
    if (error instanceof CodecError) return false
    throw error
  }
}
