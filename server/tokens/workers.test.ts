import { pino } from 'pino'
import { encodeAbiParameters } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { together } from '../kernel/together.ts'
import { addressOf, seedChain } from '../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { testConfig } from '../testing/config.ts'
import { startContractNode, type ContractNode } from './facts/testing/contract-node.ts'
import { runTokenWorkers, type WorkersOptions } from './workers.ts'

const chain = 43113
const bytes = (text: string): Buffer => Buffer.from(text.slice(2), 'hex')

let store: TestDatabase
let node: ContractNode

beforeAll(async () => {
  store = await createTestDatabase()
  node = await startContractNode()
  await seedChain(store.database, { chain, blocks: [{ number: 0, ts: 1_700_000_000, txs: [] }] })
})
afterAll(async () => {
  await node.close()
  await store.drop()
})

async function mint(name: string): Promise<void> {
  const token = addressOf(name)
  node.contracts.set(token, () => encodeAbiParameters([{ type: 'string' }], [`data:,{"name":"${name}"}`]))
  await store.database`
    insert into tokens (chain, token, kind, first_block) values (${chain}, ${bytes(token)}, 721, 0)`
  await store.database`
    insert into nfts (chain, token, kind, token_id, first_block) values (${chain}, ${bytes(token)}, 721, 1, 0)`
}

/** The names of NFTs whose contract was also read by the workers. */
async function learnt(): Promise<string[]> {
  const rows = await store.database<{ name: string }[]>`
    select m.name from nft_metadata m join token_facts f using (chain, token)
    where m.status = 'INDEXED' and f.asked_ts > 0 order by 1`
  return rows.map((row) => row.name)
}

type Run = (options: WorkersOptions) => Promise<void>

function start(runIndexers: Run) {
  const abort = new AbortController()
  const lines: string[] = []
  const config = testConfig({ chains: [{ evmChainId: chain, name: 'Test', rpcUrl: node.url }] })
  const running = together<WorkersOptions>(
    runIndexers,
    runTokenWorkers,
  )({
    database: store.open(),
    config,
    logger: pino({}, { write: (line: string) => void lines.push(line) }),
    signal: abort.signal,
  })
  return { abort, running, log: () => lines.join('') }
}

const untilStopped: Run = ({ signal }) =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

test('workers run beside the indexers, survive lost connections, and end with the signal', async () => {
  await mint('First')
  const { abort, running } = start(untilStopped)
  await expect.poll(learnt).toEqual(['First'])
  await store.database`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`
  await mint('Second')
  await expect.poll(() => learnt().catch(() => [])).toEqual(['First', 'Second'])
  abort.abort()
  await running
  await mint('Third')
  const [row] = await store.database<{ locked: boolean }[]>`
    select pg_try_advisory_lock(7103, ${chain}) as locked`
  expect(row?.locked).toBe(true)
  await store.database`select pg_advisory_unlock_all()`
  expect(await learnt()).toEqual(['First', 'Second'])
})

test('if the indexers fail, the workers end and the reason is kept', async () => {
  const { running } = start(() => Promise.reject(new Error('another process indexes chain 43113')))
  await expect(running).rejects.toThrow('another process indexes chain 43113')
})
