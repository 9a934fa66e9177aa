import { addressOfText, fromHex, idOfText, nodeIdOfText } from '../../../protocol/ids/text.ts'
import type { Utxo } from '../../../protocol/primary/outputs.ts'
import { decodePBlock } from '../../../protocol/primary/p-blocks.ts'
import type { ProposerWrapper } from '../../../protocol/primary/proposer.ts'
import { decodeVertex, decodeXBlock } from '../../../protocol/primary/x-blocks.ts'
import { type PlacedVertex, vertexHeight } from '../../indexer/primary/x-apply.ts'
import { FatalError } from '../../kernel/errors.ts'
import type { LakeEngine } from '../engine.ts'
import { tableFile } from '../manifest.ts'
import { StoredRows, textOfColumns, type StoredRow } from '../stored-rows.ts'
import type { LakeColumn } from '../tables.ts'
import { field, listOf, pBlockBytes, vertexBytes, xBlockBytes, type Fields } from './block-bytes.ts'
import type { PrimaryManifest } from './manifest.ts'
import { type AppliedBlock, type PReplay, type XReplay } from './replay.ts'
import type { BlockText } from './rows.ts'
import { layoutOf } from './tables.ts'

/** A block of the files: the rows as they are stored, and as they follow from its bytes. */
export type StoredBlock = {
  readonly number: number
  /** Computed from the bytes; empty for the vertices. */
  readonly id: string
  readonly ts: number
  readonly stored: BlockText['rows']
  readonly derived: BlockText
  /** The node's part that is in no block: what a decided period of staking was paid. */
  readonly rewards: readonly Utxo[]
  readonly bytes: Uint8Array
  readonly wrapper: ProposerWrapper | undefined
  /** Before the blocks of the X-Chain: its vertices. */
  readonly vertices: readonly PlacedVertex[]
}

/** The rows of one height by table. */
type HeightRows = Readonly<Record<string, readonly StoredRow[]>>

/**
 * Reads the blocks of a range in order and applies them: their bytes are put together from the rows. Throws
 * FatalError for rows that are not a block, or that the rules refuse.
 */
export async function* readStored(
  root: string,
  manifest: PrimaryManifest,
  replay: { readonly P?: PReplay; readonly X?: XReplay },
  engine: LakeEngine,
): AsyncGenerator<StoredBlock> {
  const layout = Object.entries(layoutOf(manifest.chain))
  const open = new Map<string, StoredRows>()
  try {
    for (const [table, columns] of layout) {
      const path = tableFile(root, manifest.chain, table, manifest)
      const connection = await engine.connect()
      open.set(table, await StoredRows.ofColumns(connection, columns, path, vertexHeight))
    }
    const first = manifest.from === 0 ? vertexHeight : manifest.from
    for (let number = first; number <= manifest.to; number += 1) {
      const rows: Record<string, StoredRow[]> = {}
      for (const [table, reader] of open) rows[table] = await reader.take(number)
      const stored = Object.fromEntries(
        layout.map(([table, columns]) => [table, textOfColumns(columns, rows[table] ?? [])]),
      )
      const fields = new FieldsOf(manifest.chain, rows)
      if (number > vertexHeight) yield { number, stored, ...apply(number, fields, manifest, replay) }
      else if (replay.X) yield { number, stored, ...applyVertices(fields, manifest, replay.X) }
    }
    for (const [table, reader] of open) {
      const left = await reader.left()
      if (left) throw new FatalError(`${table}: a row of block ${left[0]} belongs to no block of the range`)
    }
  } finally {
    for (const reader of open.values()) reader.close()
  }
}

/** The rows of a height by column. */
class FieldsOf {
  readonly #tables: Readonly<Record<string, readonly LakeColumn[]>>
  readonly #rows: HeightRows

  constructor(chainAlias: PrimaryManifest['chain'], rows: HeightRows) {
    this.#tables = layoutOf(chainAlias)
    this.#rows = rows
  }

  of(table: string): Fields[] {
    const columns = this.#tables[table] ?? []
    return (this.#rows[table] ?? []).map((row) =>
      Object.fromEntries(
        columns.flatMap(({ name }, place) => {
          const value = row[place]
          return value === null || value === undefined ? [] : [[name, value]]
        }),
      ),
    )
  }
}

