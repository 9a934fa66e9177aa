import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressText } from '../../../protocol/ids/text.ts'
import type { TxPlace } from '../../store/primary/read-primary.ts'
import { readAddressTxPlaces, readTypeTxPlaces } from '../../store/primary/read-transactions.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { randomFrom } from '../../testing/primary-lives.ts'
import { fujiKeys, idBytes, insertPrimary, shortBytes } from '../../testing/primary-rows.ts'
import {
  idText,
  nodeText,
  startPrimaryService,
  walletText,
  type PrimaryService,
} from '../../testing/primary-service.ts'
import { maxUtxos } from './transactions.ts'

const start = 1_700_000_000
/** Two blocks share each time, to test ties in order and bounds. */
const tsOf = (height: number): number => start + Math.floor(height / 2) * 10
const heights = 60
const people = ['ann', 'ben', 'cat']
const types = [12, 14, 17, 18, 34, 99]
const typeNames = new Map([
  [12, 'AddValidatorTx'],
  [14, 'AddDelegatorTx'],
  [17, 'ImportTx'],
  [18, 'ExportTx'],
  [34, 'BaseTx'],
  [99, 'UNKNOWN'],
])

type Tx = { height: number; index: number; type: number; name: string; who: string[]; changes: boolean }
const random = randomFrom(3)
const txs: Tx[] = Array.from({ length: heights }, (_, height) =>
  Array.from({ length: random(4) }, (__, index) => ({
    height,
    index,
    type: types[random(types.length)] ?? 34,
    name: `tx ${height} ${index}`,
    who: people.filter(() => random(2) === 0),
    changes: random(4) === 0,
  })),
).flat()
const subnetTxs = [txs[3]?.name ?? '', txs[5]?.name ?? '', txs[9]?.name ?? ''] as const
// A type that no codec knows has nothing to decode except its type id, which suffices for lists.
const bytes = Buffer.concat([Buffer.from('00000063', 'hex'), Buffer.alloc(8)])

let store: TestDatabase
let network: PrimaryService

beforeAll(async () => {
  store = await createTestDatabase()
  const { database } = store
  await insertPrimary(
    database,
    'primary_blocks',
    Array.from({ length: heights }, (_, height) => ({
      chain: fujiKeys.p,
      height,
      ts: tsOf(height),
      id: idBytes(`block ${height}`),
      parent_id: idBytes(`block ${height - 1}`),
      type: height % 5 === 0 ? 29 : 32,
      tx_count: txs.filter((tx) => tx.height === height).length,
      supply: '360000000000000000',
      accrued_fees: 12,
      active_l1_validators: 3,
      proposer_id: height === 0 ? null : idBytes(`wrapper ${height}`),
      proposer_node: height % 3 === 0 ? null : shortBytes(`node ${height % 3}`),
      proposer_p_height: height === 0 ? null : height - 1,
      proposer_ts: height === 0 ? null : tsOf(height),
    })),
  )
  await insertPrimary(
    database,
    'primary_transactions',
    txs.map(({ height, index, type, name }) => ({
      chain: fujiKeys.p,
      height,
      index,
      type,
      ts: tsOf(height),
      id: idBytes(name),
      bytes,
      utxo_count: 3,
    })),
  )
  await insertPrimary(
    database,
    'primary_address_transactions',
    txs.flatMap(({ height, index, type, who }) =>
      who.map((name) => ({
        address: shortBytes(name),
        chain: fujiKeys.p,
        height,
        index,
        type,
        ts: tsOf(height),
      })),
    ),
  )
  await insertPrimary(
    database,
    'l1_validator_changes',
    txs
      .filter(({ changes }) => changes)
      .map(({ height, index, type, name }) => ({
        validation_id: idBytes('validation'),
        chain: fujiKeys.p,
        height,
        index,
        type,
        ts: tsOf(height),
        tx_id: idBytes(name),
      })),
  )
  // A subnet: its creation, a chain, and an L1 validator with its changes.
  const of = (name: string) => {
    const tx = txs.find((one) => one.name === name)
    if (!tx) throw new Error(`no ${name}`)
    return { chain: fujiKeys.p, height: tx.height, index: tx.index, ts: tsOf(tx.height) }
  }
  const [created, converted, chained] = subnetTxs
  await insertPrimary(database, 'subnets', [
    { ...of(created), subnet: idBytes('subnet'), conversion_tx: idBytes(converted) },
  ])
  await insertPrimary(database, 'blockchains', [
    { ...of(chained), blockchain_id: idBytes('chain of it'), subnet: idBytes('subnet'), name: 'Chain of it' },
  ])
  await insertPrimary(database, 'l1_validators', [
    {
      ...of(converted),
      ordinal: 0,
      validation_id: idBytes('validation'),
      tx_id: idBytes(converted),
      subnet: idBytes('subnet'),
      node: shortBytes('node 1'),
    },
  ])
  network = await startPrimaryService(database)
})
afterAll(async () => {
  await network.service.close()
  await store.drop()
})

