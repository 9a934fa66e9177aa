import * as z from 'zod/mini'
import { record } from '../base/fields.ts'
import { operationsOf } from '../base/operation.ts'

/** The forms of an answer. Arrow is a stream of its IPC format. */
const sqlFormats = ['json', 'csv', 'arrow', 'parquet'] as const
export type SqlFormat = (typeof sqlFormats)[number]

export const csvType = 'text/csv; charset=utf-8'
export const arrowType = 'application/vnd.apache.arrow.stream'
export const parquetType = 'application/vnd.apache.parquet'

/** The longest statement, in characters. */
export const sqlLength = 20_000

const operation = operationsOf('SQL')

/** A column of an answer: its name, and its type as DuckDB names it. */
const sqlColumn = record({ name: z.string(), type: z.string() })
export type SqlColumn = z.infer<typeof sqlColumn>

/**
 * A value of an answer: null, a boolean, a number for types of up to 32 bits and for floating point, text for all
 * others, so that no digit is lost. Lists and structs hold values.
 */
const sqlValue = z.unknown()

/** Tables that lack dropped rows (docs/operations.md, Keeping less). */
const notKept = z
  .optional(
    z.array(
      record({
        table: z.string(),
        chain: z.string(),
        from: z.int().with(z.describe('The first block whose rows are all there')),
      }),
    ),
  )
  .with(
    z.describe(
      'Tables of the statement without the rows of earlier blocks, which were dropped; absent if none is',
    ),
  )

/** The header that names them, too, because not every format can: `calls 43113 1200, logs 43113 1200`. */
export const notKeptHeader = 'x-sql-not-kept'

/**
 * Only in Ridgeline: one SELECT statement in DuckDB's SQL over the tables that `listSqlTables` describes (docs/sql.md).
 * Rows are sent while they are found. A statement that is refused or fails is a 400 with DuckDB's message, one that
 * exceeds a limit a 422.
 */
export const runSql = operation({
  id: 'runSql',
  method: 'POST',
  path: '/v1/sql',
  summary: 'Run a SELECT statement',
  body: z.strictObject({
    sql: z.string().check(z.minLength(1), z.maxLength(sqlLength)).with(z.describe('One SELECT statement')),
    format: z._default(z.enum(sqlFormats), 'json'),
    rowLimit: z
      .optional(z.int().check(z.gte(1), z.lte(1_000_000_000)))
      .with(z.describe('Row limit; default and maximum: the limit of the service')),
    timeLimit: z
      .optional(z.number().check(z.gte(0.1), z.lte(86_400)))
      .with(
        z.describe(
          'Seconds until the statement is cancelled; at most, and by default, the limit of the service',
        ),
      ),
  }),
  response: record({
    columns: z.array(sqlColumn),
    rows: z.array(z.array(sqlValue)),
    rowCount: z.int(),
    isTruncated: z
      .boolean()
      .with(z.describe('Whether rows are lacking: there are more than the limit, or the statement failed')),
    elapsedMilliseconds: z.number(),
    failure: z
      .optional(z.string())
      .with(z.describe('Why the statement ended after its first rows; without it, the answer is whole')),
    notKept,
  }),
  mediaTypes: [csvType, arrowType, parquetType],
})

/** Where the rows of a table come from. */
const sqlSource = record({
  chain: z.string().with(z.describe('The chain ID')),
  lakeFrom: z.optional(z.int()).with(z.describe('The first block in the files of the lake')),
  lakeTo: z.optional(z.int()).with(z.describe('The last block in the files of the lake')),
  liveFrom: z.optional(z.int()).with(z.describe('The first block that is read from the database')),
})

/** A table that statements may name. */
const sqlTable = record({
  name: z.string(),
  group: z.string().with(z.describe('The subject of the table, such as "EVM chains"')),
  description: z.string(),
  columns: z.array(record({ name: z.string(), type: z.string(), description: z.string() })),
})
export type SqlTable = z.infer<typeof sqlTable>

/** Only in Ridgeline: the tables for SQL with their columns, where their rows come from, and the limits. */
export const listSqlTables = operation({
  id: 'listSqlTables',
  path: '/v1/sql/tables',
  summary: 'List the tables for SQL',
  response: record({
    tables: z.array(sqlTable),
    sources: z.array(sqlSource).with(z.describe('Of the tables with blocks of EVM chains, by chain')),
    limits: record({
      rows: z.int(),
      seconds: z.number(),
      memoryMegabytes: z.int(),
      liveRows: z.int().with(z.describe('The most rows of one table that are read from the database')),
    }),
  }),
})
