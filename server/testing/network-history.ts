import { encode } from '../../protocol/codec/schema.ts'
import { atomicTx } from '../../protocol/primary/atomic.ts'
import type { Database } from '../store/database.ts'
import { fujiKeys, idBytes, insertPrimary, shortBytes } from './primary-rows.ts'

export const hour = 3_600
export const day = 86_400
/** Monday 1 January 2024, 0:00. */
const start = 1_704_067_200
/** A time of the history, Unix seconds. */
export const at = (days: number, seconds = 0): number => start + days * day + seconds
export const AVAX = 1_000_000_000n

/** Signed bytes as the store has them. */
const withoutVersion = (bytes: Uint8Array = new Uint8Array()): Buffer => Buffer.from(bytes.subarray(2))

/**
 * Nine and a half days of a network from `start` on, whose series can be computed by hand: its stakes, rewards,
 * transactions, UTXOs, subnets and L1 validators. The chains themselves must be there.
 */
export async function insertNetworkHistory(database: Database): Promise<void> {
  const { p, x } = fujiKeys
  // The P-Chain's head is at noon of day 9. The block of day 3 is its first second, so it belongs to day 3.
  const blocks: [ts: number, supply: bigint, accrued: bigint, active: number][] = [
    [at(0, 1), 400_000_000n * AVAX, 0n, 0],
    [at(1, 60), 400_000_001n * AVAX, 0n, 2],
    [at(3), 400_000_002n * AVAX, 300n, 1],
    [at(4, 60), 400_000_003n * AVAX, 500n, 1],
    [at(9, 12 * hour), 480_000_000n * AVAX, 700n, 1],
  ]
  await insertPrimary(database, 'primary_blocks', [
    ...blocks.map(([ts, supply, accrued_fees, active_l1_validators], height) => ({
      chain: p,
      height,
      ts,
      id: idBytes(`p ${height}`),
      parent_id: idBytes(`p ${height - 1}`),
      supply,
      accrued_fees,
      active_l1_validators,
    })),
    ...[at(0, 1), at(5)].map((ts, height) => ({
      chain: x,
      height,
      ts,
      id: idBytes(`x ${height}`),
      parent_id: idBytes(`x ${height - 1}`),
    })),
  ])
  const stake = (
    name: string,
    height: number,
    node: string,
    avaxAmount: bigint,
    start_ts: number,
    end_ts: number,
    ended_ts: number | null,
    more: Record<string, string | boolean> = {},
  ) => ({
    chain: p,
    height,
    index: 0,
    tx_id: idBytes(name),
    node: shortBytes(node),
    weight: avaxAmount * AVAX,
    start_ts,
    end_ts,
    ended_ts,
    potential_reward: '7',
    ...more,
  })
  await insertPrimary(database, 'stakers', [
    stake('genesis', 0, 'a', 1_000n, at(0, 1), at(400), null),
    stake('second', 1, 'b', 600n, at(1, 60), at(3), at(3)),
    // Auto-renewed: its first period is a finished one of `staking_cycles`.
    stake('renewed', 2, 'c', 260n, at(4, 60), at(14), null),
    stake('delegation', 3, 'a', 100n, at(4, 60), at(9, 12 * hour), at(9, 12 * hour), { is_delegator: true }),
    { ...stake('subnet', 4, 'd', 9n, at(1), at(300), null), subnet: idBytes('some subnet') },
  ])
  await insertPrimary(database, 'staking_cycles', [
    {
      chain: p,
      height: 3,
      ts: at(4, 60),
      staking_tx: idBytes('renewed'),
      node: shortBytes('c'),
      start_ts: at(1, 60),
      end_ts: at(4, 60),
      weight: 250n * AVAX,
      potential_reward: '10',
      outcome: 'renewed',
      reward: '0',
    },
  ])
  const reward = (height: number, ts: number, stakingTx: string, type: number, amount: bigint) => ({
    chain: p,
    height,
    index: 0,
    ordinal: type,
    ts,
    staking_tx: idBytes(stakingTx),
    node: shortBytes('a'),
    type,
    amount,
    utxo_id: idBytes(`reward ${stakingTx} ${type}`),
    addresses: [],
  })
  await insertPrimary(database, 'rewards', [
    reward(2, at(3), 'second', 1, 11n),
    reward(4, at(9, 12 * hour), 'delegation', 2, 5n),
    reward(4, at(9, 12 * hour), 'delegation', 3, 2n),
    // In the token of an elastic subnet.
    reward(4, at(9, 12 * hour), 'subnet', 1, 1_000n),
  ])
  const transaction = (chain: number, height: number, index: number, ts: number, type: number) => ({
    chain,
    height,
    index,
    ts,
    type,
    id: idBytes(`tx ${chain} ${height} ${index}`),
  })
  const { c } = fujiKeys
  await insertPrimary(
    database,
    'primary_blocks',
    [at(0, 1), at(1), at(3, 5)].map((ts, height) => ({
      chain: c,
      height,
      ts,
      id: idBytes(`c ${height}`),
      parent_id: idBytes(`c ${height - 1}`),
    })),
  )
  const [{ avax = Buffer.alloc(0) } = {}] = await database<{ avax: Buffer }[]>`
    select avax_asset as avax from primary_chains where chain = ${c}`
  const place = { networkId: 5, blockchainId: idBytes('c'), sourceChain: idBytes('x') }
  const account = { address: shortBytes('account'), assetId: avax }
  const input = (amount: bigint, assetId: Buffer) => ({
    txId: idBytes('spent'),
    outputIndex: 0,
    assetId,
    amount,
    stakeableLocktime: 0n,
    signatureIndices: [0],
  })
  const owner = { locktime: 0n, threshold: 1, addresses: [shortBytes('owner')] }
  const atomics = [
    // 700 AVAX in, 650 out; what is imported in another asset does not count.
    encode(atomicTx, {
      unsigned: {
        type: 'ImportTx',
        ...place,
        importedInputs: [input(300n, avax), input(400n, avax), input(9n, idBytes('other'))],
        evmOutputs: [{ ...account, amount: 650n }],
      },
      credentials: [],
    }),
    // 500 in, 480 out, at the first second of the day.
    encode(atomicTx, {
      unsigned: {
        type: 'ExportTx',
        ...place,
        destinationChain: idBytes('x'),
        evmInputs: [{ ...account, amount: 500n, nonce: 3n }],
        exportedOutputs: [
          { assetId: avax, output: { type: 'TRANSFER', amount: 480n, stakeableLocktime: 0n, owner } },
        ],
      },
      credentials: [],
    }),
  ]
  await insertPrimary(database, 'primary_transactions', [
    { ...transaction(c, 2, 0, at(3, 5), 0), bytes: withoutVersion(atomics[0]) },
    { ...transaction(c, 1, 0, at(1), 1), bytes: withoutVersion(atomics[1]) },
    transaction(p, 0, 0, at(0, 1), 12),
    transaction(p, 1, 0, at(1, 60), 34),
    transaction(p, 1, 1, at(1, 60), 17),
    transaction(p, 2, 0, at(3), 20),
    transaction(p, 3, 0, at(4, 60), 36),
    // What made the chains and subnets below: CreateChainTx, CreateSubnetTx and ConvertSubnetToL1Tx.
    transaction(p, 0, 1, at(0, 1), 15),
    transaction(p, 1, 2, at(1, 60), 16),
    transaction(p, 3, 1, at(4, 60), 15),
    transaction(p, 3, 2, at(4, 60), 16),
    transaction(p, 3, 3, at(4, 60), 35),
    transaction(p, 4, 0, at(9, 12 * hour), 34),
    transaction(x, 0, 0, at(0, 1), 1),
    // Accepted in vertices, before the X-Chain had blocks.
    transaction(x, -1, 0, at(2, 5), 0),
    transaction(x, -1, 1, at(2, 6), 4),
    transaction(x, 1, 0, at(5), 0),
  ])
  const utxo = (
    name: string,
    chain: number,
    height: number,
    ts: number,
    amount: bigint,
    spent: { chain: number; height: number; ts: number } | null,
    more: Record<string, string | number | Buffer> = {},
  ) => ({
    chain,
    home: chain,
    height,
    tx_index: 0,
    output_index: Number(`0x${idBytes(name).toString('hex', 0, 2)}`),
    ts,
    tx_id: idBytes(`tx of ${name}`),
    utxo_id: idBytes(name),
    amount,
    spent_chain: spent?.chain ?? null,
    spent_height: spent?.height ?? null,
    spent_ts: spent?.ts ?? null,
    ...more,
  })
  const p1 = { chain: p, height: 1, ts: at(1, 60) }
  const p2 = { chain: p, height: 2, ts: at(3) }
  const p3 = { chain: p, height: 3, ts: at(4, 60) }
  await insertPrimary(database, 'utxos', [
    utxo('p genesis', p, 0, at(0, 1), 1_800n, p1),
    // Block 1: 1,800 in, 700 out, 200 to the X-Chain, 800 into balances of L1 validators.
    utxo('p out', p, 1, at(1, 60), 700n, p3),
    utxo('p export', p, 1, at(1, 60), 200n, { chain: x, height: 1, ts: at(5) }, { home: x }),
    // A reward is not an output of a transaction.
    utxo('p reward', p, 2, at(3), 11n, null, { reward_type: 1 }),
    // Recovered from what spent it on another chain: no transaction of the chain made it.
    utxo('p stray', p, -2, at(0, 2), 21n, null, { home: fujiKeys.c }),
    // Block 3: 700 in, 90 out, 600 into the balance of an L1 validator.
    utxo('p change', p, 3, at(4, 60), 90n, null),
    utxo('other asset', p, 1, at(1, 60), 5n, p2, { asset: idBytes('other') }),
    // X, block 1: 200 in, 150 out.
    utxo('x out', x, 1, at(5), 150n, null),
    // A vertex: 40 in, 30 out.
    utxo('x genesis', x, 0, at(0, 1), 40n, { chain: x, height: -1, ts: at(2, 5) }),
    utxo('x vertex', x, -1, at(2, 5), 30n, null),
  ])
  await insertPrimary(database, 'subnets', [
    { chain: p, height: 0, ts: at(0, 1), subnet: Buffer.alloc(32) },
    { chain: p, height: 1, ts: at(1, 60), subnet: idBytes('s1'), conversion_ts: at(4, 60) },
    { chain: p, height: 3, ts: at(4, 60), subnet: idBytes('s2') },
  ])
  await insertPrimary(database, 'blockchains', [
    { chain: p, height: 0, ts: at(0, 1), blockchain_id: idBytes('chain 0'), name: 'X' },
    { chain: p, height: 3, ts: at(4, 60), blockchain_id: idBytes('chain 1'), name: 'S' },
  ])
  const change = (
    validator: string,
    height: number,
    ts: number,
    weight: number,
    balance_change: number,
    end_fee: number | null,
    index = 0,
  ) => ({
    validation_id: idBytes(validator),
    chain: p,
    height,
    index,
    ts,
    weight: String(weight),
    balance_change: String(balance_change),
    end_fee: end_fee === null ? null : String(end_fee),
  })
  await insertPrimary(database, 'l1_validator_changes', [
    change('one', 1, at(1, 60), 100, 500, 500),
    change('two', 1, at(1, 60), 50, 300, 300),
    // Used up when 300 are accrued; paid in again by block 3, whose accrued fees are 500.
    change('two', 2, at(3), 50, 0, null, -1),
    change('one', 3, at(4, 60), 100, 0, null, -1),
    change('two', 3, at(4, 60), 50, 600, 1_100),
  ])
}