const hashes = (items: readonly Record<string, unknown>[]): unknown[] => items.map(({ txHash }) => txHash)
const inOrder = (wanted: readonly Tx[], order: 'asc' | 'desc'): string[] => {
  const ascending = wanted.map(({ name }) => idText(name))
  return order === 'asc' ? ascending : ascending.reverse()
}

describe('transactions', () => {
  const window = { after: tsOf(10), before: tsOf(50) }
  const inWindow = ({ height }: Tx): boolean => tsOf(height) > window.after && tsOf(height) < window.before
  const times = `startTimestamp=${window.after}&endTimestamp=${window.before}`
  const of = (...names: string[]) => `addresses=${names.map(walletText).join(',')}`
  const validation = `l1ValidationId=${idText('validation')}`
  const ofSubnet = `subnetId=${idText('subnet')}`
  const isOfSubnet = ({ name, changes }: Tx): boolean => changes || subnetTxs.includes(name)
  const cases: readonly [string, (tx: Tx) => boolean][] = [
    ['', () => true],
    [of('ann'), ({ who }) => who.includes('ann')],
    [of('ann', 'cat'), ({ who }) => who.includes('ann') || who.includes('cat')],
    [
      `${of('ben')}&txTypes=ImportTx,ExportTx`,
      ({ who, type }) => who.includes('ben') && [17, 18].includes(type),
    ],
    [
      `${of('ben')}&txTypes=ImportTx&txTypes=UNKNOWN`,
      ({ who, type }) => who.includes('ben') && [17, 99].includes(type),
    ],
    [
      `${of('ann', 'ben')}&${times}`,
      (tx) => (tx.who.includes('ann') || tx.who.includes('ben')) && inWindow(tx),
    ],
    [validation, ({ changes }) => changes],
    [`${validation}&${times}&txTypes=BaseTx`, (tx) => tx.changes && inWindow(tx) && tx.type === 34],
    [`${validation}&${of('cat')}`, ({ changes, who }) => changes && who.includes('cat')],
  ]
  test.each(
    cases.flatMap(([query, wanted]) => [['asc', query, wanted] as const, ['desc', query, wanted] as const]),
  )('%s ?%s: each once, page by page', async (order, query, wanted) => {
    for (const pageSize of [1, 7, 100]) {
      const path = `/blockchains/p-chain/transactions?sortOrder=${order}&pageSize=${pageSize}&${query}`
      expect(hashes(await network.walk(path, 'transactions'))).toEqual(inOrder(txs.filter(wanted), order))
    }
  })

  test.each(
    (['asc', 'desc'] as const).flatMap((order) =>
      (
        [
          ['', () => true],
          ['txTypes=ImportTx,ExportTx', ({ type }) => [17, 18].includes(type)],
          ['txTypes=BaseTx,UNKNOWN', ({ type }) => [34, 99].includes(type)],
          [times, inWindow],
          [`${times}&txTypes=AddDelegatorTx`, (tx) => tx.type === 14 && inWindow(tx)],
          ['txTypes=CreateChainTx', () => false],
          [ofSubnet, isOfSubnet],
          [`${ofSubnet}&${times}&txTypes=BaseTx`, (tx) => isOfSubnet(tx) && inWindow(tx) && tx.type === 34],
        ] as [string, (tx: Tx) => boolean][]
      ).map(([query, fits]) => [order, query, fits] as const),
    ),
  )('%s by type ?%s: each of the whole chain once, page by page', async (order, query, fits) => {
    for (const pageSize of [1, 7, 100]) {
      const path = `/blockchains/p-chain/transactions:listByType?sortOrder=${order}&pageSize=${pageSize}&${query}`
      expect(hashes(await network.walk(path, 'transactions'))).toEqual(inOrder(txs.filter(fits), order))
    }
  })

  /** Reads a list of places in parts of three rows, in either order, and expects those of some transactions. */
  async function expectPlaces(
    wanted: readonly Tx[],
    read: (past: TxPlace, order: 'asc' | 'desc') => ReturnType<typeof readAddressTxPlaces>,
  ): Promise<void> {
    for (const order of ['asc', 'desc'] as const) {
      const found: string[] = []
      let past: TxPlace = order === 'asc' ? { height: -2n, index: -1 } : { height: 1_000n, index: 0 }
      for (let reads = 0; reads < 1_000; reads += 1) {
        const { rows, horizon } = await read(past, order)
        found.push(...rows.map(({ height, index }) => idText(`tx ${height} ${index}`)))
        const next = rows.length === 3 ? rows.at(-1) : horizon
        if (!next) break
        past = next
      }
      expect(found).toEqual(inOrder(wanted, order))
    }
  }

  test('by type are complete, however few rows one read returns', async () => {
    const filter = {
      range: { from: -1n, before: 1_000n },
      types: { ids: [17], others: true },
      known: types.filter((type) => type !== 99),
      after: tsOf(20),
      before: undefined,
    }
    await expectPlaces(
      txs.filter(({ type, height }) => (type === 17 || type === 99) && tsOf(height) > tsOf(20)),
      (past, order) => readTypeTxPlaces(store.database, fujiKeys.p, filter, past, order, 3, 6),
    )
  })

  test('of addresses are complete, however few rows one read returns', async () => {
    const addresses = ['ann', 'cat'].map(shortBytes)
    const filter = {
      range: { from: -1n, before: 1_000n },
      types: { ids: [17], others: false },
      known: types,
      after: undefined,
      before: undefined,
    }
    await expectPlaces(
      txs.filter(({ who, type }) => (who.includes('ann') || who.includes('cat')) && type === 17),
      (past, order) => readAddressTxPlaces(store.database, fujiKeys.p, addresses, filter, past, order, 3, 6),
    )
  })

  test('have the name of their type', async () => {
    const found = await network.walk('/blockchains/p-chain/transactions?pageSize=100', 'transactions')
    expect(found.map(({ txType }) => txType)).toEqual(txs.map(({ type }) => typeNames.get(type)).reverse())
  })

  test('end a page early if they have very many inputs and outputs', async () => {
    const rows = Array.from({ length: 5 }, (_, index) => ({
      chain: fujiKeys.c,
      height: 1,
      index,
      ts: start,
      id: idBytes(`wide ${index}`),
      type: 1,
      bytes: Buffer.concat([Buffer.from('00000001', 'hex'), Buffer.alloc(4 + 64 + 12)]),
      utxo_count: index === 0 ? maxUtxos * 3 : maxUtxos / 2,
    }))
    await insertPrimary(store.database, 'primary_transactions', rows)
    const path = '/blockchains/c-chain/transactions?sortOrder=asc&pageSize=100'
    const { body } = await network.get(path)
    // The first one is shown although it exceeds the limit by itself.
    expect(hashes(body['transactions'] as Record<string, unknown>[])).toEqual([idText('wide 0')])
    expect(body).toHaveProperty('nextPageToken')
    expect(hashes(await network.walk(path, 'transactions'))).toEqual(
      rows.map((_, index) => idText(`wide ${index}`)),
    )
    const second = await network.get(`${path}&pageToken=${String(body['nextPageToken'])}`)
    expect(second.body['transactions']).toHaveLength(2)
  })

  test('of the C-Chain are also found by an account', async () => {
    await insertPrimary(store.database, 'primary_address_transactions', [
      { address: shortBytes('account'), chain: fujiKeys.c, height: 1, index: 0, type: 1, ts: start },
    ])
    const account = `0x${shortBytes('account').toString('hex')}`
    for (const form of [account, account.toUpperCase().replace('0X', '0x'), walletText('account')]) {
      const { body } = await network.get(`/blockchains/c-chain/transactions?addresses=${form}`)
      expect(hashes(body['transactions'] as Record<string, unknown>[])).toEqual([idText('wide 0')])
    }
  })

  const ann = walletText('ann')
  test.each([
    ['p-chain', 'txTypes=BaseTx', 'txTypes: txTypes is supported only with addresses or l1ValidationId'],
    ['p-chain', 'startTimestamp=1', 'startTimestamp is supported only with addresses or l1ValidationId'],
    ['x-chain', 'endTimestamp=1', 'endTimestamp is supported only with addresses or l1ValidationId'],
    ['x-chain', validation, 'l1ValidationId: is supported on the P-Chain only'],
    ['c-chain', validation, 'l1ValidationId: is supported on the P-Chain only'],
    [
      'p-chain',
      `addresses=0x${'ab'.repeat(20)}`,
      'addresses: 0x addresses are supported on the C-Chain only',
    ],
    [
      'p-chain',
      `addresses=${addressText(shortBytes('ann'), 'avax')}`,
      'addresses of this network begin with fuji1',
    ],
    ['x-chain', `addresses=${ann}&txTypes=AddValidatorTx`, 'txTypes: the x-chain has no AddValidatorTx'],
    ['p-chain', `addresses=${ann}&txTypes=Nonsense`, 'txTypes'],
    [
      'p-chain',
      `addresses=${ann}&startTimestamp=9&endTimestamp=8`,
      'endTimestamp: must not be before startTimestamp',
    ],
    ['p-chain', `l1ValidationId=${idText('validation').slice(0, -1)}x`, 'l1ValidationId'],
    ['p-chain', 'pageSize=0', 'pageSize'],
    ['p-chain', 'pageSize=101', 'pageSize'],
    ['p-chain', 'sortOrder=up', 'sortOrder'],
  ])('%s ?%s is a 400: %s', async (chain, query, words) => {
    const { status, body } = await network.get(`/blockchains/${chain}/transactions?${query}`)
    expect([status, String(body['message'])]).toEqual([400, expect.stringContaining(words)])
  })

  test('have page tokens valid for their own list only', async () => {
    const first = await network.get(`/blockchains/p-chain/transactions?addresses=${ann}&pageSize=1`)
    const token = String(first.body['nextPageToken'])
    const altered = token.slice(0, -2) + (token.endsWith('AA') ? 'BB' : 'AA')
    for (const path of [
      `/blockchains/p-chain/transactions?pageToken=${token}`,
      `/blockchains/x-chain/transactions?addresses=${ann}&pageToken=${token}`,
      `/blockchains/p-chain/transactions?addresses=${ann}&sortOrder=asc&pageToken=${token}`,
      `/blockchains/p-chain/transactions?addresses=${ann}&pageToken=${altered}`,
      `/blockchains/p-chain/blocks?pageToken=${token}`,
    ]) {
      expect([path, (await network.get(path)).status]).toEqual([path, 400])
    }
    // The chain's id and alias refer to the same list.
    const alias = `/blockchains/11111111111111111111111111111111LpoYY/transactions?addresses=${ann}&pageToken=${token}`
    expect((await network.get(alias)).status).toBe(200)
  })
})

