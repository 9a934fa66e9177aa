/**
 * Whether a failure that reached nobody is one of the driver's after a connection was lost. Those who used the connection
 * are told by their statements, or by the transaction they are in, so nothing else may come of it:
 *
 * - The driver sends a query for array types of its own on each new connection, and nobody waits for its answer.
 * - The driver sends the ROLLBACK of a transaction from a timer, which throws if the connection has been closed
 *   meanwhile (https://github.com/porsager/postgres/issues/1208).
 */
export function isOfLostConnection(reason: unknown): boolean {
  const { code, query } = (reason ?? {}) as { code?: unknown; query?: unknown }
  if (String(code).startsWith('CONNECTION_')) return String(query).includes('from pg_catalog.pg_type a')
  return reason instanceof TypeError && /\bImmediate\.nextWrite\b/.test(String(reason.stack))
}

const text =
  'the connection to the database was lost: see why in its log, then run the command again; what was not committed is not there'

/** What a command tells of a failure of its connection to the database; undefined for any other failure. */
export function lostConnectionText(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown }
  const isLost = isOfLostConnection(error) || /^CONNECTION_|^57P0\d$/.test(String(code))
  return isLost ? text : undefined
}

/** Lets a command end with exit code 1 and that text where the driver's failure would end it with a stack. */
export function endWhenConnectionIsLost(): void {
  process.on('uncaughtException', (error) => {
    process.stderr.write(`${lostConnectionText(error) ?? error.stack ?? String(error)}\n`)
    process.exit(1)
  })
}
