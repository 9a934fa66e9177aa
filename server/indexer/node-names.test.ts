import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Hex } from 'viem'
import { createStats } from '../kernel/indexer-stats.ts'
import { nodeNameReasons } from '../store/evm/read-node-name.ts'
import { startAnvil as startNode, type Anvil } from '../node/testing/anvil.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { verifyChain } from '../verify/chain.ts'
import { decodeBlock } from './evm/decode.ts'
import { headerHash } from './evm/verify/header.ts'
import { verifyBlock } from './evm/verify/verify-block.ts'
import {
  chainConfig,
  chainRow,
  startIndexer,
  storedHead,
  until,
  type RunningIndexer,
} from './testing/harness.ts'
import { SimulatedChain, type Json } from './testing/simulated-chain.ts'

const chainId = 31_337
const someone = '0x00000000000000000000000000000000000000aa'
const other = '0x00000000000000000000000000000000000000bb'
const owner = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
/** Creates a contract with empty code on every call, so that it has an inner call. */
const factory: Hex = '0x600780600b6000396000f3600060006000f0'

let store: TestDatabase
let indexer: RunningIndexer | undefined
const nodes: Anvil[] = []

beforeEach(async () => {
  store = await createTestDatabase()
})
afterEach(async () => {
  await indexer?.stop()
  indexer = undefined
  for (const node of nodes.splice(0)) await node.stop()
  await store.drop()
})

async function anvil(...options: string[]): Promise<Anvil> {
  const node = await startNode(['--chain-id', String(chainId), '--no-mining', ...options])
  nodes.push(node)
  return node
}

const send = (node: Anvil, fields: Json): Promise<unknown> => node.ask('eth_sendTransaction', [fields])

async function mine(node: Anvil): Promise<void> {
  await node.ask('evm_mine', [])
}

async function indexed(node: Anvil): Promise<void> {
  const { hash } = (await node.ask('eth_getBlockByNumber', ['latest', false])) as { hash: string }
  await until(`the block ${hash} is stored`, async () => {
    const row = await chainRow(store.database, chainId)
    if (row?.state === 'stopped') throw new Error(`stopped: ${row.reason}`)
    return (await storedHead(store.database, chainId))?.hash === hash
  })
}

test('transactions of impersonated senders are stored with the name that the node gives them', async () => {
  const node = await anvil()
  for (const account of [someone, other]) {
    await node.ask('anvil_setBalance', [account, '0x56bc75e2d63100000'])
    await node.ask('anvil_impersonateAccount', [account])
  }
  const named = [
    await send(node, { from: someone, to: owner, value: '0x1' }),
    await send(node, { from: other, to: owner, value: '0x2' }),
    await send(node, { from: someone, to: owner, value: '0x3', gasPrice: '0x77359400' }),
  ]
  const signed = await send(node, { from: owner, to: someone, value: '0x4' })
  await mine(node)
  const made = await send(node, { from: someone, data: factory })
  await mine(node)
  indexer = startIndexer(store.database, chainConfig({ evmChainId: chainId, rpcUrl: node.url }))
  await indexed(node)
  const rows = await store.database<{ hash: string; sender: string; reason: number | null }[]>`
    select '0x' || encode(hash, 'hex') as hash, '0x' || encode(sender, 'hex') as sender, reason
    from transactions left join node_names using (chain, number, index)
    where chain = ${chainId} order by hash`
  const by = (hash: unknown, sender: string, reason: number | null) => ({ hash, sender, reason })
  const { impersonated } = nodeNameReasons
  expect([...rows]).toEqual(
    [
      by(named[0], someone, impersonated),
      by(named[1], other, impersonated),
      by(named[2], someone, impersonated),
      by(signed, owner, null),
      by(made, someone, impersonated),
    ].toSorted((a, b) => (String(a.hash) < String(b.hash) ? -1 : 1)),
  )
  const report = await verifyChain({ database: store.database, chain: chainId, rpcUrl: node.url })
  expect(report.findings.all()).toEqual([])
  // A reorg takes the names back.
  await node.ask('anvil_reorg', [1, []])
  await mine(node)
  await indexed(node)
  const [left] = await store.database<{ count: bigint }[]>`
    select count(*) as count from node_names n
    where not exists (select from transactions t where (t.chain, t.number, t.index) = (n.chain, n.number, n.index))`
  expect(left?.count).toBe(0n)
})