describe('blocks', () => {
  const numbers = (items: readonly Record<string, unknown>[]): number[] =>
    items.map(({ blockNumber }) => Number(blockNumber))
  const down = (wanted: (height: number) => boolean): number[] =>
    Array.from({ length: heights }, (_, height) => height)
      .filter(wanted)
      .reverse()

  test('are listed latest first, between two times, each once', async () => {
    const all = await network.walk('/blockchains/p-chain/blocks?pageSize=7', 'blocks')
    expect(numbers(all)).toEqual(down(() => true))
    const query = `startTimestamp=${tsOf(10)}&endTimestamp=${tsOf(31)}&pageSize=3`
    const some = await network.walk(`/blockchains/p-chain/blocks?${query}`, 'blocks')
    expect(numbers(some)).toEqual(down((height) => tsOf(height) > tsOf(10) && tsOf(height) < tsOf(31)))
  })

  test('of a node are those that it proposed', async () => {
    const path = `/blockchains/p-chain/nodes/${nodeText('node 1')}/blocks`
    expect(numbers(await network.walk(`${path}?pageSize=4`, 'blocks'))).toEqual(
      down((height) => height % 3 === 1),
    )
    const some = await network.walk(`${path}?pageSize=4&endTimestamp=${tsOf(20)}`, 'blocks')
    expect(numbers(some)).toEqual(down((height) => height % 3 === 1 && tsOf(height) < tsOf(20)))
  })

  test('are found by height and by hash, with all known fields', async () => {
    const { body } = await network.get('/blockchains/p-chain/blocks/7')
    expect(body).toEqual({
      blockNumber: '7',
      blockHash: idText('block 7'),
      parentHash: idText('block 6'),
      blockTimestamp: tsOf(7),
      blockType: 'BanffStandardBlock',
      txCount: txs.filter(({ height }) => height === 7).length,
      transactions: txs.filter(({ height }) => height === 7).map(({ name }) => idText(name)),
      blockSizeBytes: 500,
      l1ValidatorsAccruedFees: 12,
      activeL1Validators: 3,
      currentSupply: '360000000000000000',
      proposerDetails: {
        proposerId: idText('wrapper 7'),
        proposerNodeId: nodeText('node 1'),
        proposerPChainHeight: 6,
        proposerTimestamp: tsOf(7),
      },
    })
    expect((await network.get(`/blockchains/p-chain/blocks/${idText('block 7')}`)).body).toEqual(body)
    const genesis = await network.get('/blockchains/p-chain/blocks/0')
    expect(genesis.body).not.toHaveProperty('proposerDetails')
  })
})

