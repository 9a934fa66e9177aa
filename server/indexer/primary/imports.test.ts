import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { chainAliases, type ChainAlias } from '../../../protocol/primary/chains.ts'
import recorded from '../../../protocol/fixtures/recorded.json' with { type: 'json' }
import { encode } from '../../../protocol/codec/schema.ts'
import { cb58, hexText, idOfText } from '../../../protocol/ids/text.ts'
import { sha256, utxoIdOf } from '../../../protocol/native/hashes.ts'
import { atomicTx, extraData } from '../../../protocol/primary/atomic.ts'
import { xTx } from '../../../protocol/primary/x-transactions.ts'
import { readPrimaryFigures } from '../../store/network/read-figures.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { Findings } from '../../verify/findings.ts'
import { checkPrimaryTables, readOddHistory } from '../../verify/primary-tables.ts'
import { testPace, until } from '../testing/harness.ts'
import { runPrimaryIndexers } from './networks.ts'
import { localNetwork } from './testing/local-network.ts'
import { addPBlock, addXBlock, emptyBase, txIdOf, withoutCredentials } from './testing/own-blocks.ts'
import { RecordedNode } from './testing/recorded-node.ts'
import { storeCBlocks, storeRecordedBlocks } from './testing/stored-blocks.ts'

// Shared memory takes an import before its export, and cancels the one against the other whenever the export comes
// (avalanchego, chains/atomic/state.go, RemoveValue and SetValue): no chain waits for another.

const keys = { P: 11, X: 12, C: 13 }
const ids = {
  P: new Uint8Array(32),
  X: idOfText(recorded.genesis.chains[0] ?? ''),
  C: idOfText(recorded.genesis.chains[1] ?? ''),
}
/** An asset that nothing else moves. */
const assetId = Buffer.alloc(32, 3)
const owner = Buffer.alloc(20, 4)
/** Later than everything that was recorded. */
const began = 1_795_250_000

let store: TestDatabase
let node: RecordedNode
let abort: AbortController
let running: Promise<void>
/** The heights that the chains have. */
let heights: Record<ChainAlias, number>

beforeEach(async () => {
  store = await createTestDatabase()
  node = new RecordedNode()
  heights = { P: 11, X: 4, C: 3 }
  await storeRecordedBlocks(store.database)
  abort = new AbortController()
  const quiet = () => undefined
  running = runPrimaryIndexers({
    database: store.database,
    ...localNetwork(await node.start(), true),
    logger: { info: quiet, warn: quiet, error: quiet },
    signal: abort.signal,
    pace: testPace,
  })
  running.catch(() => undefined)
  await indexed()
})

afterEach(async () => {
  abort.abort()
  await running.catch(() => undefined)
  await node.stop()
  await store.drop()
})

/** Every chain is at its head. */
async function indexed(): Promise<void> {
  for (const alias of chainAliases) {
    await until(`the ${alias}-Chain is indexed to block ${heights[alias]}`, async () => {
      const [row] = await store.database<{ state: string; reason: string | null; height: bigint | null }[]>`
        select state, reason, (select max(height) from primary_blocks where chain = ${keys[alias]}) as height
        from primary_chains where chain = ${keys[alias]}`
      if (row?.state === 'stopped') throw new Error(`stopped: ${row.reason}`)
      return Number(row?.height ?? -1n) >= heights[alias]
    })
  }
}

const amount = { amount: 7n, stakeableLocktime: 0n }
const output = {
  assetId,
  output: { type: 'TRANSFER', ...amount, owner: { locktime: 0n, threshold: 1, addresses: [owner] } },
} as const
const evm = { address: owner, amount: 7n, assetId }
/** A move between chains: an export to one, or an import of what another's transaction exported. */
type Move = { readonly to: ChainAlias } | { readonly from: ChainAlias; readonly txId: Uint8Array }

const inputsOf = (txId: Uint8Array) => [{ txId, outputIndex: 0, assetId, ...amount, signatureIndices: [0] }]
const xTxOf = (move: Move) => {
  const base = { ...emptyBase, blockchainId: ids.X }
  return {
    unsigned:
      'to' in move
        ? ({ type: 'ExportTx', base, destinationChain: ids[move.to], exportedOutputs: [output] } as const)
        : ({
            type: 'ImportTx',
            base,
            sourceChain: ids[move.from],
            importedInputs: inputsOf(move.txId),
          } as const),
    credentials: [],
  }
}
const cTxOf = (move: Move) => ({
  unsigned:
    'to' in move
      ? ({
          type: 'ExportTx',
          networkId: 12345,
          blockchainId: ids.C,
          destinationChain: ids[move.to],
          evmInputs: [{ ...evm, nonce: 0n }],
          exportedOutputs: [output],
        } as const)
      : ({
          type: 'ImportTx',
          networkId: 12345,
          blockchainId: ids.C,
          sourceChain: ids[move.from],
          importedInputs: inputsOf(move.txId),
          evmOutputs: [evm],
        } as const),
  credentials: [],
})

const pTxOf = (move: Move) =>
  withoutCredentials(
    'to' in move
      ? { type: 'ExportTx', base: emptyBase, destinationChain: ids[move.to], exportedOutputs: [output] }
      : {
          type: 'ImportTx',
          base: emptyBase,
          sourceChain: ids[move.from],
          importedInputs: inputsOf(move.txId),
        },
  )

