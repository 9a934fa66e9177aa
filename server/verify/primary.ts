import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { primaryChainIds } from '../../contract/primary/chains.ts'
import type { NetworkConfig } from '../kernel/settings/config.ts'
import { primaryChainKey } from '../primary/chains.ts'
import { cb58, nodeIdText } from '../../protocol/ids/text.ts'
import type { Database } from '../store/database.ts'
import { compareCheckpoints } from './checkpoints.ts'
import type { ChainAlias } from '../../protocol/primary/chains.ts'
import { Findings } from './findings.ts'
import { compareNetworkMetrics } from './network-metrics.ts'
import { PrimaryNodeReader } from './primary-node.ts'
import { checkPrimaryTables, readOddHistory } from './primary-tables.ts'

export type PrimaryReport = {
  readonly findings: Findings
  /** Numbers of blocks compared with the node, and of UTXOs and stakers compared with its current state. */
  readonly blocks: number
  readonly utxos: number
  readonly stakers: number
  /** Number of values of network metrics compared with a recount. */
  readonly values: number
  /** Number of blocks that avalanchego ships as checkpoints of the network. */
  readonly checkpoints: number
  /** What was not compared and why, in words. */
  readonly leftOut: readonly string[]
  /** What accepted blocks contain and today's rules would refuse, in words: no fault. The first few, and how many. */
  readonly odd: { readonly shown: readonly string[]; readonly count: number }
}

/** Blocks per batch, and addresses per request. */
const together = 16
const addressesAtOnce = 100
/**
 * Maximum number of attempts to find a moment at which store and node are at the same heights, the number of
 * these that include the C-Chain, and the milliseconds between attempts.
 */
const tries = 20
const triesWithC = 15
const pause = 250

/**
 * Checks the P- and X-Chain of one network: the tables against each other, then every block's bytes against
 * the node, and the UTXOs, validators, L1 validators and supply against the node's state at the same height.
 * Throws if the database or the node cannot be read.
 */
export async function verifyPrimary(
  database: Database,
  network: NetworkConfig,
  withNode: boolean,
): Promise<PrimaryReport> {
  const findings = new Findings()
  const keys = {
    P: primaryChainKey(network.id, 'p-chain'),
    X: primaryChainKey(network.id, 'x-chain'),
    C: primaryChainKey(network.id, 'c-chain'),
  }
  const shown: string[] = []
  let count = 0
  for (const [chainAlias, chain] of Object.entries(keys)) {
    await checkPrimaryTables(database, chain, findings)
    const odd = await readOddHistory(database, chain)
    shown.push(...odd.shown.map((each) => `${chainAlias}: ${each}`))
    count += odd.count
  }
  const checkpoints = await compareCheckpoints(database, keys, findings)
  const report = {
    findings,
    checkpoints: checkpoints.found,
    blocks: 0,
    utxos: 0,
    stakers: 0,
    values: 0,
    leftOut: checkpoints.leftOut,
    odd: { shown, count },
  }
  if (!withNode) return report
  const node = new PrimaryNodeReader(network.nodeUrl, network.prefix)
  const blocks =
    (await compareBlocks(database, node, 'P', keys.P, findings)) +
    (await compareBlocks(database, node, 'X', keys.X, findings))
  const state = await compareState(database, node, keys, findings)
  const metrics = await compareNetworkMetrics(database, node, network, findings)
  const leftOut = [...checkpoints.leftOut, ...state.leftOut, ...metrics.leftOut]
  return { ...report, blocks, ...state, values: metrics.values, leftOut }
}

/** Compares every stored block and transaction with the node's bytes. */
async function compareBlocks(
  database: Database,
  node: PrimaryNodeReader,
  chainAlias: 'P' | 'X',
  chain: number,
  findings: Findings,
): Promise<number> {
  const [top] = await database<{ height: bigint | null }[]>`
    select max(height) as height from primary_blocks where chain = ${chain}`
  const head = Number(top?.height ?? -1n)
  for (let from = 0; from <= head; from += together) {
    const heights = Array.from({ length: Math.min(together, head - from + 1) }, (_, offset) => from + offset)
    const [rows, transactions, blocks] = await Promise.all([
      database<{ height: bigint; id: Buffer; size: number; type: number }[]>`
        select height, id, size, type from primary_blocks
        where chain = ${chain} and height between ${from} and ${from + together - 1} order by height`,
      database<{ height: bigint; id: Buffer; bytes: Buffer }[]>`
        select height, id, bytes from primary_transactions
        where chain = ${chain} and height between ${Math.max(1, from)} and ${from + together - 1} order by height, index`,
      Promise.all(heights.map((height) => node.block(chainAlias, height))),
    ])
    for (const [offset, { bytes, id }] of blocks.entries()) {
      const height = from + offset
      const row = rows[offset]
      const where = `${chainAlias} block ${height}`
      if (!row || Number(row.height) !== height || !row.id.equals(id)) {
        findings.add('I5', `${where} is not the node's`)
        continue
      }
      if (row.size !== bytes.length || row.type !== bytes.readUInt32BE(2))
        findings.add('I5', `${where} differs`)
      let at = 0
      for (const each of transactions.filter((other) => Number(other.height) === height)) {
        at = bytes.indexOf(each.bytes, at)
        const signed = createHash('sha256').update(Buffer.alloc(2)).update(each.bytes).digest()
        if (at < 0 || !signed.equals(each.id)) {
          findings.add('I5', `${where} does not hold the transaction ${cb58(each.id)}`)
          break
        }
        at += each.bytes.length
      }
    }
  }
  return head + 1
}