describe('a network', () => {
  const ask = async (path: string) => {
    const response = await network.service.app.inject(`/v1/networks${path}`)
    return { status: response.statusCode, message: String(response.json().message) }
  }

  test('is the same by testnet and fuji, and a chain by its alias and its id', async () => {
    const fuji = (await network.get('/blockchains/p-chain/blocks/3')).body
    for (const path of [
      'testnet/blockchains/p-chain',
      'testnet/blockchains/11111111111111111111111111111111LpoYY',
    ]) {
      const response = await network.service.app.inject(`/v1/networks/${path}/blocks/3`)
      expect(response.json()).toEqual(fuji)
    }
  })

  test.each([
    ['/mainnet/blockchains/p-chain/blocks', 404, 'network mainnet is not served here'],
    ['/mainnet/validators', 404, 'network mainnet is not served here'],
    ['/mainnet/overview', 404, 'network mainnet is not served here'],
    ['/devnet/validators', 400, 'network'],
    [
      '/fuji/blockchains/2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM/blocks',
      404,
      'belongs to mainnet',
    ],
    [
      '/fuji/blockchains/2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5/balances?addresses=fuji1',
      400,
      'addresses',
    ],
    ['/fuji/blockchains/d-chain/blocks', 400, 'blockchainId'],
  ])('%s is a %i: %s', async (path, status, words) => {
    expect(await ask(path)).toEqual({ status, message: expect.stringContaining(words) })
  })
})