/** The id of the transaction of a move. */
function txIdOfMove(alias: ChainAlias, move: Move): Uint8Array {
  if (alias === 'P') return txIdOf(pTxOf(move))
  return sha256(alias === 'X' ? encode(xTx, xTxOf(move)) : encode(atomicTx, cTxOf(move)))
}

/** Adds a block with some moves, `later` seconds after the beginning, and waits until every chain has it. */
async function add(alias: ChainAlias, later: number, moves: readonly Move[] = []): Promise<void> {
  await append(alias, later, moves)
  await indexed()
}

async function append(alias: ChainAlias, later: number, moves: readonly Move[]): Promise<void> {
  const time = began + later
  heights[alias] += 1
  if (alias === 'P') addPBlock(node, 32, time, moves.map(pTxOf))
  else if (alias === 'X') addXBlock(node, moves.map(xTxOf), { time })
  else {
    const hashOf = (height: number) =>
      recorded.node.cBlocks[height]?.hash ?? `0x${height.toString(16).padStart(64, '0')}`
    const [template] = recorded.node.cBlocks
    if (!template) throw new Error('no block')
    await storeCBlocks(store.database, [
      {
        ...template,
        number: `0x${heights.C.toString(16)}`,
        hash: hashOf(heights.C),
        parentHash: hashOf(heights.C - 1),
        timestamp: `0x${time.toString(16)}`,
        blockExtraData: moves.length > 0 ? hexText(encode(extraData, moves.map(cTxOf))) : '0x',
      },
    ])
  }
}

/** What the recount of the tables finds, what is odd, and how many inputs wait by the figures for operators. */
async function stateOf(alias: ChainAlias) {
  const findings = new Findings()
  await checkPrimaryTables(store.database, keys[alias], findings)
  const [figures] = await readPrimaryFigures(store.database, [keys[alias]])
  const { shown } = await readOddHistory(store.database, keys[alias])
  return { faults: findings.all(), odd: shown, waiting: Number(figures?.pending_imports ?? 0n) }
}

/** Who spent the output of an export; undefined while nothing did. */
async function spentBy(home: ChainAlias, exported: Uint8Array): Promise<string | undefined> {
  const [row] = await store.database<{ tx: Buffer | null }[]>`
    select spent_tx as tx from utxos where home = ${keys[home]} and tx_id = ${Buffer.from(exported)}`
  return row?.tx ? cb58(row.tx) : undefined
}

const pairs = chainAliases.flatMap((source) =>
  chainAliases.filter((home) => home !== source).map((home) => [source, home] as const),
)
const settled = { faults: [], odd: [], waiting: 0 }

describe.each(pairs)('from %s to %s', (source, home) => {
  test('an import waits for its export, is odd once that should have come, and takes it whenever it comes', async () => {
    const exported = txIdOfMove(source, { to: home })
    const move = { from: source, txId: exported } as const
    const imported = cb58(txIdOfMove(home, move))
    await add(home, 0, [move])
    expect(await stateOf(home)).toEqual({ ...settled, waiting: 1 })
    // The clocks of the chains may differ by that much.
    await add(source, 60)
    expect(await stateOf(home)).toEqual({ ...settled, waiting: 1 })
    await add(source, 61)
    const detail = `input 0: UTXO ${cb58(utxoIdOf(exported, 0))}`
    const odd = [`${imported} spends a UTXO that was never made (${detail})`]
    expect(await stateOf(home)).toEqual({ ...settled, odd })
    // The importing chain continues, and what was said once is not said again.
    await add(home, 70)
    await add(source, 80)
    expect(await stateOf(home)).toEqual({ ...settled, odd })
    await add(source, 90, [{ to: home }])
    expect(await stateOf(home)).toEqual(settled)
    expect(await spentBy(home, exported)).toBe(imported)
    expect(await store.database`select from pending_imports`).toEqual([])
  })
})

test('chains that import from each other what comes later do not wait for each other', async () => {
  const next = { P: 'X', X: 'C', C: 'P' } as const
  for (const [round, turn] of [next, { P: 'C', X: 'P', C: 'X' } as const].entries()) {
    const exported = {
      P: txIdOfMove('P', { to: turn.P }),
      X: txIdOfMove('X', { to: turn.X }),
      C: txIdOfMove('C', { to: turn.C }),
    }
    const sourceOf = (home: ChainAlias) => chainAliases.find((each) => turn[each] === home) ?? home
    for (const home of chainAliases)
      await append(home, 10 * round, [{ from: sourceOf(home), txId: exported[sourceOf(home)] }])
    await indexed()
    for (const source of chainAliases) await append(source, 10 * round + 1, [{ to: turn[source] }])
    await indexed()
    for (const home of chainAliases) {
      expect(await stateOf(home)).toEqual(settled)
      const from = sourceOf(home)
      const imported = txIdOfMove(home, { from, txId: exported[from] })
      expect(await spentBy(home, exported[from])).toBe(cb58(imported))
    }
  }
})

test.each(chainAliases)(
  'the %s-chain recovers what it imports from itself: no export will come',
  async (home) => {
    const txId = Buffer.alloc(32, 8)
    const move = { from: home, txId } as const
    const imported = cb58(txIdOfMove(home, move))
    await add(home, 0, [move])
    const { faults, odd, waiting } = await stateOf(home)
    expect({ faults, odd, waiting }).toEqual({
      ...settled,
      odd: [expect.stringContaining(`${imported} names a chain that shares no memory`)],
    })
    expect(await spentBy(home, txId)).toBe(imported)
    expect(await store.database`select from pending_imports`).toEqual([])
  },
)
