import {
  exportFilters,
  exportKeys,
  type ExportFilter,
  type ExportFormat,
  type ExportTable,
} from '../../contract/sql/exports.ts'
import { badRequest } from '../kernel/http-errors.ts'
import { literal } from '../lake/literal.ts'
import { transferLogs } from '../store/evm/transfer-logs.ts'
import type { ExportJob } from './messages.ts'
import { sharedColumns } from './tables.ts'

/** The filters of an export, as the contract has checked them. */
export type ExportFilters = { readonly [Name in ExportFilter]?: string | undefined }

/**
 * A filter as a condition of the engine, which decides, and as one for the store's index, which may let more rows
 * through; without the latter, the store reads all rows of the range.
 */
type Filter = { readonly exact: string; readonly indexed?: string }

const bytes = (hex: string): string => String.raw`'\x${hex.slice(2)}'`
/** A topic or an address as a topic: 32 bytes. */
const topic = (address: string): string => bytes(`0x${address.slice(2).padStart(64, '0')}`)
const either = (columns: readonly string[], value: string): string =>
  `(${columns.map((column) => `${column} = ${value}`).join(' or ')})`

const kinds: Readonly<Record<string, { number: number; logs: string }>> = {
  'ERC-20': { number: 20, logs: transferLogs['ERC-20'] },
  'ERC-721': { number: 721, logs: `${transferLogs['ERC-721']} or ${transferLogs.ranges}` },
  'ERC-1155': { number: 1155, logs: transferLogs['ERC-1155'] },
}

function filterOf(table: ExportTable, name: ExportFilter, value: string): Filter {
  const text = literal(value)
  const parties = either(['sender', 'recipient'], text)
  switch (name) {
    case 'topic0':
      return { exact: `topic0 = ${text}`, indexed: `t.topic0 = ${bytes(value)}` }
    case 'token':
      return { exact: `token = ${text}`, indexed: `t.address = ${bytes(value)}` }
    case 'ercType': {
      const kind = kinds[value]
      return { exact: `kind = ${kind?.number ?? 0}`, ...(kind && { indexed: `(${kind.logs})` }) }
    }
    case 'address':
      switch (table) {
        case 'transactions':
          return {
            exact: either(['sender', 'coalesce(recipient, created)'], text),
            indexed: either(['t.sender', 'coalesce(t.recipient, t.created)'], bytes(value)),
          }
        case 'logs':
          return { exact: `address = ${text}`, indexed: `t.address = ${bytes(value)}` }
        case 'token_transfers':
          return { exact: parties, indexed: either(['t.topic1', 't.topic2', 't.topic3'], topic(value)) }
        case 'contracts':
          return { exact: `deployer = ${text}`, indexed: `t.deployer = ${bytes(value)}` }
        case 'calls':
          return { exact: parties, indexed: either(['t.sender', 't.recipient'], bytes(value)) }
        case 'blocks':
          throw new TypeError('blocks have no filter')
      }
  }
}

/** The filters that are given. Throws a 400 for one that the table does not have. */
export function givenFilters<Name extends string, Value>(
  table: string,
  allowed: readonly Name[],
  filters: { readonly [Key in Name]?: Value | undefined },
): (readonly [Name, Value])[] {
  const given = (Object.entries(filters) as [Name, Value | undefined][]).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  const refused = given.filter(([name]) => !allowed.includes(name))
  if (refused.length > 0) throw badRequest(refused.map(([name]) => `${name}: ${table} have no such filter`))
  return given
}

/** The values of a key. Throws a 400 unless there are as many as the table's key has columns. */
export function keyValues(keys: readonly string[], after: string): number[] {
  const values = after.split(',').map(Number)
  if (values.length !== keys.length) throw badRequest(`after: must be ${keys.join(',')}`)
  return values
}

/** The conditions of an export besides its heights. Throws a 400 for a filter that the table does not have. */
export function conditionsOf(
  table: ExportTable,
  filters: ExportFilters,
  after: string | undefined,
): { readonly exact: string; readonly indexed: string } {
  const found = givenFilters(table, exportFilters[table], filters).map(([name, value]) =>
    filterOf(table, name, name === 'ercType' ? value : value.toLowerCase()),
  )
  const exact = [
    ...found.map((filter) => filter.exact),
    ...(after === undefined ? [] : [afterCondition(table, after)]),
  ]
  return {
    exact: exact.join(' and ') || 'true',
    indexed: found.flatMap(({ indexed }) => indexed ?? []).join(' and ') || 'true',
  }
}

/** Selects the rows whose key is above the given one. Throws a 400 if it is not a key of the table. */
function afterCondition(table: ExportTable, after: string): string {
  const keys: readonly string[] = exportKeys[table]
  const values = keyValues(keys, after)
  return keys.reduceRight((rest, key, place) => {
    const above = `"${key}" > ${values[place]}`
    return rest === '' ? above : `(${above} or ("${key}" = ${values[place]} and ${rest}))`
  }, '')
}

/**
 * The columns of an export: those of the table in docs/sql.md, with every amount as text of all its digits. JSON has
 * other integers of 64 bits as text, too, because most readers make a double of a number.
 */
export function exportColumns(table: ExportTable, format: ExportFormat, chain: number): ExportJob['columns'] {
  const time = 'make_timestamp("ts" * 1000000)'
  const columns = sharedColumns(table).flatMap(({ name, kind }) => {
    const plain = { name, expression: `"${name}"` }
    if (kind === 'seconds') {
      const expression = format === 'parquet' ? time : `strftime(${time}, '%Y-%m-%dT%H:%M:%SZ')`
      return [{ name: 'time', expression }, plain]
    }
    return [kind === 'word' && format === 'jsonl' ? { name, expression: `"${name}"::varchar` } : plain]
  })
  return [{ name: 'chain', expression: `${chain}::bigint` }, ...columns]
}

/** The columns of the lines that the store's rows are handed over in. */
export const storedColumns = (table: ExportTable): ExportJob['stored'] => [
  { name: 'chain', type: 'BIGINT' },
  ...sharedColumns(table).map(({ name, type }) => ({ name, type })),
]
