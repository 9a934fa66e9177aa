import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { configFile, type NetworkConfig } from '../kernel/settings/config.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { avax, fujiKeys, fujiNetwork, idBytes, insertPrimary, shortBytes } from '../testing/primary-rows.ts'
import { verifyPrimary } from './primary.ts'

/** The node's data: its heights, and the number of UTXOs that the C-Chain has exported to the P-Chain. */
const said = { P: 0, X: 0, C: 5, sentByC: 1, set: {} as Record<string, { weight: string }> }
/** Called when the height of the C-Chain is requested. */
let onLook: () => void = () => undefined

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()
const block = Buffer.alloc(10)
/** Hex with the checksum that nodes append. */
const checked = (bytes: Buffer): string =>
  `0x${Buffer.concat([bytes, sha256(bytes).subarray(-4)]).toString('hex')}`
/** A UTXO's bytes begin with a version, the transaction and the index, from which its id is computed. */
const sent = (index: number): Buffer =>
  Buffer.concat([Buffer.alloc(2), idBytes('export'), Buffer.from([0, 0, 0, index]), Buffer.alloc(40)])
const idOfSent = (index: number): Buffer =>
  sha256(Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 0, 0, index]), idBytes('export')]))

function answer(path: string, method: string, params: Record<string, unknown>): unknown {
  switch (method) {
    case 'platform.getHeight':
      return { height: String(said.P) }
    case 'avm.getHeight':
      return { height: String(said.X) }
    case 'eth_blockNumber':
      onLook()
      return `0x${said.C.toString(16)}`
    case 'platform.getBlockByHeight':
    case 'avm.getBlockByHeight':
      return { block: checked(block) }
    case 'platform.getUTXOs':
    case 'avm.getUTXOs': {
      const fromC = path === '/ext/bc/P' && params['sourceChain'] === 'C'
      return {
        utxos: Array.from({ length: fromC ? said.sentByC : 0 }, (_, index) => checked(sent(index))),
      }
    }
    case 'platform.getCurrentSupply':
      return { supply: '1000' }
    case 'platform.getCurrentValidators':
      return { validators: [] }
    case 'platform.getValidatorsAt':
      return said.set
    default:
      throw new Error(`${path} ${method} is not expected`)
  }
}

let store: TestDatabase
let server: Server
let network: NetworkConfig

beforeAll(async () => {
  store = await createTestDatabase()
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const { method, params } = JSON.parse(body) as { method: string; params: Record<string, unknown> }
      response.end(
        JSON.stringify({ jsonrpc: '2.0', id: 1, result: answer(request.url ?? '', method, params) }),
      )
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const nodeUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { networks } = configFile.parse({
    networks: [{ ...fujiNetwork, nodeUrl }],
    chains: [{ evmChainId: 43113, name: 'C', rpcUrl: nodeUrl }],
  })
  if (networks[0] === undefined) throw new Error('no network')
  network = networks[0]
})
afterAll(async () => {
  server.close()
  await store.drop()
})

/** The store has indexed P and X to their heads, and C to block 5, which exported the first UTXO to P. */
beforeEach(async () => {
  const { database } = store
  const plain = {
    id: sha256(block),
    size: block.length,
    type: 0,
    parent_id: Buffer.alloc(32),
    ts: 1_790_000_000,
  }
  await insertPrimary(database, 'primary_blocks', [
    { chain: fujiKeys.p, height: 0, ...plain, supply: '1000', accrued_fees: '0' },
    { chain: fujiKeys.x, height: 0, ...plain },
    { chain: fujiKeys.c, height: 5, ...plain },
  ])
  await insertPrimary(database, 'utxos', [
    {
      utxo_id: idOfSent(0),
      tx_id: idBytes('export'),
      output_index: 0,
      chain: fujiKeys.c,
      home: fujiKeys.p,
      height: -2,
      tx_index: 0,
      owner: shortBytes('owner'),
      amount: '7',
      asset: avax,
      ts: 1_790_000_000,
    },
  ])
})
afterEach(async () => {
  onLook = () => undefined
  Object.assign(said, { P: 0, X: 0, C: 5, sentByC: 1, set: {} })
  await store.database`truncate primary_blocks, utxos`
})

const verify = async () => {
  const { findings, utxos, leftOut } = await verifyPrimary(store.database, network, true)
  // Network metrics have a test of their own.
  const others = leftOut.filter((what) => !what.startsWith('network metrics'))
  return { problems: findings.all(), utxos, leftOut: others }
}

test('compares exports of C once C is indexed to its head', async () => {
  expect(await verify()).toEqual({ problems: [], utxos: 1, leftOut: [] })
  said.sentByC = 2
  expect(await verify()).toEqual({
    problems: [`I6: P, sent by C: the store has no UTXO ${idOfSent(1).toString('hex')}`],
    utxos: 2,
    leftOut: [],
  })
})

test('finds a validator set that is another', async () => {
  const nodeId = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
  said.set = { [nodeId]: { weight: '5' } }
  const problem = "I6: the validator set of 11111111111111111111111111111111LpoYY is not the node's"
  expect((await verify()).problems).toEqual([problem])
})

test('asks for no transaction of a UTXO that was recovered from its import', async () => {
  const recovered = {
    utxo_id: idBytes('recovered'),
    tx_id: idBytes('unknown export'),
    output_index: 0,
    chain: fujiKeys.p,
    home: fujiKeys.c,
    tx_index: 0,
    owner: shortBytes('owner'),
    amount: '7',
    asset: avax,
    ts: 1_790_000_000,
    spent_chain: fujiKeys.c,
    spent_height: 5,
    spent_index: 0,
    spent_tx: idBytes('import'),
    spent_ts: 1_790_000_000,
  }
  await insertPrimary(store.database, 'utxos', [{ ...recovered, height: -2 }])
  const about = async () =>
    (await verify()).problems.filter((each) => each.includes('is not an address of its transaction'))
  expect(await about()).toEqual([])
  // The same of a transaction that the store has to have.
  await store.database`update utxos set height = 1 where utxo_id = ${recovered.utxo_id}`
  expect(await about()).toHaveLength(1)
})

test('reports that exports of C are omitted while C is catching up', async () => {
  Object.assign(said, { C: 2184, sentByC: 2 })
  expect(await verify()).toEqual({
    problems: [],
    utxos: 0,
    leftOut: ['UTXOs that C has sent: the C-Chain is indexed to block 5 of 2184'],
  })
})

test('omits them if C is not indexed at all', async () => {
  await store.database`delete from primary_blocks where chain = ${fujiKeys.c}`
  await store.database`delete from utxos`
  expect(await verify()).toEqual({
    problems: [],
    utxos: 0,
    leftOut: ['UTXOs that C has sent: the C-Chain is not indexed'],
  })
})

test('repeats the comparison if a block arrives meanwhile', async () => {
  let looks = 0
  onLook = () => {
    looks += 1
    // The second request is the one after the comparison; the store has the block only then.
    said.C = looks === 1 ? 4 : 5
  }
  expect(await verify()).toEqual({ problems: [], utxos: 1, leftOut: [] })
  expect(looks).toBeGreaterThan(2)
})

test('reports how far a chain is while P catches up', async () => {
  said.P = 317
  expect(await verify()).toMatchObject({
    problems: [],
    leftOut: ['UTXOs, validators and supply: the P-Chain is indexed to block 0 of 317'],
  })
})
