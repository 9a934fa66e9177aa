import { bytesList } from '../../store/read-primary.ts'
import type { Database } from '../../store/database.ts'
import { copyRows } from '../evm/copy.ts'
import { FatalError } from '../errors.ts'
import type { L1Validator, Place, Spend, Staker, Subnet, UtxoRow } from './model.ts'
import { addPendingImports, lockImports, type PendingImport, takePendingImports } from './pending-imports.ts'
import { bytesOfKey, type Cell, copyLine, keyOf } from './rows.ts'

/** A transaction of the batch, with the addresses that it concerns. */
export type TxRecord = Place & { readonly typeId: number; readonly addresses: Set<string> }

/** A UTXO from before the batch that a transaction of it spends. */
type OldSpend = {
  readonly utxoId: Uint8Array
  readonly spend: Spend
  readonly record: TxRecord | undefined
  readonly missing: Missing | undefined
}

/**
 * What is done about a UTXO that the store lacks: it waits for the chain that exports it, or a function
 * makes its row, already spent. A UTXO of which nothing is said has to be there.
 */
export type Missing = Exported | (() => UtxoRow | undefined)

/** The key of the chain that exports what another one imports. */
export type Exported = { readonly exportedBy: number }

/** Columns of the tables that rows are only added to. */
const columns = {
  primary_blocks:
    'chain, height, ts, id, parent_id, type, size, tx_count, supply, accrued_fees, active_l1_validators, l1_excess, proposer_id, proposer_parent_id, proposer_node, proposer_p_height, proposer_ts',
  primary_transactions: 'chain, height, index, ts, id, type, bytes, utxo_count',
  primary_address_transactions: 'address, chain, height, index, type, ts',
  utxos:
    'chain, height, tx_index, output_index, ts, tx_id, utxo_id, home, asset, amount, type, threshold, locktime, stakeable_locktime, owner, owners, group_id, payload, staked_from, staked_until, reward_type, spent_chain, spent_height, spent_index, spent_input, spent_ts, spent_tx',
  utxo_co_owners: 'address, home, chain, height, tx_index, output_index',
  stakers:
    'chain, height, index, tx_id, is_delegator, subnet, node, weight, start_ts, end_ts, shares, bls_key, bls_proof, validator_tx, reward_addresses, delegation_reward_addresses, potential_reward, delegator_count, delegated, ended_height, ended_index, ended_ts, ended_tx, outcome, reward, delegation_reward',
  rewards:
    'chain, height, index, ordinal, ts, staking_tx, node, type, amount, output_index, utxo_id, addresses',
  reward_owners: 'address, chain, height, index, ordinal',
  subnets:
    'chain, height, index, ts, subnet, owner_threshold, owner_locktime, owner_addresses, transform_tx, staking_asset, supply, conversion_tx, conversion_ts, manager_chain, manager_address',
  blockchains: 'chain, height, index, ts, blockchain_id, subnet, vm, name, genesis, evm_chain_id',
  l1_validators:
    'chain, height, index, ordinal, ts, validation_id, tx_id, subnet, node, bls_key, remaining_owner_threshold, remaining_owner_addresses, deactivation_owner_threshold, deactivation_owner_addresses, weight, min_nonce, end_fee, removed_ts',
  l1_validator_changes:
    'validation_id, chain, height, index, ts, tx_id, type, weight, balance_change, balance, end_fee',
  assets: 'chain, height, index, ts, asset, name, symbol, denomination, is_nft, is_variable',
  vertices: 'chain, index, ts, id, height, parents, transactions, size, is_stop',
} as const

export type BatchTable = keyof typeof columns

const tables = Object.keys(columns) as BatchTable[]

/**
 * The rows of some consecutive blocks of one chain, written in one transaction. A UTXO that is made and
 * spent in the batch is written once.
 */
export class Batch {
  private readonly chain: number
  private readonly lines = new Map<BatchTable, string[]>()
  private readonly created = new Map<string, UtxoRow>()
  private readonly others: UtxoRow[] = []
  private readonly spends: OldSpend[] = []
  private readonly records: TxRecord[] = []
  private readonly newStakers = new Set<Staker>()
  private readonly stakers = new Set<Staker>()
  private readonly newSubnets = new Set<Subnet>()
  private readonly subnets = new Set<Subnet>()
  private readonly newL1 = new Set<L1Validator>()
  private readonly l1 = new Set<L1Validator>()

  constructor(chain: number) {
    this.chain = chain
  }

  /** Adds a row to a table, its cells in the order of the columns. */
  add(
    table: Exclude<BatchTable, 'utxos' | 'stakers' | 'subnets' | 'l1_validators'>,
    cells: readonly Cell[],
  ): void {
    const lines = this.lines.get(table)
    if (lines) lines.push(copyLine(cells))
    else this.lines.set(table, [copyLine(cells)])
  }

