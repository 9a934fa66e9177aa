import { afterAll, beforeAll, expect, test } from 'vitest'
import { testConfig } from '../testing/config.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { primaryChainKey } from '../primary/chains.ts'
import { noteUnreached } from '../store/unreached.ts'
import { collectFacts, SilenceClock } from './collect-facts.ts'
import { evaluate, type Subject } from './evaluate.ts'
import type { RoundFacts } from './facts.ts'
import { subjectsOf, type WatchedRule } from './rules.ts'

/** The chains of a service whose node dies, as rules about the service see them. */
let store: TestDatabase
const now = 1_790_000_000
const { chains } = testConfig({
  chains: [
    { evmChainId: 43113, name: 'C', rpcUrl: 'http://127.0.0.1:9', pollSeconds: 1 },
    { evmChainId: 7, name: 'Never', rpcUrl: 'http://127.0.0.1:9', pollSeconds: 1 },
  ],
})

beforeAll(async () => {
  store = await createTestDatabase()
  await store.database`
    insert into chains (chain, genesis_hash, start_block, state, node_block, node_seen_ts)
    values (43113, '\\x01', 0, 'live', 5, ${now})`
  await noteUnreached(store.database, 'evm', 7, { state: 'waiting', reason: 'connection refused' })
})
afterAll(() => store?.drop())

const clock = new SilenceClock()
/** The facts of a round so many seconds later, by the clock of the machine and by one that does not jump. */
const factsAt = (seconds: number, jump = 0) =>
  collectFacts(store.database, { networks: [], chains }, clock, now + seconds + jump, seconds * 1_000, 50)

const ruleOf = (kind: string): WatchedRule =>
  ({ kind, threshold: 60, hysteresis: 0 }) as unknown as WatchedRule

/** What the rules about nodes and indexers say of all of a service. */
function verdicts(facts: RoundFacts, service: Parameters<typeof subjectsOf>[3], ts: number): string[] {
  const round = { round: 1, ts, facts }
  const none = { nodes: new Map(), l1: new Map(), subnets: new Map(), delegations: [] }
  return ['nodeSilent', 'indexerLate'].flatMap((kind) =>
    subjectsOf(ruleOf(kind), [], [], service).map((subject: Subject) => {
      const found = evaluate({ kind, threshold: 60, hysteresis: 0 }, subject, round, none)
      return `${kind} ${subject.name ?? subject.id}: ${found.kind === 'known' ? found.isBreach : found.kind}, ${found.text}`
    }),
  )
}

async function evaluated(seconds: number, jump = 0): Promise<string[]> {
  const facts = await factsAt(seconds, jump)
  return verdicts(facts, { chains: facts.chains, networks: [] }, now + seconds)
}

test('the node of an EVM chain that dies is silent, and its indexer late, with the reason', async () => {
  expect(await evaluated(0)).toEqual([
    'nodeSilent Never: false, The last answer of the node is 0 s old.',
    'nodeSilent C: false, The last answer of the node is 0 s old.',
    'indexerLate Never: unknown, The node’s head is not known.',
    'indexerLate C: unknown, The node’s head is not known.',
  ])
  await store.database`update chains set state = 'waiting', reason = 'connect ECONNREFUSED 127.0.0.1:9' where chain = 43113`
  // A jump of the clock is not silence.
  expect((await evaluated(30, 86_400))[1]).toBe(
    'nodeSilent C: false, The last answer of the node is 30 s old.',
  )
  const dead = 'The node has not answered for 3 min: connect ECONNREFUSED 127.0.0.1:9.'
  expect(await evaluated(180)).toEqual([
    'nodeSilent Never: true, The node has not answered for 3 min: connection refused.',
    `nodeSilent C: true, ${dead}`,
    'indexerLate Never: true, The node has not answered for 3 min: connection refused.',
    `indexerLate C: true, ${dead}`,
  ])
  await store.database`
    update chains set state = 'live', reason = null, node_seen_ts = ${now + 185} where chain = 43113`
  expect((await evaluated(190))[1]).toBe('nodeSilent C: false, The last answer of the node is 0 s old.')
})

test('the node of a network that has never answered is silent, and its chains late, with the reason', async () => {
  const chain = primaryChainKey('fuji', 'p-chain')
  await noteUnreached(store.database, 'primary', chain, { state: 'waiting', reason: 'connection refused' })
  const silences = new SilenceClock()
  const evaluatedAt = async (seconds: number): Promise<string[]> => {
    const networks = [{ id: 'fuji', sampleSeconds: 5 }] as const
    const facts = await collectFacts(
      store.database,
      { networks, chains: [] },
      silences,
      now + seconds,
      seconds * 1_000,
      50,
    )
    const service = { chains: facts.chains, networks: Object.keys(facts.networks) }
    return verdicts(facts, service, now + seconds)
  }
  expect(await evaluatedAt(0)).toEqual([
    'nodeSilent fuji: false, The last answer of the node is 0 s old.',
    'indexerLate fuji/p-chain: unknown, The node’s head is not known.',
  ])
  const silent = 'The node has not answered for 3 min: connection refused.'
  expect(await evaluatedAt(180)).toEqual([
    `nodeSilent fuji: true, ${silent}`,
    `indexerLate fuji/p-chain: true, ${silent}`,
  ])
})
