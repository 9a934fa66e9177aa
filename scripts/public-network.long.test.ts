import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { launch, temporaryFolder, writeConfig, type Launched } from '../e2e/support/launcher.ts'
import { startSample, type RunningSample } from '../sample/testing/start.ts'

const folder = temporaryFolder()
let sample: RunningSample
let stack: Launched
let behind: Launched | undefined

beforeAll(async () => {
  sample = await startSample({ hours: 6 })
})
afterAll(async () => {
  await behind?.stop()
  await stack?.stop()
  await sample?.stop()
  folder.remove()
})

/** The sample is a node of network 5, as Fuji's are, but with a genesis of its own. */
test('npm start -- --network fuji --node URL indexes P, X and C of that node', async () => {
  const added = writeConfig(folder.path, {
    networks: [{ id: 'fuji', genesisFile: join(sample.home, 'genesis.bin') }],
  })
  const home = join(folder.path, 'home')
  stack = launch({
    home,
    args: ['--network', 'fuji', '--node', sample.url, '--network-config', added],
  })
  const url = await stack.ready()
  const ask = async (path: string): Promise<Record<string, never>> =>
    (await (await fetch(`${url}${path}`)).json()) as Record<string, never>
  // What the first start takes was foretold, from all blocks: there are few.
  const last = await node('C/rpc', 'eth_getBlockByNumber', ['latest', false])
  const [, blocks = '', transactions = ''] =
    /C-Chain: (\d+) blocks, about (\d+) transactions: .* of disk, /.exec(stack.output()) ?? []
  expect(Number(blocks)).toBe(Number(last['number']) + 1)
  const counts = await Promise.all(
    Array.from({ length: Number(blocks) }, async (_, height) => {
      const block = await node('C/rpc', 'eth_getBlockByNumber', [`0x${height.toString(16)}`, false])
      return (block['transactions'] as unknown[]).length
    }),
  )
  expect(counts.length).toBeLessThanOrEqual(40)
  expect(Number(transactions)).toBe(counts.reduce((sum, each) => sum + each, 0))
  expect(stack.output()).toMatch(/P-Chain of Fuji: \d+ blocks: .* of disk, /)
  const { chains } = await ask('/v1/chains')
  expect(chains).toMatchObject([
    { chainId: '43113', chainName: 'C-Chain', networkToken: { symbol: 'AVAX' }, isTestnet: true },
  ])
  const genesisBlock = await node('P', 'platform.getBlockByHeight', { height: '1', encoding: 'json' })
  const block = await ask('/v1/networks/fuji/blockchains/p-chain/blocks/1')
  expect(block).toMatchObject({ blockNumber: '1', blockHash: (genesisBlock['block'] as { id: string }).id })
  const { blocks: listed } = await ask('/v1/networks/fuji/blockchains/c-chain/blocks')
  expect(Array.isArray(listed)).toBe(true)
  expect(existsSync(join(home, 'fuji', 'token'))).toBe(true)
})

// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

