import type { Queryable } from './database.ts'
import { isDistributed } from './distribution.ts'
import { numberList } from './sql-literals.ts'

/** How a statement names its chains, given as its parameter `$1` (`chainsParameter`). */
export type ChainTexts = {
  readonly form: keyof ChainStatement
  /** A relation `asked (chain)` with a row for each chain. */
  readonly asked: string
  /** The chain of a row of `asked`, or of a relation with its column `chain`. */
  readonly chainOf: (relation: string) => string
  /** The condition that a column holds one of the chains. */
  readonly among: (column: string) => string
}

/** A statement for several chains, and for one: Citus sends it to one server only if a constant is the key. */
type ChainStatement = Readonly<Record<'several' | 'one', string>>

/** Writes a statement for several chains and for one. */
export function forChains(write: (texts: ChainTexts) => string): ChainStatement {
  return {
    several: write({
      form: 'several',
      asked: 'unnest($1::text::bigint[]) as asked (chain)',
      chainOf: (relation) => `${relation}.chain`,
      among: (column) => `${column} = any($1::text::bigint[])`,
    }),
    one: write({
      form: 'one',
      asked: '(select $1::bigint as chain) as asked',
      chainOf: () => '$1::bigint',
      among: (column) => `${column} = $1::bigint`,
    }),
  }
}

/** The chains that one statement reads. */
export type ChainScope = { readonly chains: readonly bigint[]; readonly form: keyof ChainStatement }

/** The parameter `$1` of a statement of `forChains`. */
export function chainsParameter({ chains, form }: ChainScope): string | bigint {
  const [only] = chains
  return form === 'one' && only !== undefined ? only : numberList(chains)
}

/** Takes note of a chain whose server does not answer. */
type OnLost = (chain: bigint, error: unknown) => void

/** For figures over all chains, which would be wrong without one. */
export const refuseLost: OnLost = (_chain, error) => {
  throw error
}

/**
 * Reads several chains with one statement, or, where the tables are distributed, with one for each chain, which leads to
 * one server. A chain whose server does not answer in time is then left out, and given to `onLost`.
 */
export async function readChains<Row>(
  database: Queryable,
  chains: readonly bigint[],
  read: (scope: ChainScope) => Promise<readonly Row[]>,
  onLost: OnLost,
): Promise<Row[]> {
  if (!(await isDistributed(database))) return [...(await read({ chains, form: 'several' }))]
  const rows = await Promise.all(
    chains.map((chain) =>
      read({ chains: [chain], form: 'one' }).catch((error: unknown) => {
        if (!isLostServer(error) && (error as { code?: unknown }).code !== '57014') throw error
        onLost(chain, error)
        return []
      }),
    ),
  )
  return rows.flat()
}

/** Reads several chains as `readChains` does, on the connection that it gives to `read`. */
export type ChainReader = <Row>(
  read: (sql: Queryable, scope: ChainScope) => Promise<readonly Row[]>,
) => Promise<Row[]>

/** The same inside of a transaction, which outlives the loss of a server and does not ask it again. */
export function chainReader(
  sql: Queryable,
  chains: readonly bigint[],
  distributed: boolean,
  onLost: OnLost,
): ChainReader {
  const lost = new Set<bigint>()
  return async (read) => {
    if (!distributed) return [...(await read(sql, { chains, form: 'several' }))]
    const rows: Awaited<ReturnType<typeof read>>[number][] = []
    for (const chain of chains) {
      if (lost.has(chain)) continue
      try {
        rows.push(...(await inSavepoint(sql, (inner) => read(inner, { chains: [chain], form: 'one' }))))
      } catch (error) {
        if (!isLostServer(error)) throw error
        lost.add(chain)
        onLost(chain, error)
      }
    }
    return rows
  }
}

/**
 * Runs statements in a savepoint. The driver rejects a transaction of its own if any statement of it has failed, unless
 * that was in a savepoint of the driver's; a transaction of a `StoreSession` is not known to the driver.
 */
async function inSavepoint<Row>(
  sql: Queryable,
  action: (inner: Queryable) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  if ('savepoint' in sql) {
    const { rows } = await sql.savepoint(async (inner) => ({ rows: await action(inner) }))
    return rows
  }
  await sql`savepoint chain_read`
  try {
    const rows = await action(sql)
    await sql`release savepoint chain_read`
    return rows
  } catch (error) {
    await sql`rollback to savepoint chain_read`
    throw error
  }
}

/**
 * Whether a statement failed because the coordinator has no connection to the server that holds the chain, or that server
 * ended the connection while it shut down, which the coordinator passes on.
 */
export function isLostServer(error: unknown): boolean {
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown }
  return name === 'PostgresError' && /^(08[0-9A-Z]{3}|57P0[123])$/.test(String(code))
}
