import { createHash } from 'node:crypto'
import type { Database } from '../store/database.ts'

/** The keys of fuji's chains in the store, and the network of the tests' service. */
export const fujiKeys = { p: 11, x: 12, c: 13 } as const
export const fujiNetwork = {
  id: 'fuji',
  name: 'Test network',
  networkId: 5,
  prefix: 'fuji',
  nodeUrl: 'http://127.0.0.1:9',
} as const

/** 32 bytes derived from a name. */
export const idBytes = (name: string): Buffer => createHash('sha256').update(name).digest()
/** 20 bytes derived from a name: an address or a node. */
export const shortBytes = (name: string): Buffer => idBytes(name).subarray(0, 20)
export const avax = idBytes('avax')
/** The primary network's subnet id. */
export const primarySubnet = Buffer.alloc(32)

type Value = string | number | bigint | boolean | null | Buffer | readonly Buffer[]
type Row = Readonly<Record<string, Value>>

/** The default values of rows. */
const defaults = {
  primary_chains: { state: 'live', avax_asset: avax, genesis_hash: idBytes('genesis') },
  primary_blocks: { size: 500, tx_count: 0 },
  primary_transactions: { utxo_count: 0, type: 34, bytes: Buffer.alloc(0) },
  primary_address_transactions: { type: 34 },
  utxos: {
    asset: avax,
    amount: '0',
    type: 7,
    threshold: 1,
    locktime: '0',
    stakeable_locktime: '0',
    tx_index: 0,
    output_index: 0,
  },
  utxo_co_owners: {},
  stakers: {
    is_delegator: false,
    subnet: primarySubnet,
    weight: '2000000000000',
    index: 0,
    reward_addresses: [],
    delegation_reward_addresses: [],
    delegator_count: 0,
    delegated: '0',
  },
  staking_cycles: { index: 0, delegation_reward: '0', restaked: '0', restaked_delegation: '0' },
  rewards: { type: 1, ordinal: 0, output_index: 1 },
  reward_owners: { ordinal: 0 },
  subnets: { index: 0 },
  blockchains: { index: 0, subnet: primarySubnet, vm: idBytes('vm'), genesis: Buffer.alloc(0) },
  l1_validators: {
    index: 0,
    ordinal: 0,
    bls_key: Buffer.alloc(48, 1),
    remaining_owner_threshold: 1,
    remaining_owner_addresses: [shortBytes('owner')],
    deactivation_owner_threshold: 1,
    deactivation_owner_addresses: [shortBytes('owner')],
    weight: '100',
  },
  l1_validator_changes: { index: 0, weight: '100', balance_change: '0', balance: '0' },
  uptime_samples: { uptime: 100, connected: true },
  odd_history: {},
  assets: { index: 0, denomination: 9, is_nft: false, is_variable: false },
  vertices: { size: 300, is_stop: false, parents: [], transactions: [] },
} as const satisfies Record<string, Row>

type PrimaryTable = keyof typeof defaults

/**
 * Inserts rows. Missing columns get default values; if the rows of a call have different columns, missing ones are
 * null.
 */
export async function insertPrimary(
  database: Database,
  table: PrimaryTable,
  rows: readonly Row[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += 5_000) {
    const full = rows.slice(from, from + 5_000).map((row) => ({ ...defaults[table], ...row }))
    const columns = [...new Set(full.flatMap((row) => Object.keys(row)))]
    const json = full.map((row) =>
      Object.fromEntries(columns.map((column) => [column, plain((row as Row)[column] ?? null)])),
    )
    // PostgreSQL reads each column's type from the table.
    await database.unsafe(
      `insert into ${table} (${columns.join(', ')})
       select ${columns.join(', ')} from json_populate_recordset(null::${table}, $1::text::json)`,
      [JSON.stringify(json)],
    )
  }
}

/** A value as PostgreSQL reads it from JSON: bytes are text that begins with `\x`. */
function plain(value: Value): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  return Array.isArray(value) ? value.map((item: Buffer) => plain(item)) : value
}

/** Inserts the status rows of fuji's P-, X- and C-Chain with these ids; `asset` is the id of AVAX. */
export async function insertFujiChains(
  database: Database,
  ids: readonly Buffer[],
  asset: Buffer = avax,
): Promise<void> {
  await insertPrimary(
    database,
    'primary_chains',
    ids.map((id, index) => ({ chain: fujiKeys.p + index, blockchain_id: id, avax_asset: asset })),
  )
}
