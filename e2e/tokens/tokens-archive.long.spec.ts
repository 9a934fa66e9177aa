import { fileURLToPath } from 'node:url'
import { listBlocks } from '../../contract/evm/blocks.ts'
import { getToken, listTokens } from '../../contract/tokens/tokens.ts'
import { startSample, type RunningSample } from '../../sample/testing/start.ts'
import { expect, test } from '../support/fixtures.ts'
import { descendantsOf, launch, temporaryFolder, writeConfig, type Launched } from '../support/launcher.ts'
import { nodeAt, type Node } from '../support/node.ts'
import { ask, askAll, chains, type SampleChain } from '../support/stack.ts'
import { startStore, type OwnStore } from '../support/store.ts'
import { heldByNode, heldByService, tokensByAddress } from '../support/tokens-archive.ts'

/*
 * Balances of every token and address of the sample after random blocks, compared with `balanceOf` and `ownerOf` at
 * those
 * blocks on a node that keeps all states: as indexed, and after a reorganization during which the indexer was
 * killed.
 * Set a seed to replay a run: RIDGELINE_SEED=123.
 */
const seed = Number(process.env['RIDGELINE_SEED'] ?? 7)
const all: readonly SampleChain[] = Object.values(chains)

/** Integers below a bound, the same for the same seed. */
function randomFrom(start: number): (bound: number) => number {
  let state = start
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}

test.describe('balances at any block', () => {
  test.describe.configure({ mode: 'serial' })
  const folder = temporaryFolder()
  let sample: RunningSample
  let store: OwnStore
  let config: string
  let api: Launched
  let indexer: Launched
  let url: string

  const start = (role: 'api' | 'indexer'): Launched =>
    launch({
      home: `${folder.path}/${role}`,
      args: ['--role', role, '--config', config],
      env: { DATABASE_URL: store.url },
    })
  const nodeOf = ({ name }: SampleChain): Node => nodeAt(sample.chain(name).rpcUrl)

  /** Waits until the newest block of each chain is the node's. */
  async function caughtUp(): Promise<void> {
    for (const chain of all) {
      const node = nodeOf(chain)
      const { hash } = await node.block(await node.head())
      const newest = async (): Promise<string | undefined> => {
        const asked = { base: url, params: { chainId: chain.id }, query: { pageSize: 1 } }
        return (await ask(listBlocks, asked).catch(() => undefined))?.blocks[0]?.blockHash
      }
      await expect.poll(newest).toBe(hash)
    }
  }

  /** Schedules the tokens to be read again, as after a day, and waits until all have been. */
  async function askTokensAgain(): Promise<void> {
    const { sql } = store
    await sql`update token_facts set due_ts = 0, asked_ts = 0`
    const waiting = async (): Promise<number> => {
      const [row] = await sql<{ count: number }[]>`
        select count(*)::int as count from tokens t left join token_facts f using (chain, token)
        where f.asked_ts is null or f.asked_ts = 0`
      return row?.count ?? 0
    }
    await expect.poll(waiting).toBe(0)
  }

  /** Compares every address of a chain after a block (a recent one in half of the cases) and at the head. */
  async function recount(chain: SampleChain, random: (bound: number) => number): Promise<number> {
    const node = nodeOf(chain)
    const head = await node.head()
    const addresses = [...(await tokensByAddress(node))]
    let held = 0
    for (let at = 0; at < addresses.length; at += 16)
      await Promise.all(
        addresses.slice(at, at + 16).map(async ([address, named]) => {
          const back = random(random(2) === 0 ? Math.min(40, head) : head)
          for (const block of new Set([head - back, head])) {
            const expected = await heldByNode(node, address, named, block)
            held += expected.length
            expect(
              await heldByService(url, chain.id, address, block),
              `seed ${seed}: ${address} of ${chain.name} after block ${block}`,
            ).toEqual(expected)
          }
        }),
      )
    return held
  }

  test.beforeAll(async () => {
    const program = fileURLToPath(new URL('../../dist/node/sample.js', import.meta.url))
    sample = await startSample({
      program,
      archive: true,
      // All contracts are deployed by then, and the chain stays below 500 blocks: after anvil 1.7.1 has moved states
      // to disk, a rollback loses them.
      hours: 440,
      now: Math.floor(Date.now() / 1000),
    })
    store = await startStore(folder.path, Number(chains.c.id), 0)
    config = writeConfig(folder.path, {
      limits: { requestsPerMinute: 1_000_000 },
      chains: all.map(({ name }) => ({ ...sample.chain(name), pollSeconds: 0.2, reorgLimit: 64 })),
    })
    api = start('api')
    url = await api.url
    indexer = start('indexer')
    await caughtUp()
  })

  test.afterAll(async () => {
    await Promise.all([api.stop(), indexer.stop()])
    await store.stop()
    await sample.stop()
    folder.remove()
  })

  test('equal the contracts’ answers at that block, for every token and address', async () => {
    await askTokensAgain()
    const tokens = await askAll(listTokens, 'tokens', {
      base: url,
      params: { chainId: chains.c.id },
      query: { pageSize: 100, filterSpamTokens: false },
    })
    expect(tokens.length).toBeGreaterThan(20)
    // Logs of a rebasing token, and of one with a fee on transfers, do not determine its balances: once a check has seen
    // that, minutes after the last transfer, they are read from the node.
    for (const unfaithful of ['Tide', 'Toll']) {
      const address = tokens.find(({ name }) => name === unfaithful)?.address ?? ''
      const source = async (): Promise<string | undefined> =>
        (await ask(getToken, { base: url, params: { chainId: chains.c.id, address } })).balanceSource
      await expect.poll(source, { message: unfaithful }).toBe('node')
    }
    const random = randomFrom(seed)
    for (const chain of all) expect(await recount(chain, random)).toBeGreaterThan(100)
  })

  test('equal them after a reorganization during which the indexer was killed', async () => {
    for (const chain of ['c', 'meridian', 'harbor'] as const) await sample.control.mine({ chain, blocks: 30 })
    await caughtUp()
    // Half of the old branch's transactions are included again in other blocks of the new one.
    for (const chain of ['c', 'meridian', 'harbor'] as const)
      await sample.control.reorg({ chain, depth: 24, sameTransactions: 'some', extend: 8 })
    for (const { pid } of descendantsOf(indexer.child.pid ?? 0)) process.kill(pid, 'SIGKILL')
    indexer.child.kill('SIGKILL')
    await indexer.ended
    indexer = start('indexer')
    await caughtUp()
    await askTokensAgain()
    const random = randomFrom(seed + 1)
    for (const chain of all) expect(await recount(chain, random)).toBeGreaterThan(100)
  })
})
