import * as z from 'zod/mini'
import { blockRange, chainId, evmAddress, evmHash, networkName, timeWindow } from '../base/fields.ts'
import { operationsOf } from '../base/operation.ts'
import { nodeIds, walletAddresses } from '../primary/fields.ts'
import { csvType, parquetType } from './sql.ts'

const operation = operationsOf('SQL')

/** The tables that can be exported, as docs/sql.md describes them. */
export const exportTables = [
  'blocks',
  'transactions',
  'logs',
  'token_transfers',
  'calls',
  'contracts',
] as const
export type ExportTable = (typeof exportTables)[number]

const exportFormats = ['csv', 'jsonl', 'parquet'] as const
export type ExportFormat = (typeof exportFormats)[number]

export const exportTypes = {
  csv: csvType,
  jsonl: 'application/jsonl',
  parquet: parquetType,
} as const satisfies Record<ExportFormat, string>

/** The kinds of tokens whose transfers are known. */
const transferKinds = ['ERC-20', 'ERC-721', 'ERC-1155'] as const

/** The header with the block as of which an export was made; a continued export sends it as `snapshot`. */
export const snapshotHeader = 'x-export-snapshot'

/** The filters of each table besides the range of blocks; any other filter is a 400. */
export const exportFilters = {
  blocks: [],
  transactions: ['address'],
  logs: ['address', 'topic0'],
  token_transfers: ['address', 'token', 'ercType'],
  calls: ['address'],
  contracts: ['address'],
} as const satisfies Record<ExportTable, readonly ExportFilter[]>
export type ExportFilter = 'address' | 'token' | 'ercType' | 'topic0'

/** The columns that order a table's rows and identify each: `after` has their values. */
export const exportKeys = {
  blocks: ['number'],
  transactions: ['number', 'index'],
  logs: ['number', 'index'],
  token_transfers: ['number', 'log_index', 'position'],
  calls: ['number', 'tx_index', 'ordinal'],
  contracts: ['number', 'tx_index', 'ordinal'],
} as const satisfies Record<ExportTable, readonly string[]>

/** Only in Ridgeline: `/v1/exports/{table}`, all rows of a table of an EVM chain as one file (docs/exports.md). */
export const exportTable = operation({
  id: 'exportTable',
  path: '/v1/exports/{table}',
  summary: 'Export all rows of a table as CSV, JSON lines or Parquet',
  description:
    'Rows are sent in the order of their key, as of one block, which the header x-export-snapshot names. An interrupted export of CSV or JSON lines continues with `after`, the key of the last row received, and `snapshot`.',
  params: z.object({ table: z.enum(exportTables) }),
  query: z.object({
    chainId,
    format: z._default(z.enum(exportFormats), 'csv'),
    ...blockRange,
    ...timeWindow,
    address: z
      .optional(evmAddress)
      .with(
        z.describe(
          'Transactions, transfers and calls from or to it, logs that it emitted, contracts that it deployed',
        ),
      ),
    token: z.optional(evmAddress).with(z.describe('Transfers of this token')),
    ercType: z.optional(z.enum(transferKinds)).with(z.describe('Transfers of this kind of token')),
    topic0: z.optional(evmHash).with(z.describe('Logs of this event')),
    after: z
      .optional(
        z
          .string()
          .check(z.regex(/^\d{1,15}(,-?\d{1,9}){0,2}$/, 'must be the key of a row: integers with commas')),
      )
      .with(
        z.describe('Rows after the one with this key, without a heading: the values of the key with commas'),
      ),
    snapshot: z
      .optional(
        z.string().check(z.regex(/^\d{1,15}-0x[0-9a-f]{64}$/, 'must be a height, - and a block hash')),
      )
      .with(
        z.describe(
          'The block as of which the export began, from the header x-export-snapshot; a 409 if a reorganisation replaced it',
        ),
      ),
  }),
  response: z.unknown(),
  mediaTypes: Object.values(exportTypes),
})

/** The tables of the primary network that can be exported, as docs/sql.md describes them. */
export const primaryExportTables = [
  'p_blocks',
  'p_transactions',
  'p_utxos',
  'stakers',
  'rewards',
  'x_blocks',
  'x_transactions',
  'x_utxos',
  'x_assets',
] as const
export type PrimaryExportTable = (typeof primaryExportTables)[number]

/** Like `exportFilters`. */
export const primaryExportFilters = {
  p_blocks: ['nodeIds'],
  p_transactions: ['addresses'],
  p_utxos: ['addresses'],
  stakers: ['addresses', 'nodeIds'],
  rewards: ['addresses', 'nodeIds'],
  x_blocks: ['nodeIds'],
  x_transactions: ['addresses'],
  x_utxos: ['addresses'],
  x_assets: [],
} as const satisfies Record<PrimaryExportTable, readonly PrimaryExportFilter[]>
export type PrimaryExportFilter = 'addresses' | 'nodeIds'

/** Like `exportKeys`. */
export const primaryExportKeys = {
  p_blocks: ['height'],
  p_transactions: ['height', 'index'],
  p_utxos: ['height', 'tx_index', 'output_index'],
  stakers: ['height', 'index'],
  rewards: ['height', 'index', 'ordinal'],
  x_blocks: ['height'],
  x_transactions: ['height', 'index'],
  x_utxos: ['height', 'tx_index', 'output_index'],
  x_assets: ['height', 'index'],
} as const satisfies Record<PrimaryExportTable, readonly string[]>

/** Only in Ridgeline: `exportTable` for the P- and the X-Chain (docs/exports.md). */
export const exportPrimaryTable = operation({
  id: 'exportPrimaryTable',
  path: '/v1/networks/{network}/exports/{table}',
  summary: 'Export all rows of a table of the P- or X-Chain as CSV, JSON lines or Parquet',
  description:
    'Like /v1/exports/{table}. Rows are those up to the newest block of the chain when the export began; whether a UTXO is spent and how a staking ended is as of the moment at which the row is read.',
  params: z.object({ network: networkName, table: z.enum(primaryExportTables) }),
  query: z.object({
    format: z._default(z.enum(exportFormats), 'csv'),
    ...blockRange,
    ...timeWindow,
    addresses: z
      .optional(walletAddresses)
      .with(
        z.describe(
          'Transactions of these addresses, comma separated, UTXOs that they own, stakes and rewards that are paid to them',
        ),
      ),
    nodeIds: z
      .optional(nodeIds)
      .with(z.describe('Blocks that these nodes proposed, comma separated, their stakes and rewards')),
    after: z
      .optional(
        z
          .string()
          .check(z.regex(/^-?\d{1,15}(,-?\d{1,9}){0,2}$/, 'must be the key of a row: integers with commas')),
      )
      .with(
        z.describe('Rows after the one with this key, without a heading: the values of the key with commas'),
      ),
    snapshot: z
      .optional(
        z
          .string()
          .check(z.regex(/^\d{1,15}-[1-9A-HJ-NP-Za-km-z]{40,60}$/, 'must be a height, - and a block ID')),
      )
      .with(z.describe('The block as of which the export began, from the header x-export-snapshot')),
  }),
  response: z.unknown(),
  mediaTypes: Object.values(exportTypes),
})
