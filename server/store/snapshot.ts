import type { Database, Queryable } from './database.ts'

/** Runs reads that must agree with each other: all see the store as it was at the first one. */
export async function snapshot<Value>(
  database: Database,
  reads: (sql: Queryable) => Promise<Value>,
): Promise<Value> {
  // The driver wraps the result's type in one that knows of lists of promises, which this is none of.
  const result: { value?: Value } = {}
  await database.begin('isolation level repeatable read read only', async (sql) => {
    result.value = await reads(sql)
  })
  return result.value as Value
}
