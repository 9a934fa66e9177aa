import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import recorded from '../../../protocol/fixtures/recorded.json' with { type: 'json' }
import { encode, type InputOf } from '../../../protocol/codec/schema.ts'
import { sha256 } from '../../../protocol/native/hashes.ts'
import { cb58, fromCheckedHex, hexText, idOfText } from '../../../protocol/ids/text.ts'
import { decodePBlock } from '../../../protocol/primary/p-blocks.ts'
import { decodePTx, type PUnsigned } from '../../../protocol/primary/p-transactions.ts'
import { decodeXBlock, encodeVertex } from '../../../protocol/primary/x-blocks.ts'
import { xTx } from '../../../protocol/primary/x-transactions.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { Findings } from '../../verify/findings.ts'
import { checkPrimaryTables, readOddHistory } from '../../verify/primary-tables.ts'
import { testPace, until } from '../testing/harness.ts'
import { runPrimaryIndexers } from './networks.ts'
import { localNetwork } from './testing/local-network.ts'
import { addPBlock, addXBlock, emptyBase, withoutCredentials } from './testing/own-blocks.ts'
import { RecordedNode } from './testing/recorded-node.ts'
import { type RecordedCBlock, storeRecordedBlocks } from './testing/stored-blocks.ts'

// What accepted history contains and the rules of today would refuse, each as a block of its own. The list of what
// avalanchego and coreth exempt is in docs/indexer.md, "Accepted history".

const keys = { p: 11, x: 12, c: 13 }

let store: TestDatabase
let node: RecordedNode
let abort: AbortController
let running: Promise<void>

beforeEach(async () => {
  store = await createTestDatabase()
  node = new RecordedNode()
})

afterEach(async () => {
  await stop()
  await node.stop()
  await store.drop()
})

async function stop(): Promise<void> {
  abort.abort()
  await running.catch(() => undefined)
}

let url: string | undefined
async function start(isCFollowed = false): Promise<void> {
  url ??= await node.start()
  abort = new AbortController()
  const quiet = () => undefined
  running = runPrimaryIndexers({
    database: store.database,
    ...localNetwork(url, isCFollowed),
    logger: { info: quiet, warn: quiet, error: quiet },
    signal: abort.signal,
    pace: testPace,
  })
  running.catch(() => undefined)
}
afterEach(() => {
  url = undefined
})

async function indexed(chain: number, height: number): Promise<void> {
  await until(`chain ${chain} is indexed to block ${height}`, async () => {
    const [row] = await store.database<{ height: bigint | null; reason: string | null; state: string }[]>`
      select (select max(height) from primary_blocks where chain = ${chain}) as height, state, reason
      from primary_chains where chain = ${chain}`
    if (row?.state === 'stopped') throw new Error(`stopped: ${row.reason}`)
    return Number(row?.height ?? -1n) >= height
  })
}

/** What is listed as odd, and what the checks of the tables find. */
async function verified(chain: number): Promise<{ odd: readonly string[]; faults: string[] }> {
  const findings = new Findings()
  await checkPrimaryTables(store.database, chain, findings)
  return { odd: (await readOddHistory(store.database, chain)).shown, faults: findings.all() }
}

const unspent = (chain: number) => store.database<{ tx: string; amount: string }[]>`
  select encode(tx_id, 'hex') as tx, amount from utxos where home = ${chain} and spent_height is null
  order by utxo_id`

const xBlocks = recorded.xBlocks.map(({ hex }) => decodeXBlock(fromCheckedHex(hex)))
const transfer = xBlocks[1]?.transactions[0]
if (transfer?.unsigned.type !== 'BaseTx') throw new Error('X block 1 has no transfer')
const { base } = transfer.unsigned
const [input] = base.inputs
if (!input) throw new Error('the transfer spends nothing')
const outputs = base.outputs.map((each) => ({ ...each }))
/** Spends what X block 1 spends, and pays one nAVAX. */
const again = (memo: number, references = [input]): InputOf<typeof xTx> => ({
  unsigned: {
    type: 'BaseTx',
    base: {
      ...base,
      inputs: references,
      outputs: outputs
        .slice(0, 1)
        .map((each) => ({ ...each, output: { ...each.output, amount: 1n } as typeof each.output })),
      memo: Buffer.from([memo]),
    },
  },
  credentials: [],
})
/** The transaction of X block 1. */
const repeated: InputOf<typeof xTx> = { ...transfer, unsigned: transfer.unsigned }
const idOf = (tx: InputOf<typeof xTx>): string => cb58(sha256(encode(xTx, tx)))
const first = `spent by ${cb58(transfer.id)} in block 1`