  /** Adds a transaction's row; its addresses are written once they are all known. */
  transaction(
    place: Place,
    tx: { readonly id: Uint8Array; readonly typeId: number; readonly bytes: Uint8Array },
    utxoCount: number,
  ): void {
    const { height, index, ts } = place
    this.add('primary_transactions', [this.chain, height, index, ts, tx.id, tx.typeId, tx.bytes, utxoCount])
  }

  /** Begins the list of addresses that a transaction concerns. */
  record(place: Place, typeId: number): TxRecord {
    const record = {
      height: place.height,
      index: place.index,
      ts: place.ts,
      typeId,
      addresses: new Set<string>(),
    }
    this.records.push(record)
    return record
  }

  /** Adds a UTXO; its owners become addresses of the record. */
  create(row: UtxoRow, record: TxRecord | undefined): void {
    if (row.home === this.chain) this.created.set(keyOf(row.utxoId), row)
    else this.others.push(row)
    for (const owner of row.owners) record?.addresses.add(keyOf(owner))
  }

  /** Spends a UTXO of this chain; its owners become addresses of the record. */
  spend(utxoId: Uint8Array, spend: Spend, record: TxRecord | undefined, missing?: Missing): void {
    const row = this.created.get(keyOf(utxoId))
    if (!row) {
      this.spends.push({ utxoId, spend, record, missing })
      return
    }
    if (row.spent)
      throw new FatalError(`UTXO ${keyOf(utxoId)} is spent twice: the node's blocks contradict each other`)
    row.spent = spend
    for (const owner of row.owners) record?.addresses.add(keyOf(owner))
  }

  /** A staker that is new, or whose row changed. */
  staker(staker: Staker, isNew = false): void {
    this.stakers.add(staker)
    if (isNew) this.newStakers.add(staker)
  }

  subnet(subnet: Subnet, isNew = false): void {
    this.subnets.add(subnet)
    if (isNew) this.newSubnets.add(subnet)
  }

  l1Validator(validator: L1Validator, isNew = false): void {
    this.l1.add(validator)
    if (isNew) this.newL1.add(validator)
  }

  /** Writes everything, inside the caller's transaction. Throws FatalError when a UTXO is not there. */
  async write(sql: Database): Promise<void> {
    const imports = this.spends.some(({ missing }) => typeof missing === 'object') ? [this.chain] : []
    await lockImports(sql, [...imports, ...this.others.map(({ home }) => home)])
    await this.writeSpends(sql)
    await takePendingImports(
      sql,
      this.others.filter(({ spent }) => !spent),
    )
    await this.dropChanged(sql)
    const { chain } = this
    for (const { height, index, ts, typeId, addresses } of this.records) {
      for (const address of addresses) {
        this.add('primary_address_transactions', [bytesOfKey(address), chain, height, index, typeId, ts])
      }
    }
    const utxos = [...this.created.values(), ...this.others]
    for (const row of utxos) {
      for (const owner of new Set(row.owners.slice(1).map(keyOf))) {
        if (owner === keyOf(row.owners[0] ?? new Uint8Array())) continue
        const { home, height, index, outputIndex } = row
        this.add('utxo_co_owners', [bytesOfKey(owner), home, row.chain, height, index, outputIndex])
      }
    }
    for (const table of tables) {
      const lines =
        table === 'utxos'
          ? utxos.map(utxoLine)
          : table === 'stakers'
            ? [...this.stakers].map((each) => stakerLine(chain, each))
            : table === 'subnets'
              ? [...this.subnets].map((each) => subnetLine(chain, each))
              : table === 'l1_validators'
                ? [...this.l1].map((each) => l1Line(chain, each))
                : (this.lines.get(table) ?? [])
      if (lines.length > 0) await copyRows(sql, table, columns[table], [Buffer.from(lines.join(''))])
    }
  }

  /** Marks older UTXOs as spent and learns whose they were. */
  private async writeSpends(sql: Database): Promise<void> {
    if (this.spends.length === 0) return
    await sql`
      create temporary table if not exists primary_spends (
        utxo_id bytea, place integer, height bigint, index integer, input integer, ts bigint, tx bytea
      ) on commit delete rows`
    const lines = this.spends.map(({ utxoId, spend }, place) =>
      copyLine([utxoId, place, spend.height, spend.index, spend.input, spend.ts, spend.txId]),
    )
    await copyRows(sql, 'primary_spends', 'utxo_id, place, height, index, input, ts, tx', [
      Buffer.from(lines.join('')),
    ])
    // The planner knows nothing of a table that was just filled: it must seek, however few or many there are.
    await sql`set local enable_hashjoin = off`
    await sql`set local enable_mergejoin = off`
    await sql`set local enable_seqscan = off`
    const rows = await sql<{ place: number; owner: Buffer | null; owners: string | null }[]>`
      update utxos u set spent_chain = ${this.chain}, spent_height = s.height, spent_index = s.index,
        spent_input = s.input, spent_ts = s.ts, spent_tx = s.tx
      from primary_spends s
      where u.home = ${this.chain} and u.utxo_id = s.utxo_id and u.spent_height is null
      returning s.place, u.owner, u.owners::text as owners`
    await sql`set local enable_hashjoin = on`
    await sql`set local enable_mergejoin = on`
    await sql`set local enable_seqscan = on`
    const found = new Set<number>()
    for (const { place, owner, owners } of rows) {
      found.add(place)
      const addresses = this.spends[place]?.record?.addresses
      for (const each of owners ? keysOfList(owners) : owner ? [keyOf(owner)] : []) addresses?.add(each)
    }
    const pending: PendingImport[] = []
    for (const [place, { utxoId, spend, record, missing }] of this.spends.entries()) {
      if (found.has(place)) continue
      if (typeof missing === 'object' && record) {
        pending.push({ utxoId, source: missing.exportedBy, typeId: record.typeId, spend })
        continue
      }
      const row = typeof missing === 'function' ? missing() : undefined
      if (!row) {
        throw new FatalError(
          `UTXO ${keyOf(utxoId)} is spent at height ${spend.height} and is not in the store`,
        )
      }
      this.create(row, record)
    }
    await addPendingImports(sql, this.chain, pending)
  }