type Keys = Readonly<Record<ChainAlias, number>>
type Heights = Readonly<Record<ChainAlias, number>>
type StateReport = { utxos: number; stakers: number; leftOut: readonly string[] }

/**
 * Compares the current state of the chains. This requires that store and node are at the same heights before
 * and after: on P and X for everything, on C for its exports to them. If this does not happen within some
 * seconds, for example while a chain catches up, the comparison is omitted.
 */
async function compareState(
  database: Database,
  node: PrimaryNodeReader,
  keys: Keys,
  findings: Findings,
): Promise<StateReport> {
  let best: { report: StateReport; found: Findings } | undefined
  let why: readonly string[] = []
  for (let attempt = 0; attempt < tries; attempt += 1) {
    if (attempt > 0) await delay(pause)
    const before = await node.heights()
    const found = new Findings()
    const look = await database.begin('isolation level repeatable read read only', async (sql) => {
      const store = sql as unknown as Database
      const stored = await storedHeights(store, keys)
      if (stored.P !== before.P || stored.X !== before.X) return { stored }
      const withC = stored.C === before.C && attempt < triesWithC
      const utxos = await compareUtxos(store, node, keys, found, withC)
      const stakers = await compareStakers(store, node, keys.P, found)
      return { stored, withC, compared: { utxos, stakers } }
    })
    const { stored, withC, compared } = look
    const after = await node.heights()
    const isStill = (chainAlias: ChainAlias): boolean =>
      stored[chainAlias] === before[chainAlias] && before[chainAlias] === after[chainAlias]
    if (!isStill('P') || !isStill('X') || !compared) {
      why = (['P', 'X'] as const)
        .filter((chainAlias) => !isStill(chainAlias))
        .map((chainAlias) => `UTXOs, validators and supply: ${standing(chainAlias, stored, after)}`)
      continue
    }
    if (withC) {
      if (isStill('C')) return take({ ...compared, leftOut: [] }, found)
      continue
    }
    best = {
      report: { ...compared, leftOut: [`UTXOs that C has sent: ${standing('C', stored, after)}`] },
      found,
    }
    if (stored.C < 0) break
  }
  return best ? take(best.report, best.found) : { utxos: 0, stakers: 0, leftOut: why }

  function take(report: StateReport, found: Findings): StateReport {
    for (const problem of found.problems('I6')) findings.add('I6', problem)
    return report
  }
}

async function storedHeights(database: Database, keys: Keys): Promise<Heights> {
  const rows = await database<{ chain: number; height: bigint }[]>`
    select chain, max(height) as height from primary_blocks where chain in (${keys.P}, ${keys.X}, ${keys.C})
    group by chain`
  const heights = new Map(rows.map(({ chain, height }) => [chain, Number(height)]))
  return {
    P: heights.get(keys.P) ?? -1,
    X: heights.get(keys.X) ?? -1,
    C: heights.get(keys.C) ?? -1,
  }
}

function standing(chainAlias: ChainAlias, stored: Heights, node: Heights): string {
  if (stored[chainAlias] < 0) return `the ${chainAlias}-Chain is not indexed`
  if (stored[chainAlias] < node[chainAlias])
    return `the ${chainAlias}-Chain is indexed to block ${stored[chainAlias]} of ${node[chainAlias]}`
  return `the ${chainAlias}-Chain moved on at every look`
}