/** A recorded transaction of a type. */
const recordedTx = <Type extends PUnsigned['type']>(type: Type) => {
  const found = recorded.pTxs
    .map(({ hex }) => decodePTx(fromCheckedHex(hex).subarray(2)).unsigned)
    .find((unsigned) => unsigned.type === type)
  if (!found) throw new Error(`no ${type} is recorded`)
  return found as Extract<PUnsigned, { type: Type }>
}

describe('the X-Chain', () => {
  test.each([
    ['in a later run', true],
    ['in one run', false],
  ])(
    'a UTXO that is spent twice counts once, and both transactions make their outputs: %s',
    async (_, isLater) => {
      if (isLater) {
        await start()
        await indexed(keys.x, 4)
      }
      addXBlock(node, [again(1)])
      addXBlock(node, [again(2), again(3)])
      await (isLater ? indexed(keys.x, 6) : start().then(() => indexed(keys.x, 6)))
      const { odd, faults } = await verified(keys.x)
      expect(faults).toEqual([])
      expect(odd).toHaveLength(3)
      for (const memo of [1, 2, 3])
        expect(odd).toContainEqual(
          expect.stringMatching(
            new RegExp(`^${idOf(again(memo))} spends a UTXO that was spent before .*${first}`),
          ),
        )
      const made = await unspent(keys.x)
      const ids = [1, 2, 3].map((memo) => Buffer.from(idOfText(idOf(again(memo)))).toString('hex'))
      expect(made.filter(({ tx }) => ids.includes(tx)).map(({ amount }) => amount)).toEqual(['1', '1', '1'])
      const [spent] = await store.database<{ height: bigint }[]>`
      select spent_height as height from utxos where tx_id = ${Buffer.from(input.txId)}
        and output_index = ${input.outputIndex} and home = ${keys.x}`
      expect(spent?.height).toBe(1n)
      // It is in the lists of the owner, like any other transaction.
      const [owner] = outputs[0]?.output.owner.addresses ?? []
      const listed = await store.database`
      select from primary_address_transactions
      where address = ${Buffer.from(owner ?? [])} and chain = ${keys.x} and height > 4`
      expect(listed).toHaveLength(3)
    },
  )

  test('a UTXO that was never made is spent', async () => {
    const unknown = { ...input, txId: Buffer.alloc(32, 9) }
    addXBlock(node, [again(1, [unknown])])
    await start()
    await indexed(keys.x, 5)
    expect(await verified(keys.x)).toEqual({
      odd: [expect.stringMatching(/ spends a UTXO that was never made \(input 0: UTXO /)],
      faults: [],
    })
  })

  test('a transaction that is accepted again makes nothing again', async () => {
    const asset: InputOf<typeof xTx> = {
      unsigned: {
        type: 'CreateAssetTx',
        base: { ...emptyBase, blockchainId: base.blockchainId },
        name: 'One',
        symbol: 'O',
        denomination: 0,
        states: [{ fxIndex: 0, outputs: [{ ...outputs[0]?.output } as never] }],
      },
      credentials: [],
    }
    addXBlock(node, [repeated, asset])
    addXBlock(node, [asset])
    await start()
    await indexed(keys.x, 6)
    addXBlock(node, [asset])
    await indexed(keys.x, 7)
    const { odd, faults } = await verified(keys.x)
    expect(faults).toEqual([])
    expect(odd.filter((each) => each.includes('was accepted before'))).toEqual([
      `${cb58(transfer.id)} was accepted before, in an earlier block (first in block 1)`,
      `${idOf(asset)} was accepted before, in an earlier block (first in block 5)`,
      `${idOf(asset)} was accepted before, in an earlier block (first in block 5)`,
    ])
    const assets = await store.database`select from assets where name = 'One'`
    expect(assets).toHaveLength(1)
    const made = await store.database`
      select from utxos where tx_id = ${Buffer.from(transfer.id)} and chain = ${keys.x}`
    expect(made).toHaveLength(outputs.length)
  })

  test('imports from a chain that shares no memory and exports to one', async () => {
    const [own = ''] = [cb58(base.blockchainId)]
    const stranger = Buffer.alloc(32, 7)
    const imported = { ...input, txId: Buffer.alloc(32, 8) }
    const move = (sourceChain: Uint8Array): InputOf<typeof xTx> => ({
      unsigned: {
        type: 'ImportTx',
        base: { ...emptyBase, blockchainId: base.blockchainId, outputs: outputs.slice(0, 1) as never },
        sourceChain,
        importedInputs: [imported],
      },
      credentials: [],
    })
    const leave: InputOf<typeof xTx> = {
      unsigned: {
        type: 'ExportTx',
        base: { ...emptyBase, blockchainId: base.blockchainId },
        destinationChain: stranger,
        exportedOutputs: outputs.slice(0, 1) as never,
      },
      credentials: [],
    }
    addXBlock(node, [move(stranger)])
    addXBlock(node, [move(base.blockchainId)])
    addXBlock(node, [leave])
    await start()
    await indexed(keys.x, 7)
    const { odd, faults } = await verified(keys.x)
    expect(faults).toEqual([])
    const named = odd.filter((each) => each.includes('shares no memory'))
    expect(named).toEqual([
      expect.stringContaining(`(it imports from ${cb58(stranger)})`),
      expect.stringContaining(`(it imports from ${own})`),
      expect.stringContaining(`(it exports to ${cb58(stranger)})`),
    ])
    // What it makes is there, and what it exports to nowhere is not: no chain could import it.
    const made = async (tx: InputOf<typeof xTx>): Promise<number> =>
      (await store.database`select from utxos where tx_id = ${Buffer.from(idOfText(idOf(tx)))}`).length
    expect([await made(move(stranger)), await made(move(base.blockchainId)), await made(leave)]).toEqual([
      1, 1, 0,
    ])
    expect(await store.database`select from pending_imports where home = ${keys.x}`).toHaveLength(0)
  })

  test('an operation in a vertex spends what was spent, as on mainnet', async () => {
    const owner = outputs[0]?.output.owner
    if (!owner) throw new Error('no owner')
    const make: InputOf<typeof xTx> = {
      unsigned: {
        type: 'CreateAssetTx',
        base: { ...emptyBase, blockchainId: base.blockchainId },
        name: 'Mints',
        symbol: 'M',
        denomination: 0,
        states: [{ fxIndex: 0, outputs: [{ type: 'MINT', owner }] }],
      },
      credentials: [],
    }
    const assetId = sha256(encode(xTx, make))
    const mint = (amount: bigint): InputOf<typeof xTx> => ({
      unsigned: {
        type: 'OperationTx',
        base: { ...emptyBase, blockchainId: base.blockchainId },
        operations: [
          {
            assetId,
            references: [{ txId: assetId, outputIndex: 0 }],
            operation: {
              type: 'MINT',
              signatureIndices: [0],
              mintOwner: owner,
              output: { type: 'TRANSFER', amount, stakeableLocktime: 0n, owner },
            },
          },
        ],
      },
      credentials: [],
    })
    const chainId = recorded.genesis.chains[0] ?? ''
    let parents: Uint8Array[] = []
    for (const [height, txs] of [[make], [mint(5n)], [mint(6n)], []].entries()) {
      const transactions = txs.map((tx) => encode(xTx, tx))
      const isStop = txs.length === 0
      const bytes = encodeVertex({ isStop, chainId: idOfText(chainId), height, parents, transactions })
      const id = sha256(bytes)
      node.vertices.push({ id: cb58(id), hex: hexText(Buffer.concat([bytes, sha256(bytes).subarray(-4)])) })
      parents = [id]
    }
    node.behaviour.hasIndex = true
    await start()
    await indexed(keys.x, 4)
    const { odd, faults } = await verified(keys.x)
    expect(faults).toEqual([])
    expect(odd).toEqual([
      expect.stringMatching(
        new RegExp(
          `^${idOf(mint(6n))} spends a UTXO that was spent before .* by ${idOf(mint(5n))} in block -1`,
        ),
      ),
    ])
    const amounts = await store.database<{ amount: string }[]>`
      select amount from utxos where asset = ${Buffer.from(assetId)} and amount > 0 and spent_height is null`
    expect(amounts.map(({ amount }) => amount).toSorted()).toEqual(['5', '6'])
  })
})

describe('the C-Chain', () => {
  /** A block with the atomic transaction of a recorded one, as coreth's bonus blocks repeat one. */
  const bonus = (height: number, source: number): RecordedCBlock => {
    const found = recorded.node.cBlocks[source]
    if (!found) throw new Error('no block')
    const hash = (number: number): string =>
      number < recorded.node.cBlocks.length
        ? (recorded.node.cBlocks[number]?.hash ?? '')
        : `0x${number.toString(16).padStart(64, '0')}`
    const number = `0x${height.toString(16)}`
    return { ...found, number, hash: hash(height), parentHash: hash(height - 1), timestamp: '0x6b0147b4' }
  }

  test.each([
    ['their exports are stored', true],
    ['their imports wait for their exports', false],
  ])('blocks that repeat an import move nothing again, while %s', async (_, isExported) => {
    const blocks = [bonus(4, 1), bonus(5, 2), bonus(6, 1)]
    if (!isExported) node.behaviour.xHeight = 0
    await storeRecordedBlocks(store.database, blocks)
    await start(true)
    await indexed(keys.c, 6)
    node.behaviour.xHeight = 4
    await indexed(keys.x, 4)
    await indexed(keys.p, 11)
    const { odd, faults } = await verified(keys.c)
    expect(faults).toEqual([])
    const count = (what: string): number => odd.filter((each) => each.includes(what)).length
    expect([count('was accepted before'), count('spends a UTXO that was spent before')]).toEqual([3, 3])
    const rows = await store.database<{ height: bigint; id: string }[]>`
      select height, encode(id, 'hex') as id from primary_transactions where chain = ${keys.c} order by height`
    expect(rows.map(({ height }) => height)).toEqual([1n, 2n, 3n, 4n, 5n, 6n])
    expect(rows[3]?.id).toBe(rows[0]?.id)
    const spent = await store.database<{ height: bigint }[]>`
      select spent_height as height from utxos where home = ${keys.c} and spent_height is not null order by 1`
    expect(spent.map(({ height }) => height)).toEqual([1n, 2n])
    expect(await store.database`select from pending_imports where home = ${keys.c}`).toHaveLength(0)
  })

  test('an import from a chain that shares no memory, and an export to one', async () => {
    const stranger = Buffer.alloc(32, 7)
    const carrying = (height: number, source: number, change: (tx: Buffer) => void): RecordedCBlock => {
      const block = bonus(height, source)
      const data = Buffer.from(block.blockExtraData.slice(2), 'hex')
      change(data)
      return { ...block, blockExtraData: `0x${data.toString('hex')}` }
    }
    // Behind the codec version, the length of the list, the type, the network and the C-Chain's id.
    const otherEnd = 2 + 4 + 4 + 4 + 32
    const blocks = [
      carrying(4, 1, (tx) => {
        stranger.copy(tx, otherEnd)
        // What it spends is the stranger's too: behind the length of the list is the id of its transaction.
        stranger.copy(tx, otherEnd + 32 + 4)
      }),
      carrying(5, 3, (tx) => stranger.copy(tx, otherEnd)),
    ]
    await storeRecordedBlocks(store.database, blocks)
    await start(true)
    await indexed(keys.c, 5)
    node.behaviour.xHeight = 4
    await indexed(keys.x, 4)
    await indexed(keys.p, 11)
    const { odd, faults } = await verified(keys.c)
    expect(faults).toEqual([])
    expect(odd.filter((each) => each.includes('shares no memory'))).toEqual([
      expect.stringContaining(`(it imports from ${cb58(stranger)})`),
      expect.stringContaining(`(it exports to ${cb58(stranger)})`),
    ])
    const rows = await store.database`select from primary_transactions where chain = ${keys.c}`
    expect(rows).toHaveLength(5)
    const made = await store.database`
      select from utxos u join primary_transactions t on t.chain = ${keys.c} and t.id = u.tx_id and t.height = 5`
    expect(made).toEqual([])
  })
})

describe('the P-Chain', () => {
  test('a block that is accepted again, and targets that do not exist', async () => {
    const ninth = decodePBlock(fromCheckedHex(recorded.pBlocks[9]?.hex ?? ''))
    await start()
    await indexed(keys.p, 11)
    const time = 1_795_246_100
    addPBlock(
      node,
      32,
      time,
      ninth.transactions.map(({ bytes }) => bytes),
    )
    const nobody = Buffer.alloc(32, 5)
    addPBlock(node, 32, time, [
      withoutCredentials({
        type: 'IncreaseL1ValidatorBalanceTx',
        base: emptyBase,
        validationId: nobody,
        balance: 500n,
      }),
      withoutCredentials({
        type: 'DisableL1ValidatorTx',
        base: emptyBase,
        validationId: nobody,
        authority: [],
      }),
    ])
    // A block that is older than the one before it.
    addPBlock(node, 32, time - 10, [])
    await indexed(keys.p, 14)
    const { odd, faults } = await verified(keys.p)
    expect(faults).toEqual([])
    expect(odd.filter((each) => each.includes('was accepted before'))).toHaveLength(ninth.transactions.length)
    expect(odd.filter((each) => each.includes('something that does not exist'))).toHaveLength(2)
    expect(odd).toContain('block 14 is older than the block before it (by 10 seconds)')
  })

  test('moves to and from strangers, and what is in a block or message of another kind', async () => {
    await start()
    await indexed(keys.p, 11)
    const stranger = Buffer.alloc(32, 7)
    const time = 1_795_246_100
    const asset = base.outputs[0]?.assetId ?? stranger
    const output = { assetId: asset, output: outputs[0]?.output as never }
    const from = (sourceChain: Uint8Array, byte: number) =>
      withoutCredentials({
        type: 'ImportTx',
        base: { ...emptyBase, outputs: [output] },
        sourceChain,
        importedInputs: [{ ...input, txId: Buffer.alloc(32, byte) } as never],
      })
    const [registration, weight] = [recordedTx('RegisterL1ValidatorTx'), recordedTx('SetL1ValidatorWeightTx')]
    addPBlock(node, 32, time, [
      from(stranger, 8),
      from(new Uint8Array(32), 9),
      withoutCredentials({
        type: 'ExportTx',
        base: emptyBase,
        destinationChain: stranger,
        exportedOutputs: [output],
      }),
    ])
    addPBlock(node, 32, time, [
      withoutCredentials({ type: 'AdvanceTimeTx', time: BigInt(time) } as never),
      withoutCredentials({ ...registration, base: emptyBase, message: weight.message }),
      withoutCredentials({ ...weight, base: emptyBase, message: registration.message }),
    ])
    await indexed(keys.p, 13)
    const { odd, faults } = await verified(keys.p)
    expect(faults).toEqual([])
    const details = (kind: string) =>
      odd.filter((each) => each.includes(kind)).map((each) => each.replace(/^.*\((.*)\)$/, '$1'))
    expect(details('shares no memory')).toEqual([
      `it imports from ${cb58(stranger)}`,
      `it imports from ${cb58(new Uint8Array(32))}`,
      `it exports to ${cb58(stranger)}`,
    ])
    expect(details('of another kind')).toEqual([
      'AdvanceTimeTx is not a proposal',
      'a registration with a message SET_WEIGHT',
      'a change of weight with a message REGISTER',
    ])
    const made = await store.database`
      select from utxos u join primary_transactions t on t.chain = ${keys.p} and t.id = u.tx_id and t.height = 12`
    expect(made).toHaveLength(2)
    expect(await store.database`select from l1_validators where height > 11`).toEqual([])
  })
})