type Applied = Omit<StoredBlock, 'number' | 'stored'>

function apply(
  number: number,
  fields: FieldsOf,
  { chain, constants }: PrimaryManifest,
  { P, X }: { readonly P?: PReplay; readonly X?: XReplay },
): Applied {
  const [block, ...more] = fields.of('blocks')
  if (!block || more.length > 0)
    throw new FatalError(`block ${number}: the lake has ${more.length + (block ? 1 : 0)} rows of it`)
  // The transactions at height 0 are those of the genesis.
  const transactions = number === 0 ? [] : fields.of('transactions')
  const wrapper = wrapperOf(block)
  if (chain === 'X') {
    if (!X) throw new Error('the X-Chain is read without its state')
    const bytes = xBlockBytes(block, transactions)
    return applied(X.apply(decodeXBlock(bytes), wrapper), { rewards: [], bytes, wrapper })
  }
  if (!P) throw new Error('the P-Chain is read without its state')
  const rewards = fields
    .of('utxos')
    .filter((utxo) => utxo['reward_type'] !== undefined)
    .map((utxo) => rewardOf(utxo, constants.prefix))
  const bytes = pBlockBytes(block, transactions)
  const derived = P.apply({ block: decodePBlock(bytes), wrapper, rewards })
  return applied(derived, { rewards, bytes, wrapper })
}

const applied = (
  derived: AppliedBlock,
  facts: Pick<StoredBlock, 'rewards' | 'bytes' | 'wrapper'>,
): Applied => ({ id: derived.id, ts: derived.ts, derived, vertices: [], ...facts })

/** All vertices, as one step. */
function applyVertices(fields: FieldsOf, { constants }: PrimaryManifest, replay: XReplay): Applied {
  const known = new Map(fields.of('transactions').map((tx) => [field(tx, 'id'), fromHex(field(tx, 'bytes'))]))
  const bytesOf = (id: string): Uint8Array => {
    const bytes = known.get(id)
    if (!bytes) throw new FatalError(`vertices: the lake has no transaction ${id}`)
    return bytes
  }
  const vertices = fields.of('vertices').map((row) => ({
    vertex: decodeVertex(vertexBytes(row, constants.xId, bytesOf)),
    index: Number(field(row, 'index')),
    ts: Number(field(row, 'ts')),
  }))
  const texts = vertices.map((vertex) => replay.applyVertex(vertex))
  const tables = Object.keys(layoutOf('X'))
  const derived = {
    rows: Object.fromEntries(
      tables.map((table) => [table, texts.map(({ rows }) => rows[table] ?? '').join('')]),
    ),
    counts: Object.fromEntries(
      tables.map((table) => [table, texts.reduce((sum, { counts }) => sum + (counts[table] ?? 0), 0)]),
    ),
  }
  return {
    id: '',
    ts: 0,
    derived,
    rewards: [],
    bytes: new Uint8Array(),
    wrapper: undefined,
    vertices,
  }
}

function wrapperOf(block: Fields): ProposerWrapper | undefined {
  const { proposer_id: id, proposer_parent_id: parentId, proposer_node: node } = block
  if (id === undefined || parentId === undefined) return undefined
  const { proposer_p_height: pHeight, proposer_ts: time } = block
  const details =
    pHeight === undefined || time === undefined
      ? undefined
      : {
          time: BigInt(time),
          pChainHeight: BigInt(pHeight),
          nodeId: node === undefined ? undefined : nodeIdOfText(node),
          epoch: undefined,
        }
  return { id: idOfText(id), parentId: idOfText(parentId), block: new Uint8Array(), details }
}

function rewardOf(utxo: Fields, prefix: string): Utxo {
  return {
    txId: idOfText(field(utxo, 'tx_id')),
    outputIndex: Number(field(utxo, 'output_index')),
    assetId: idOfText(field(utxo, 'asset')),
    output: {
      type: 'TRANSFER',
      amount: BigInt(field(utxo, 'amount')),
      stakeableLocktime: BigInt(field(utxo, 'stakeable_locktime')),
      owner: {
        locktime: BigInt(field(utxo, 'locktime')),
        threshold: Number(field(utxo, 'threshold')),
        addresses: listOf(field(utxo, 'owners')).map((each) => addressOfText(each, prefix)),
      },
    },
  }
}