async function compareUtxos(
  database: Database,
  node: PrimaryNodeReader,
  keys: Keys,
  findings: Findings,
  withC: boolean,
): Promise<number> {
  const owners = await database<{ owner: Buffer }[]>`
    select owner from utxos where owner is not null and home in (${keys.P}, ${keys.X})
    union select address from utxo_co_owners where home in (${keys.P}, ${keys.X})`
  const places = [
    ['P', keys.P, undefined, keys.P],
    ['P', keys.P, 'X', keys.X],
    ['P', keys.P, 'C', keys.C],
    ['X', keys.X, undefined, keys.X],
    ['X', keys.X, 'P', keys.P],
    ['X', keys.X, 'C', keys.C],
  ] as const
  let compared = 0
  for (const [chainAlias, home, source, chain] of places) {
    if (source === 'C' && !withC) continue
    const theirs = new Set<string>()
    for (let from = 0; from < owners.length; from += addressesAtOnce) {
      const some = owners.slice(from, from + addressesAtOnce).map(({ owner }) => owner)
      for (const id of await node.utxoIds(chainAlias, some, source)) theirs.add(id)
    }
    const rows = await database<{ id: string }[]>`
      select encode(utxo_id, 'hex') as id from utxos u
      where home = ${home} and chain = ${chain} and spent_height is null and owner is not null
        and (staked_until is null or exists (
          select from stakers s where s.tx_id = u.tx_id and s.ended_ts is not null))`
    const ours = new Set(rows.map(({ id }) => id))
    const where = source === undefined ? chainAlias : `${chainAlias}, sent by ${source}`
    for (const id of ours) if (!theirs.has(id)) findings.add('I6', `${where}: the node has no UTXO ${id}`)
    for (const id of theirs) if (!ours.has(id)) findings.add('I6', `${where}: the store has no UTXO ${id}`)
    compared += theirs.size
  }
  return compared
}

type StakerRow = {
  tx_id: Buffer
  weight: string
  start_ts: bigint
  end_ts: bigint
  potential_reward: string | null
}

async function compareStakers(
  database: Database,
  node: PrimaryNodeReader,
  chain: number,
  findings: Findings,
): Promise<number> {
  const [block] = await database<{ supply: string; accrued_fees: string; ts: bigint }[]>`
    select supply, accrued_fees, ts from primary_blocks where chain = ${chain} order by height desc limit 1`
  const supply = await node.supply(Buffer.alloc(32))
  if (block?.supply !== supply.toString()) findings.add('I6', `the supply is ${block?.supply}, not ${supply}`)
  const rows = await database<StakerRow[]>`
    select tx_id, weight, start_ts, end_ts, potential_reward from stakers
    where chain = ${chain} and not is_delegator and subnet = ${Buffer.alloc(32)} and ended_ts is null
      and start_ts <= ${block?.ts ?? 0n}`
  const ours = new Map(rows.map((row) => [row.tx_id.toString('hex'), row]))
  const theirs = await node.validators()
  for (const { txId, weight, start, end, reward } of theirs) {
    const row = ours.get(txId.toString('hex'))
    const same =
      row?.weight === weight.toString() &&
      Number(row.start_ts) === start &&
      Number(row.end_ts) === end &&
      BigInt(row.potential_reward ?? 0) === reward
    if (!same) findings.add('I6', `the validation ${cb58(txId)} is not the node's`)
  }
  if (theirs.length !== ours.size)
    findings.add('I6', `${ours.size} validators, and the node has ${theirs.length}`)
  const l1 = await database<{ validation_id: Buffer; weight: string; end_fee: string | null }[]>`
    select validation_id, weight, end_fee from l1_validators where chain = ${chain}`
  for (const { validation_id: id, weight, end_fee: endFee } of l1) {
    const balance = endFee === null ? 0n : BigInt(endFee) - BigInt(block?.accrued_fees ?? 0)
    const told = (await node.l1Validator(id)) ?? { weight: 0n, balance: 0n }
    if (told.weight.toString() !== weight || told.balance !== balance) {
      findings.add(
        'I6',
        `the L1 validator ${cb58(id)} has ${balance} nAVAX, and the node says ${told.balance}`,
      )
    }
  }
  await compareSets(database, node, chain, findings)
  return theirs.length + l1.length
}

/**
 * Compares the validator set of every subnet at the store's head: the weight of each node, delegations included. The
 * weights of inactive L1 validators count for no node.
 */
async function compareSets(
  database: Database,
  node: PrimaryNodeReader,
  chain: number,
  findings: Findings,
): Promise<void> {
  const rows = await database<{ height: bigint; subnet: Buffer; node: Buffer; weight: string }[]>`
    with head as (
      select height, ts from primary_blocks where chain = ${chain} order by height desc limit 1
    ), members as (
      select subnet, node, weight from stakers, head
      where chain = ${chain} and ended_ts is null and start_ts <= head.ts
      union all
      select subnet, case when end_fee is null then ${Buffer.alloc(20)} else node end, weight from l1_validators
      where chain = ${chain} and weight > 0
    )
    select height, subnet, node, sum(weight)::text as weight from head, members group by height, subnet, node`
  const height = Number(rows[0]?.height ?? 0)
  const sets = new Map([[primaryChainIds.p as string, new Map<string, string>()]])
  for (const row of rows) {
    const subnet = cb58(row.subnet)
    const set = sets.get(subnet) ?? new Map<string, string>()
    sets.set(subnet, set.set(nodeIdText(row.node), row.weight))
  }
  for (const [subnet, ours] of sets) {
    const theirs = await node.validatorWeights(height, subnet)
    const isSame = theirs.size === ours.size && [...ours].every(([id, weight]) => theirs.get(id) === weight)
    if (!isSame) findings.add('I6', `the validator set of ${subnet} is not the node's`)
  }
}