  /** Rows of these tables are replaced whole where they changed. */
  private async dropChanged(sql: Database): Promise<void> {
    const stakers = [...this.stakers]
      .filter((each) => !this.newStakers.has(each))
      .map(({ txId }) => bytesOfKey(txId))
    const subnets = [...this.subnets]
      .filter((each) => !this.newSubnets.has(each))
      .map(({ subnet }) => bytesOfKey(subnet))
    const l1 = [...this.l1]
      .filter((each) => !this.newL1.has(each))
      .map(({ validationId }) => bytesOfKey(validationId))
    if (stakers.length > 0)
      await sql`delete from stakers where tx_id = any(${bytesList(stakers)}::text::bytea[])`
    if (subnets.length > 0) {
      await sql`delete from subnets where chain = ${this.chain} and subnet = any(${bytesList(subnets)}::text::bytea[])`
    }
    if (l1.length > 0)
      await sql`delete from l1_validators where validation_id = any(${bytesList(l1)}::text::bytea[])`
  }
}

/** The keys in a list of bytes as PostgreSQL writes it. */
export function keysOfList(text: string): string[] {
  return text.match(/[0-9a-f]{2,}/g) ?? []
}

function utxoLine(row: UtxoRow): string {
  const { spent } = row
  return copyLine([
    row.chain,
    row.height,
    row.index,
    row.outputIndex,
    row.ts,
    row.txId,
    row.utxoId,
    row.home,
    row.assetId,
    row.amount,
    row.type,
    row.threshold,
    row.locktime,
    row.stakeableLocktime,
    row.owners[0],
    row.owners.length > 1 ? row.owners : null,
    row.groupId,
    row.payload,
    row.stakedFrom,
    row.stakedUntil,
    row.rewardType,
    spent?.chain,
    spent?.height,
    spent?.index,
    spent?.input,
    spent?.ts,
    spent?.txId,
  ])
}

function stakerLine(chain: number, row: Staker): string {
  return copyLine([
    chain,
    row.height,
    row.index,
    bytesOfKey(row.txId),
    row.isDelegator,
    bytesOfKey(row.subnet),
    bytesOfKey(row.node),
    row.weight,
    row.start,
    row.end,
    row.shares,
    row.blsKey,
    row.blsProof,
    row.validatorTx === undefined ? null : bytesOfKey(row.validatorTx),
    row.rewardAddresses,
    row.delegationRewardAddresses,
    row.potentialReward,
    row.delegatorCount,
    row.delegated,
    row.ended?.height,
    row.ended?.hasIndex ? row.ended.index : null,
    row.ended?.ts,
    row.ended?.txId,
    row.outcome,
    row.reward,
    row.delegationReward,
  ])
}

function subnetLine(chain: number, row: Subnet): string {
  const { owner, elastic, conversion } = row
  return copyLine([
    chain,
    row.height,
    row.index,
    row.ts,
    bytesOfKey(row.subnet),
    owner?.threshold,
    owner?.locktime,
    owner?.addresses,
    elastic?.transformTx,
    elastic?.assetId,
    elastic?.supply,
    conversion?.txId,
    conversion?.ts,
    conversion?.chain,
    conversion?.address,
  ])
}

function l1Line(chain: number, row: L1Validator): string {
  return copyLine([
    chain,
    row.height,
    row.index,
    row.ordinal,
    row.ts,
    bytesOfKey(row.validationId),
    row.txId,
    bytesOfKey(row.subnet),
    row.node,
    row.blsKey,
    row.remainingOwner.threshold,
    row.remainingOwner.addresses,
    row.deactivationOwner.threshold,
    row.deactivationOwner.addresses,
    row.weight,
    row.minNonce,
    row.endFee,
    row.removedTs,
  ])
}