test('a forked node is indexed from the block of the fork on, with its inner calls', async () => {
  const origin = await anvil()
  const made = (await send(origin, { from: owner, data: factory })) as Hex
  await mine(origin)
  const receipt = (await origin.ask('eth_getTransactionReceipt', [made])) as { contractAddress: Hex }
  for (let block = 0; block < 3; block += 1) {
    await send(origin, { from: owner, to: receipt.contractAddress, gas: '0x30d40' })
    await mine(origin)
  }
  const fork = await anvil('--fork-url', origin.url, '--fork-block-number', '3')
  await send(fork, { from: owner, to: receipt.contractAddress, gas: '0x30d40' })
  await mine(fork)
  // What the node says of the block where it forked: nothing by one method, everything by the other.
  expect(await fork.ask('trace_block', ['0x3'])).toEqual([])
  expect(await fork.ask('debug_traceBlockByNumber', ['0x3', { tracer: 'callTracer' }])).toHaveLength(1)
  indexer = startIndexer(
    store.database,
    chainConfig({ evmChainId: chainId, rpcUrl: fork.url, startBlock: 3 }),
  )
  await indexed(fork)
  const creations = await store.database<{ number: bigint }[]>`
    select number from contracts where chain = ${chainId} and ordinal >= 0 order by number`
  expect(creations.map(({ number }) => number)).toEqual([3n, 4n])
  expect(await store.database`select from trace_gaps where chain = ${chainId}`).toHaveLength(0)
})

test('what a chain does by itself after its transactions is stored, and no hash is expected of it', () => {
  const chain = new SimulatedChain(5)
  chain.mine(60)
  const number = [...Array(61).keys()].find((height) => (chain.at(height)?.receipts.length ?? 0) > 1) ?? 0
  const { block, receipts } = chain.at(number) ?? { block: {} as Json, receipts: [] }
  const transactions = block['transactions'] as Json[]
  const hash = `0x${'5c'.repeat(32)}`
  const place = {
    blockHash: block['hash'],
    blockNumber: block['number'],
    transactionIndex: `0x${transactions.length.toString(16)}`,
  }
  const zero = `0x${'0'.repeat(40)}`
  const sync: Json = {
    ...place,
    hash,
    type: '0x0',
    from: zero,
    to: zero,
    gas: '0x0',
    gasPrice: '0x0',
    input: '0x',
    nonce: '0x0',
    value: '0x0',
    v: '0x0',
    r: '0x0',
    s: '0x0',
  }
  const logCount = receipts.reduce((sum, receipt) => sum + (receipt['logs'] as Json[]).length, 0)
  const receipt: Json = {
    ...place,
    transactionHash: hash,
    type: '0x0',
    from: zero,
    to: zero,
    status: '0x1',
    gasUsed: '0x0',
    cumulativeGasUsed: '0x0',
    effectiveGasPrice: '0x0',
    contractAddress: null,
    logsBloom: `0x${'0'.repeat(512)}`,
    logs: [
      {
        ...place,
        transactionHash: hash,
        logIndex: `0x${logCount.toString(16)}`,
        address: `0x${'0'.repeat(36)}1001`,
        topics: [`0x${'ab'.repeat(32)}`],
        data: '0x',
      },
    ],
  }
  const listing = (more: Json): Json => ({ ...block, transactions: [...transactions, { ...sync, ...more }] })
  const check = (altered: Json) =>
    verifyBlock(altered, [...receipts, receipt], { number, stats: createStats() })
  // The header's hash, and so its roots, are those of the block without it.
  expect(headerHash(block)).toBe(block['hash'])
  const checked = check(listing({}))
  expect(checked.proven.count).toBe(transactions.length)
  expect([...checked.proven.names]).toEqual([[transactions.length, 'system']])
  const decoded = decodeBlock(1, checked, { calls: [], ownCalls: [] })
  expect([decoded.txCount, decoded.logCount]).toEqual([transactions.length + 1, logCount + 1])
  // Anything that was sent by somebody, or pays, must be in the root.
  for (const more of [{ from: owner }, { gas: '0x5208' }, { gasPrice: '0x1' }, { r: '0x1', s: '0x1' }])
    expect(() => check(listing(more))).toThrow(/does not hash/)
})
