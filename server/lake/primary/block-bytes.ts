import { fromHex, idOfText } from '../../../protocol/ids/text.ts'
import { withVersion } from '../../../protocol/native/hashes.ts'
import { Writer } from '../../../protocol/codec/writer.ts'
import { pBlockTypeIds, xBlockTypeIds } from '../../../protocol/primary/transaction-types.ts'
import { encodeVertex } from '../../../protocol/primary/x-blocks.ts'

/** A row by column; null is left out. */
export type Fields = Readonly<Record<string, string>>

/** Throws a RangeError for a column that a row lacks. */
export function field(fields: Fields, name: string): string {
  const value = fields[name]
  if (value === undefined) throw new RangeError(`a row has no ${name}`)
  return value
}

const types = pBlockTypeIds

/** The bytes of a P-Chain block from its row and those of its transactions, in order. */
export function pBlockBytes(block: Fields, transactions: readonly Fields[]): Uint8Array {
  const type = Number(field(block, 'type'))
  const isBanff = type >= types.BanffProposalBlock
  const bytes = transactions.map((tx) => fromHex(field(tx, 'bytes')))
  const writer = new Writer()
  const list = (items: readonly Uint8Array[]): void => {
    writer.u32(items.length)
    for (const item of items) writer.raw(item)
  }
  writer.u16(0)
  writer.u32(type)
  if (isBanff) writer.u64(BigInt(field(block, 'ts')))
  if (type === types.BanffProposalBlock) list(bytes.slice(0, -1))
  writer.raw(idOfText(field(block, 'parent_id')))
  writer.u64(BigInt(field(block, 'number')))
  if (type === types.BanffStandardBlock || type === types.ApricotStandardBlock) list(bytes)
  else for (const item of bytes.slice(-1)) writer.raw(item)
  return writer.done()
}

/** The bytes of an X-Chain block. */
export function xBlockBytes(block: Fields, transactions: readonly Fields[]): Uint8Array {
  const writer = new Writer()
  writer.u16(0)
  writer.u32(xBlockTypeIds.StandardBlock)
  writer.raw(idOfText(field(block, 'parent_id')))
  writer.u64(BigInt(field(block, 'number')))
  writer.u64(BigInt(field(block, 'ts')))
  writer.raw(idOfText(field(block, 'merkle_root')))
  writer.u32(transactions.length)
  for (const tx of transactions) writer.raw(fromHex(field(tx, 'bytes')))
  return writer.done()
}

/** The ids in the text of a list. */
export const listOf = (text: string): string[] => text.match(/[^[\], ]+/g) ?? []

/** The bytes of a vertex. `bytesOf` gives those of a transaction by its id. */
export function vertexBytes(
  vertex: Fields,
  chainId: string,
  bytesOf: (txId: string) => Uint8Array,
): Uint8Array {
  return encodeVertex({
    isStop: field(vertex, 'is_stop') === 'true',
    chainId: idOfText(chainId),
    height: Number(field(vertex, 'height')),
    parents: listOf(field(vertex, 'parents')).map(idOfText),
    transactions: listOf(field(vertex, 'transactions')).map((id) => withVersion(bytesOf(id))),
  })
}
