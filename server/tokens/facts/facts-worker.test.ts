import { encodeAbiParameters, numberToHex, toHex, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { pino } from 'pino'
import { addressOf, blockHash, seedChain, type SeedBlock } from '../../testing/chain-rows.ts'
import { withChainLock } from '../../store/chain-lock.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { testConfig } from '../../testing/config.ts'
import { followFacts } from './facts-worker.ts'
import { startContractNode, type Contract, type ContractNode } from './testing/contract-node.ts'

const chain = 43113
const start = 1_790_000_000
const bytes = (text: string): Buffer => Buffer.from(text.slice(2), 'hex')
const abiText = (text: string): Hex => encodeAbiParameters([{ type: 'string' }], [text])
const word = (value: bigint | number): Hex => numberToHex(value, { size: 32 })
const bytes32 = (text: string): Hex => toHex(text, { size: 32 })

let store: TestDatabase
let node: ContractNode
let abort: AbortController
let running: Promise<void>[]
let now: number
const lines: string[] = []

beforeAll(async () => {
  store = await createTestDatabase()
  await seedChain(store.database, { chain, blocks: [block(0), block(1)] })
  node = await startContractNode()
})
afterAll(async () => {
  await node.close()
  await store.drop()
})
beforeEach(() => {
  now = start
  abort = new AbortController()
  running = []
  lines.length = 0
})
afterEach(async () => {
  abort.abort()
  await Promise.all(running)
  Object.assign(node, { multicall: false, failWith: undefined, error: undefined })
  node.contracts.clear()
  node.asked.length = 0
  for (const table of ['tokens', 'token_facts', 'told_balances', 'holders', 'logs', 'service']) {
    await store.database.unsafe(`delete from ${table} where true`)
  }
  await store.database`delete from blocks where number > 1`
})

function block(number: number): SeedBlock {
  return { number, ts: 1_700_000_000 + number, txs: [] }
}

const noCalls: Contract = () => undefined

/** A contract that answers the given selectors and reverts otherwise. */
const answers = (table: Record<string, string>): Contract => {
  return (data) => table[data] ?? table[data.slice(0, 10)]
}
const selectors = {
  name: '0x06fdde03',
  symbol: '0x95d89b41',
  decimals: '0x313ce567',
  balanceOf: '0x70a08231',
}
const interfaceId = (id: string): string => `0x01ffc9a7${id.padEnd(64, '0')}`
const interfaces = (...ids: string[]): Record<string, string> => ({
  [interfaceId('ffffffff')]: word(0),
  [interfaceId('01ffc9a7')]: word(1),
  ...Object.fromEntries(
    ['80ac58cd', 'd9b67a26'].map((id) => [interfaceId(id), word(ids.includes(id) ? 1 : 0)]),
  ),
})

async function addToken(name: string, contract: Contract, kind = 20, firstBlock = 1): Promise<string> {
  const address = addressOf(name)
  node.contracts.set(address, contract)
  await store.database`
    insert into tokens (chain, token, kind, first_block) values (${chain}, ${bytes(address)}, ${kind}, ${firstBlock})`
  return address
}

function work(signal: AbortSignal = abort.signal): void {
  const settings = testConfig({
    chains: [
      { evmChainId: chain, name: 'Test', rpcUrl: node.url, token: { name: 'Avalanche', symbol: 'AVAX' } },
    ],
  })
  const [config] = settings.chains
  if (!config) throw new Error('no chain')
  const logger = pino({}, { write: (line: string) => void lines.push(line) })
  const options = { database: store.database, settings, chain: config, logger, clock: () => now, tick: 10 }
  running.push(withChainLock(store.database, 'facts', chain, signal, (held) => followFacts(options, held)))
}

type Facts = {
  name: string | null
  symbol: string | null
  decimals: number | null
  interface: number | null
  disagrees: boolean
  reputation: string | null
  asked_ts: bigint
  due_ts: bigint
  failures: number
}

async function facts(address: string): Promise<Facts | undefined> {
  const [row] = await store.database<Facts[]>`select * from token_facts where token = ${bytes(address)}`
  return row
}
const asked = async (address: string, at = now): Promise<boolean> =>
  (await facts(address))?.asked_ts === BigInt(at)

const plain = answers({
  [selectors.name]: abiText('Plain Token'),
  [selectors.symbol]: abiText('PLN'),
  [selectors.decimals]: word(6),
})

test.each([false, true])('junk survives, and a neighbour is not hurt (Multicall3: %s)', async (multicall) => {
  node.multicall = multicall
  const huge = `0x${word(32).slice(2)}${word(1_000_000).slice(2)}${'61'.repeat(1_000_000)}`
  const tokens = {
    plain: await addToken('plain', plain),
    old: await addToken(
      'old',
      answers({
        [selectors.name]: bytes32('Maker'),
        [selectors.symbol]: bytes32('MKR'),
        [selectors.decimals]: word(18),
      }),
    ),
    junk: await addToken(
      'junk',
      answers({
        [selectors.name]: abiText('a\u0000b\u202Ec\u200Bd'),
        [selectors.symbol]: abiText('x'.repeat(40)),
        [selectors.decimals]: word(256),
      }),
    ),
    huge: await addToken('huge', answers({ [selectors.name]: huge, [selectors.symbol]: `${huge}61` })),
    reverting: await addToken('reverting', noCalls),
    nothing: await addToken('nothing', () => '0x'),
    lying: await addToken(
      'lying',
      answers({
        // An offset and a length outside the answer.
        [selectors.name]: `${word(2n ** 255n)}${word(5).slice(2)}`,
        [selectors.symbol]: `${word(32)}${word(64).slice(2)}${word(1).slice(2)}`,
        [selectors.decimals]: '0x12',
      }),
    ),
    piece: await addToken('piece', answers(interfaces('80ac58cd')), 721),
    items: await addToken('items', answers(interfaces('d9b67a26')), 1155),
    both: await addToken('both', answers(interfaces('80ac58cd', 'd9b67a26')), 1155),
    // Confirms every interface, including the invalid id.
    yes: await addToken('yes', () => word(1), 721),
  }
  work()
  for (const address of Object.values(tokens)) {
    await expect.poll(() => asked(address)).toBe(true)
  }
  expect(await facts(tokens.plain)).toMatchObject({
    name: 'Plain Token',
    symbol: 'PLN',
    decimals: 6,
    interface: null,
  })
  expect(await facts(tokens.old)).toMatchObject({ name: 'Maker', symbol: 'MKR', decimals: 18 })
  expect(await facts(tokens.junk)).toMatchObject({ name: 'abcd', symbol: 'x'.repeat(32), decimals: null })
  expect(await facts(tokens.huge)).toMatchObject({ name: 'a'.repeat(128), decimals: null })
  for (const name of ['reverting', 'nothing', 'lying'] as const) {
    expect(await facts(tokens[name])).toMatchObject({
      name: null,
      symbol: null,
      decimals: null,
      interface: null,
    })
  }
  expect(await facts(tokens.reverting)).toMatchObject({ reputation: 'Malicious' })
  expect(await facts(tokens.piece)).toMatchObject({ interface: 721, reputation: null })
  expect(await facts(tokens.items)).toMatchObject({ interface: 1155 })
  expect(await facts(tokens.both)).toMatchObject({ interface: 1155 })
  expect(await facts(tokens.yes)).toMatchObject({ interface: null })
})

test('a token is read again after ten minutes, then daily', async () => {
  let name = 'First'
  const token = await addToken('renamed', (data) =>
    data === selectors.name ? abiText(name) : plain(data, ''),
  )
  work()
  await expect.poll(() => asked(token)).toBe(true)
  expect((await facts(token))?.due_ts).toBe(BigInt(start + 600))
  name = 'Second'
  now = start + 600
  await expect.poll(() => asked(token)).toBe(true)
  const row = await facts(token)
  expect(row?.name).toBe('Second')
  expect(Number(row?.due_ts) - now).toBeGreaterThanOrEqual(86_400)
  expect(Number(row?.due_ts) - now).toBeLessThanOrEqual(90_000)
})

/** Upgraded(address) of ERC-1967. */
const hashOfUpgrade = '0xbc7cd75a20ee27fd9adebab32041f755214dbc6bffa90cc0225b39da2e5c2d3b'

test('tokens read while the chain was behind its node are read again once it has caught up', async () => {
  await store.database`update chains set node_block = 1000 where chain = ${chain}`
  const early = await addToken('early', plain)
  work()
  await expect.poll(() => asked(early)).toBe(true)
  now += 30
  const later = await addToken('later', plain)
  await expect.poll(() => asked(later)).toBe(true)
  expect(await asked(early, start)).toBe(true)
  await store.database`update blocks set ts = ${now} where chain = ${chain} and number = 1`
  await store.database`update chains set node_block = 1 where chain = ${chain}`
  await expect.poll(() => asked(early)).toBe(true)
  await store.database`update blocks set ts = ${block(1).ts} where chain = ${chain} and number = 1`
})

test('a logged upgrade schedules a token', async () => {
  const token = await addToken('proxy', plain)
  const other = await addToken('other', plain)
  work()
  await expect.poll(() => asked(token)).toBe(true)
  await expect.poll(() => asked(other)).toBe(true)
  now = start + 120
  await store.database`
    insert into logs (chain, number, index, tx_index, address, topic0, data)
    values (${chain}, 2, 0, 0, ${bytes(token)}, ${bytes(hashOfUpgrade)}, ${Buffer.alloc(0)})`
  await store.database`
    insert into blocks select (jsonb_populate_record(b, '{"number": 2}')).* from blocks b where number = 1`
  await expect.poll(() => asked(token)).toBe(true)
  expect((await facts(other))?.asked_ts).toBe(BigInt(start))
})

test('a balanceOf that differs from the logs is recorded, and no matching check clears it', async () => {
  let factor = 2n
  const holder = addressOf('holder')
  const rebasing = await addToken('rebasing', (data, at) => {
    if (!data.startsWith(selectors.balanceOf)) return plain(data, at)
    // The check identifies the block by hash.
    if (JSON.stringify(at) !== JSON.stringify({ blockHash: blockHash(chain, block(1)) })) return undefined
    return data.endsWith(holder.slice(2)) ? word(100n * factor) : word(0)
  })
  const honest = await addToken('honest', (data, at) =>
    data.startsWith(selectors.balanceOf) ? word(100) : plain(data, at),
  )
  for (const token of [rebasing, honest]) {
    await store.database`
      insert into holders (chain, token, kind, address, balance, peak)
      values (${chain}, ${bytes(token)}, 20, ${bytes(holder)}, 100, 100)`
  }
  work()
  await expect.poll(async () => (await facts(rebasing))?.disagrees).toBe(true)
  await expect.poll(() => asked(honest)).toBe(true)
  factor = 1n
  for (let round = 0; round < 4; round += 1) {
    now = Number((await facts(rebasing))?.due_ts)
    await expect.poll(() => asked(rebasing)).toBe(true)
    expect(await facts(rebasing)).toMatchObject({ disagrees: true })
  }
  expect(await facts(honest)).toMatchObject({ disagrees: false })
})

test('a token that does not follow its logs is asked for all its accounts, however many', async () => {
  const accounts = 5_003
  const rebasing = await addToken('rebasing', (data, at) => {
    if (data.startsWith(selectors.balanceOf)) return word(BigInt(`0x${data.slice(-4)}`) * 2n)
    return plain(data, at)
  })
  await store.database`
    insert into holders (chain, token, kind, address, balance, peak)
    select ${chain}, ${bytes(rebasing)}, 20, decode(lpad(to_hex(n), 40, '0'), 'hex'), n, n
    from generate_series(1, ${accounts}::int) n`
  work()
  const told = async () =>
    (
      await store.database`
        select told_holders::int as holders, (
          select sum(balance)::text from told_balances where chain = ${chain} and token = ${bytes(rebasing)}) as sum
        from token_facts where chain = ${chain} and token = ${bytes(rebasing)}`
    )[0]
  await expect.poll(told).toEqual({ holders: accounts, sum: String(accounts * (accounts + 1)) })
})

test('a node that is down or fails on its own is asked again; known metadata remain', async () => {
  const token = await addToken('patient', plain)
  node.failWith = { status: 503 }
  work()
  await expect.poll(() => lines.join('').includes('asking later')).toBe(true)
  expect(await facts(token)).toMatchObject({ asked_ts: 0n, name: null })
  node.failWith = undefined
  await expect.poll(() => asked(token)).toBe(true)
  node.error = 'header not found'
  now = start + 600
  await expect.poll(async () => (await facts(token))?.failures).toBe(1)
  expect(await facts(token)).toMatchObject({ name: 'Plain Token', due_ts: BigInt(start + 660) })
})

test('two processes alternate by the lock', async () => {
  const first = new AbortController()
  work(first.signal)
  await expect.poll(() => holdsLock()).toBe(true)
  work()
  first.abort()
  await running[0]
  const token = await addToken('later', plain)
  await expect.poll(() => asked(token)).toBe(true)
})

/** Whether a worker holds the lock: it then has stored its rules. */
async function holdsLock(): Promise<boolean> {
  return (await store.database`select 1 from service where key like 'token-rules%'`).length > 0
}

test('a token that a reorg introduces below the newest one is found', async () => {
  const late = await addToken('late', plain, 20, 1)
  work()
  await expect.poll(() => asked(late)).toBe(true)
  const early = await addToken('early', plain, 20, 0)
  await expect.poll(() => asked(early)).toBe(true)
})
