import type { Database, Queryable } from './database.ts'

/** Runs reads that must be consistent: all see the store as of the first one. */
export async function snapshot<Value>(
  database: Database,
  reads: (sql: Queryable) => Promise<Value>,
): Promise<Value> {
  // The driver's result type unwraps arrays of promises, which does not apply here.
  const result: { value?: Value } = {}
  await database.begin('isolation level repeatable read read only', async (sql) => {
    result.value = await reads(sql)
  })
  return result.value as Value
}