/** Two services of one node: that of the first test, and one whose P-Chain has stopped before its first block. */
describe('what is not indexed is the node’s answer, and equals what the index says', () => {
  const network = '/v1/networks/fuji'
  const chain = `${network}/blockchains/p-chain`
  const index = async (path: string): Promise<Json> => (await fetch(`${await stack.url}${path}`)).json()
  const unindexed = async (path: string): Promise<Json> =>
    (await fetch(`${(await behind?.url) ?? ''}${path}`)).json()
  let validators: Json[]
  let addresses: string[]

  beforeAll(async () => {
    const genesisFile = join(folder.path, 'other-genesis.bin')
    writeFileSync(genesisFile, 'of another network')
    const added = writeConfig(folder.path, { networks: [{ id: 'fuji', genesisFile }] })
    const home = join(folder.path, 'behind')
    const args = ['--network', 'fuji', '--node', sample.url, '--network-config', added]
    behind = launch({ home, args })
    await vi.waitUntil(
      async () => {
        const { chains = [] } = await unindexed(`${network}/overview`).catch(() => ({}))
        return chains.some(({ chainName, state }: Json) => chainName === 'p-chain' && state === 'stopped')
      },
      { timeout: 120_000, interval: 500 },
    )
    const listed = await index(`${network}/validators?validationStatus=active&pageSize=100`)
    validators = listed.validators.filter(({ subnetId }: Json) => /^1+LpoYY$/.test(subnetId))
    addresses = [
      ...new Set<string>(validators.flatMap(({ potentialRewards }) => potentialRewards.rewardAddresses)),
    ]
    expect(validators.length).toBeGreaterThan(5)
    expect(addresses.length).toBeGreaterThan(1)
  })

  test('the present validation of a node', async () => {
    for (const {
      stakePercentage: _share,
      autoRenewal: _renewal,
      uptimePerformance,
      ...known
    } of validators) {
      const { validators: found } = await unindexed(`${network}/validators/${known.nodeId}`)
      expect(found).toEqual([{ ...known, uptimePerformance: expect.any(Number), isIndexed: false }])
      expect(found[0].uptimePerformance).toBeCloseTo(uptimePerformance, 1)
    }
    const { results } = await unindexed(`/v1/search?query=${validators[0].nodeId}`)
    expect(results).toMatchObject([{ kind: 'node', id: validators[0].nodeId, detail: 'Not indexed' }])
  })

  test('balances and UTXOs', async () => {
    for (const address of addresses) {
      const path = `${chain}/balances?addresses=${address}`
      expect(await unindexed(path)).toEqual({ ...(await index(path)), isIndexed: false })
      const listOf = async (ask: typeof index): Promise<Json[]> => {
        const all: Json[] = []
        for (let token = ''; ;) {
          const { utxos, nextPageToken } = await ask(
            `${chain}/utxos?addresses=${address}&pageSize=3${token && `&pageToken=${token}`}`,
          )
          all.push(...utxos)
          if (nextPageToken === undefined) return all
          token = nextPageToken
        }
      }
      const facts = (utxos: Json[]) =>
        utxos
          .filter(({ staked }) => staked !== true)
          .map(({ utxoId, utxoBytes, asset, addresses: owners }) => ({ utxoId, utxoBytes, asset, owners }))
          .toSorted((one, other) => (one.utxoId < other.utxoId ? -1 : 1))
      expect(facts(await listOf(unindexed))).toEqual(facts(await listOf(index)))
    }
  })

  test('blocks and transactions, which the search finds', async () => {
    const { blocks } = await index(`${chain}/blocks?pageSize=20`)
    for (const block of blocks) {
      const { blockNumber, blockHash } = block
      const found = await unindexed(`${chain}/blocks/${blockNumber}`)
      const { isIndexed, ...facts } = found
      expect(block).toMatchObject(facts)
      expect(isIndexed).toBe(false)
      expect(await unindexed(`${chain}/blocks/${blockHash}`)).toEqual(found)
    }
    const { transactions } = await index(`${chain}/transactions?pageSize=60`)
    for (const { txHash } of transactions) {
      const known = await index(`${chain}/transactions/${txHash}`)
      const { isIndexed, consumedUtxos, emittedUtxos, l1ValidatorDetails, value, amountBurned, ...found } =
        await unindexed(`${chain}/transactions/${txHash}`)
      expect(isIndexed).toBe(false)
      // History tells what an L1 validator has left and is paid back, and whom the end of a stake pays.
      if (found.stakingTxHash !== undefined) delete found.rewardAddresses
      expect(known).toMatchObject(found)
      expect(l1ValidatorDetails).toEqual([])
      if (known.emittedUtxos.length === emittedUtxos.length)
        expect([value, amountBurned]).toEqual([known.value, known.amountBurned])
      else
        expect(known.txType).toMatch(
          /^(SetL1ValidatorWeight|DisableL1Validator|Reward(AutoRenewed)?Validator)Tx$/,
        )
      const facts = (utxos: Json[]) =>
        utxos.map(({ utxoId, utxoBytes, asset, addresses: owners }) => ({ utxoId, utxoBytes, asset, owners }))
      // Who owned a refund to an L1 validator is not in the bytes of any transaction.
      for (const [place, spent] of facts(consumedUtxos).entries()) {
        const expected = facts(known.consumedUtxos)[place]
        expect(spent, txHash).toEqual(
          spent.owners.length > 0 ? expected : { ...expected, owners: [], utxoBytes: undefined },
        )
      }
      expect(consumedUtxos.length).toBe(known.consumedUtxos.length)
      expect(facts(emittedUtxos), txHash).toEqual(facts(known.emittedUtxos).slice(0, emittedUtxos.length))
    }
    const [{ txHash }] = transactions
    const [{ blockHash, blockNumber }] = blocks
    for (const [query, kind, id] of [
      [txHash, 'primaryTransaction', txHash],
      [blockHash, 'primaryBlock', blockNumber],
    ])
      expect((await unindexed(`/v1/search?query=${query}`)).results).toMatchObject([
        { kind, id, detail: 'Not indexed' },
      ])
  })
})

async function node(chain: string, method: string, params: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${sample.url}/ext/bc/${chain}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return ((await response.json()) as { result: Record<string, unknown> }).result
}
