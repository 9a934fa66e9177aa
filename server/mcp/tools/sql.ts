import { z } from 'zod'
import { listSqlTables, runSql, sqlLength } from '../../../contract/sql/sql.ts'
import { limitInput, tool } from './tool.ts'

export const sqlTables = tool({
  name: 'sql_tables',
  title: 'Tables for SQL',
  description:
    'The tables that the tool sql reads: all with a line each, or the columns of those that are named. Read the columns before you write a statement.',
  input: z.strictObject({
    tables: z.array(z.string()).max(50).default([]).describe('The tables whose columns are wanted'),
  }),
  output: z.object({
    tables: z.array(
      z.object({
        name: z.string(),
        group: z.string(),
        description: z.string(),
        columns: z
          .array(z.object({ name: z.string(), type: z.string(), description: z.string() }))
          .optional(),
      }),
    ),
  }),
  async run({ tables: wanted }, { ask, page }) {
    const { tables } = await ask.operation(listSqlTables, {})
    const rows = tables
      .filter(({ name }) => wanted.length === 0 || wanted.includes(name))
      .map(({ name, group, description, columns }) => ({
        name,
        group,
        description,
        ...(wanted.length > 0 && {
          columns: columns.map((column) => ({
            name: column.name,
            type: column.type,
            description: column.description,
          })),
        }),
      }))
    return {
      text: [
        ...rows.flatMap(({ name, description, columns }) => [
          `${name}: ${description}`,
          ...(columns ?? []).map((column) => `  ${column.name} ${column.type}: ${column.description}`),
        ]),
        page('sql'),
      ],
      data: { tables: rows },
    }
  },
})

export const sql = tool({
  name: 'sql',
  title: 'Ask in SQL',
  description:
    'Runs one SELECT statement (DuckDB) over blocks, transactions, logs, transfers, validators and more, for questions that no other tool answers. It needs a privilege in some services. sql_tables has the tables and columns.',
  input: z.strictObject({
    statement: z.string().min(1).max(sqlLength).describe('One SELECT statement in the dialect of DuckDB'),
    limit: limitInput(1000, 100),
  }),
  output: z.object({
    columns: z.array(z.object({ name: z.string(), type: z.string() })),
    rows: z.array(z.array(z.unknown())),
    rowCount: z.int(),
    isTruncated: z.boolean().describe('Whether there are more rows'),
    failure: z.string().optional().describe('Why the statement ended after its first rows'),
  }),
  async run({ statement, limit }, { ask, page }) {
    const answer = await ask.operation(runSql, { body: { sql: statement, rowLimit: limit } })
    const { rowCount, isTruncated, failure } = answer
    const columns = answer.columns.map(({ name, type }) => ({ name, type }))
    return {
      text: [
        columns.map(({ name }) => name).join(' | '),
        ...answer.rows.map((row) =>
          row.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join(' | '),
        ),
        ...(isTruncated ? ['There are more rows.'] : []),
        ...(failure === undefined ? [] : [`The statement failed after these rows: ${failure}`]),
        page('sql'),
      ],
      data: {
        columns,
        rows: answer.rows.map((row) => [...row]),
        rowCount,
        isTruncated,
        ...(failure !== undefined && { failure }),
      },
    }
  },
})
