import { runSql, sqlLength } from '../../contract/sql/sql.ts'
import { asOperator } from './config.ts'
import type { TestService } from './service.ts'

/**
 * What statements of proofs count (docs/metrics.md), as fractions, null for no rows. As many as fit into one statement are
 * run as one, because each takes a process.
 */
export async function countStatements(
  { app }: Pick<TestService, 'app'>,
  proofs: readonly { readonly sql: string }[],
): Promise<{ readonly amount: bigint; readonly per: bigint }[]> {
  const statements = proofs.map(
    ({ sql }, place) => `(select ${place} as place, amount::varchar, per::varchar from (${sql}))`,
  )
  const found = new Map<number, readonly unknown[]>()
  while (statements.length > 0) {
    let sql = statements.shift() ?? ''
    while (statements[0] !== undefined && sql.length + statements[0].length + 11 < sqlLength)
      sql += ` union all ${statements.shift()}`
    const answer = await app.inject({
      method: 'POST',
      url: '/v1/sql',
      headers: asOperator,
      payload: { sql },
    })
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body}: ${sql}`)
    for (const row of runSql.response.parse(answer.json()).rows) found.set(Number(row[0]), row)
  }
  return proofs.map((_proof, place) => {
    const row = found.get(place)
    if (!row) throw new Error(`statement ${place} gave no row`)
    return { amount: BigInt(String(row[1] ?? 0)), per: BigInt(String(row[2] ?? 0)) }
  })
}
