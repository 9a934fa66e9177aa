import { expect, test } from 'vitest'
import mainnet from '../../../protocol/fixtures/mainnet-p-blocks.json' with { type: 'json' }
import { cb58, idOfText } from '../../../protocol/ids/text.ts'
import { decodePBlock, encodePBlock, type PBlock } from '../../../protocol/primary/p-blocks.ts'
import { publicGenesis } from '../../primary/public-genesis.ts'
import { Batch } from './batch/batch.ts'
import { keyOf } from './batch/rows.ts'
import { applyPBlock } from './p-apply.ts'
import { applyPGenesis, genesisOfBytes } from './p-genesis.ts'
import { PState } from './p-state.ts'

const [p, x, c] = [1, 2, 3]
const seconds = (time: string): number => Date.parse(time) / 1_000
const xId = idOfText('2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM')
const cId = idOfText('2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5')

/** The state of mainnet's P-Chain before its genesis. */
const newState = (): PState =>
  new PState({
    chain: p,
    xChain: x,
    cChain: c,
    xId: keyOf(xId),
    cId: keyOf(cId),
    avaxAsset: idOfText('FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z'),
    followed: new Set(['0'.repeat(64), keyOf(xId), keyOf(cId)]),
    upgrades: {
      cortina: seconds('2023-04-25T15:00:00Z'),
      durango: seconds('2024-03-06T16:00:00Z'),
      etna: seconds('2024-12-16T17:00:00Z'),
      helicon: Infinity,
    },
    l1Fees: { target: 10_000n, minPrice: 512n, conversion: 1_246_488_515n },
  })

const effectsOf = (state: PState) => ({ state, batch: new Batch(p), genesisTime: 0, strays: { next: 0 } })

/** Block 0: a decision without a proposal, whose parent is the genesis. */
const parent = idOfText('UUvXi6j7QhVvgpbKM89MP5HdrxKm9CaJeHc187TsDNf8nZdLk')
const block0 = decodePBlock(
  encodePBlock({ type: 'ApricotCommitBlock', parentId: parent, height: 0, time: 0, transactions: [] }),
)

/** Blocks 1 to 3; published-p.test.ts applies the others where they stood. */
const blocks: readonly PBlock[] = mainnet.blocks
  .slice(0, 3)
  .map(({ bytes }) => decodePBlock(Buffer.from(bytes, 'base64')))

test('mainnet begins with its genesis and its first real blocks', () => {
  expect(cb58(block0.id)).toBe('2FUFPVPxbTpKNn39moGSzsmGroYES4NZRdw3mJgNvMkMiMHJ9e')
  const state = newState()
  const effects = effectsOf(state)
  const genesis = publicGenesis(block0.parentId)
  if (!genesis) throw new Error('it is not built in')
  applyPGenesis(effects, genesisOfBytes(genesis, block0), block0)
  expect(state.stakers.size).toBe(75)
  for (const block of blocks) applyPBlock(effects, { block, wrapper: undefined, rewards: [] })
  expect(state.height).toBe(3)
  // Block 1 proposes a time, and block 2 accepts it.
  expect(state.time).toBe(1_600_740_000)
  expect(cb58(state.proposal?.tx.id ?? new Uint8Array(32))).toBe(
    '2gZCB2pSLarX8YRsYkxScLZr18PNNVnoJCj1jDh2MUTBCYUP4x',
  )
})
