import { fromRlp, type Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import node from '../../../protocol/fixtures/avalanchego-transactions.json' with { type: 'json' }
import published from '../../../protocol/fixtures/published.json' with { type: 'json' }
import { decodeAtomicTx, decodeExtraData, type AtomicUnsigned } from '../../../protocol/primary/atomic.ts'
import { cb58, idOfText } from '../../../protocol/ids/text.ts'
import { utxos } from '../../../protocol/primary/outputs.ts'
import { encode } from '../../../protocol/codec/schema.ts'
import { decodeXTx } from '../../../protocol/primary/x-transactions.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { readOddHistory } from '../../verify/primary-tables.ts'
import { createStats } from '../../kernel/indexer-stats.ts'
import { ProgressMeter } from '../../kernel/progress-meter.ts'
import type { Database } from '../../store/database.ts'
import { ensurePartitions } from '../../store/partitions.ts'
import { StoreSession } from '../../store/session.ts'
import { Batch } from './batch/batch.ts'
import { keyOf } from './batch/rows.ts'
import { CChain } from './c-chain.ts'
import { readCContainer } from './c-containers.ts'
import { storeCBlocks, type RecordedCBlock } from './testing/stored-blocks.ts'
import { applyXTx } from './x-effects.ts'
import {
  c,
  empty,
  emptied,
  expectedRow,
  expectSpent,
  madeElsewhere,
  makeEach,
  p,
  readElsewhere,
  otherChainOf,
  utxosOf,
  write,
  x,
  type Output,
} from './testing/published.ts'

// As published-p.test.ts, for the X-Chain and the atomic side of the C-Chain.

let store: TestDatabase
beforeAll(async () => {
  store = await createTestDatabase()
})
beforeEach(() => emptied(store.database))
afterAll(() => store.drop())

test.each(published.x.map((each) => [each.from, each] as const))('%s is applied', async (_, { bytes }) => {
  const tx = decodeXTx(Buffer.from(bytes, 'hex').subarray(2))
  const { unsigned } = tx
  if (unsigned.type === 'UNKNOWN') throw new Error('it is of an unknown type')
  const read = readElsewhere(Buffer.from(bytes, 'hex'), 'AVM')
  const other = otherChainOf(unsigned)
  const rules = {
    chain: x,
    pChain: p,
    cChain: c,
    xId: unsigned.base.blockchainId,
    cId: keyOf(other),
    avaxAsset: empty,
    followed: new Set([keyOf(other)]),
  }
  const before = new Batch(x)
  const imported = unsigned.type === 'ImportTx' ? unsigned.importedInputs : []
  makeEach(before, x, [
    ...unsigned.base.inputs.map((each) => ({ each, chain: x })),
    ...imported.map((each) => ({ each, chain: c })),
  ])
  await write(store.database, before)
  const batch = new Batch(x)
  applyXTx({ rules, batch, strays: { next: 0 } }, tx, { height: 1, index: 0, ts: 2 })
  await write(store.database, batch)
  await expectSpent(store.database, tx.id, read)
  expect((await readOddHistory(store.database, x)).shown).toEqual([])
  const count = (read['baseTx'] as { outputs: Output[] }).outputs.length
  const states = ((read['initialStates'] ?? []) as { outputs: Output['output'][] }[]).flatMap(
    ({ outputs }) => outputs,
  )
  const made = [
    ...madeElsewhere(read).map((each, index) =>
      expectedRow(each, index, 'destination' in read && index >= count ? c : x),
    ),
    ...states.map((output, index) => expectedRow({ assetId: cb58(tx.id), output }, count + index, x)),
  ]
  expect(await utxosOf(store.database, tx.id)).toEqual(made)
})

/** The atomic side of the C-Chain after blocks with extra data, of which the first is block 0. */
async function indexAtomic(blocks: readonly RecordedCBlock[], unsigned: AtomicUnsigned): Promise<void> {
  const sql = store.database
  await sql`delete from blocks where chain = 43112`
  await sql`delete from chains where chain = 43112`
  await ensurePartitions(sql, 43112n, 0n, BigInt(blocks.length))
  await sql`insert into chains (chain, genesis_hash, start_block) values (43112, ${Buffer.alloc(32)}, 0)`
  await storeCBlocks(sql, blocks)
  await sql`delete from primary_chains`
  const signal = new AbortController().signal
  const session = new StoreSession(sql, -c, signal)
  const other = 'sourceChain' in unsigned ? unsigned.sourceChain : unsigned.destinationChain
  const stats = createStats()
  const chain = new CChain(c, {
    evmChainId: 43112,
    session,
    stats,
    startOver: false,
    rules: () =>
      Promise.resolve({
        chain: c,
        pChain: p,
        xChain: x,
        cId: unsigned.blockchainId,
        xId: keyOf(other),
        avaxAsset: empty,
        followed: new Set([keyOf(other)]),
      }),
  })
  await chain.connect(signal)
  await chain.advance(blocks.length - 1, new ProgressMeter(stats, () => Promise.resolve()), signal)
  await session.close()
}

/** The C-Chain of the network in that fixture. */
const cChainId = idOfText('2mcwQKiD8VEspmMJpL1dc7okQQ5dDVAWeCBZ7FWBFAbxpv3t7w')

const block = (number: number, more: Partial<RecordedCBlock> = {}): RecordedCBlock => ({
  number: `0x${number.toString(16)}`,
  timestamp: `0x${(1_600_000_000 + number).toString(16)}`,
  hash: `0x${(number + 1).toString(16).padStart(64, '0')}`,
  parentHash: `0x${number.toString(16).padStart(64, '0')}`,
  size: '0x1',
  blockExtraData: '0x',
  ...more,
})

/** The bytes of a stored UTXO, as nodes hold it in shared memory. */
const storedUtxos = async (sql: Database): Promise<Map<string, string>> => {
  const rows = await sql<
    {
      utxo_id: Buffer
      tx_id: Buffer
      output_index: number
      asset: Buffer
      amount: string
      locktime: string
      threshold: number
      owner: Buffer
      owners: Buffer[] | null
    }[]
  >`select * from utxos where spent_tx is null`
  return new Map(
    rows.map((row) => {
      const owner = {
        locktime: BigInt(row.locktime),
        threshold: row.threshold,
        addresses: row.owners ?? [row.owner],
      }
      const output = { type: 'TRANSFER' as const, amount: BigInt(row.amount), stakeableLocktime: 0n, owner }
      const utxo = { txId: row.tx_id, outputIndex: row.output_index, assetId: row.asset, output }
      return [row.utxo_id.toString('hex'), Buffer.from(encode(utxos.C, utxo)).toString('hex')]
    }),
  )
}

test.each(node.c.map((each) => [each.name, each] as const))(
  'avalanchego’s %s of the C-Chain asks shared memory for what it says',
  async (_, { bytes, made = [], spent = [] }) => {
    const { unsigned } = decodeAtomicTx(Buffer.from(bytes, 'hex').subarray(2))
    const before = new Batch(c)
    const imported = unsigned.type === 'ImportTx' ? unsigned.importedInputs : []
    makeEach(
      before,
      c,
      imported.map((each) => ({ each, chain: x })),
    )
    await write(store.database, before)
    await indexAtomic([block(0), block(1, { blockExtraData: `0x${bytes}` })], unsigned)
    expect((await readOddHistory(store.database, c)).shown).toEqual([])
    expect(Object.fromEntries(await storedUtxos(store.database))).toEqual(
      Object.fromEntries(made.map(({ utxoId, utxo }) => [utxoId, utxo])),
    )
    const rows = await store.database<
      { id: Buffer }[]
    >`select utxo_id as id from utxos where spent_tx is not null`
    expect(rows.map(({ id }) => id.toString('hex')).toSorted()).toEqual(spent.toSorted())
  },
)

test('the C-Chain’s blocks of every upgrade until Granite are read and applied', async () => {
  const blocks = published.cBlocks.blocks.map(({ rlp, hash }) => {
    const [header = [], , , , extraData = '0x'] = fromRlp(rlp as Hex) as [Hex[], Hex[], Hex[], Hex, Hex?]
    const [parentHash = '0x', number = '0x', timestamp = '0x'] = [header[0], header[8], header[11]]
    const id = cb58(Buffer.from(hash.slice(2), 'hex'))
    const bytes = Buffer.from(rlp.slice(2), 'hex')
    expect(readCContainer({ id, bytes, ts: 0 })).toMatchObject({
      height: Number(number) || 0,
      size: bytes.length,
    })
    return block(Number(number) || 0, { timestamp, hash, parentHash, blockExtraData: extraData })
  })
  const transactions = blocks.map(({ blockExtraData }) =>
    blockExtraData === '0x' ? [] : decodeExtraData(Buffer.from(blockExtraData.slice(2), 'hex'), cChainId),
  )
  const [first] = transactions.flat()
  if (first?.unsigned.type !== 'ImportTx') throw new Error('the first atomic transaction is no import')
  const avax = keyOf(first.unsigned.evmOutputs[0]?.assetId ?? empty)
  // What a node says that all accounts together had more or less after the block.
  for (const [place, { number, change = '0' }] of published.cBlocks.blocks.entries()) {
    const entries = (transactions[place] ?? []).flatMap(({ unsigned }) =>
      unsigned.type === 'ImportTx'
        ? unsigned.evmOutputs
        : unsigned.evmInputs.map((each) => ({ ...each, amount: -each.amount })),
    )
    const moved = entries.filter(({ assetId }) => keyOf(assetId) === avax)
    expect([number, String(moved.reduce((sum, { amount }) => sum + amount, 0n))]).toEqual([number, change])
  }
  await indexAtomic(blocks, first.unsigned)
  const rows = await store.database<{ height: bigint; id: Buffer }[]>`
    select height, id from primary_transactions where chain = ${c}`
  const shown = (height: number | bigint, id: string): string => `${height} ${id}`
  expect(rows.map(({ height, id }) => shown(height, cb58(id))).toSorted()).toEqual(
    published.cBlocks.blocks
      .flatMap(({ number, atomic }) => atomic.map((id) => shown(number, id)))
      .toSorted(),
  )
})
