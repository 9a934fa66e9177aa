import { RetryableError } from '../kernel/errors.ts'

/**
 * The names of a connection to the database that was lost or cannot be had: those of the driver, of the operating system,
 * of PostgreSQL (class 08, and 57P01 to 57P05 of a server that ends the session, stops or starts), and our own for a list
 * of servers (servers.ts).
 */
const connectionCodes =
  /^(CONNECTION_\w+|CONNECT_TIMEOUT|SERVER_\w+|E(?:CONN\w+|PIPE|TIMEDOUT|NOTCONN|HOSTUNREACH|NETUNREACH|HOSTDOWN|NOTFOUND|AI_AGAIN|NOENT)|08[0-9A-Z]{3}|57P0[1-5])$/

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null | undefined)?.code)

/** Whether an error, or what caused it, is that the connection to the database was lost or cannot be had. */
export function isConnectionFailure(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    // Of a node's connection these codes say nothing about the database.
    if (each instanceof RetryableError) return each.kind === 'store'
    if (connectionCodes.test(codeOf(each))) return true
  }
  return false
}

/** What keeps the database from answering for now, as people read it; undefined if the error is of another kind. */
export function databaseTrouble(error: unknown): string | undefined {
  const code = codeOf(error)
  if (code === 'SERVER_BEHIND') return (error as Error).message
  if (code === '57014') return 'the database did not answer in time'
  if (code === '53300') return 'all connections of the database are taken'
  if (code === '53100') return 'the disk of the database is full'
  if (code.startsWith('53')) return 'the database has too few resources'
  return isConnectionFailure(error) ? 'the database cannot be reached' : undefined
}

/**
 * Whether a failure that reached nobody is one of the driver's after a connection was lost. Those who used the connection
 * are told by their statements, or by the transaction they are in, so nothing else may come of it:
 *
 * - An error of the connection that the driver has attached a statement to has rejected that statement. It comes a second
 *   time from the stream of a COPY, and nobody waits for the query for array types that the driver sends by itself on
 *   each new connection.
 * - The driver writes from a timer, and a COPY's stream when it ends, to a socket that it has set to null with the lost
 *   connection (https://github.com/porsager/postgres/issues/1208).
 */
export function isOfLostConnection(reason: unknown): boolean {
  if (!(reason instanceof Error)) return false
  if (reason instanceof TypeError)
    return /null \(reading 'write'\)/.test(reason.message) && driverWrites.test(String(reason.stack))
  return 'query' in reason && isConnectionFailure(reason)
}

/** The driver's functions that write to its socket. */
const driverWrites =
  /\bat (?:Immediate\.|Object\.)?nextWrite\b|\bat (?:Writable|Duplex)\.(?:write|destroy|final)\b/

const text =
  'the connection to the database was lost: see why in its log, then run the command again; what was not committed is not there'

/** What a command tells of a failure of its connection to the database; undefined for any other failure. */
export function lostConnectionText(error: unknown): string | undefined {
  return isOfLostConnection(error) || isConnectionFailure(error) ? text : undefined
}

/** Lets a command end with exit code 1 and that text where the driver's failure would end it with a stack. */
export function endWhenConnectionIsLost(): void {
  process.on('uncaughtException', (error) => {
    process.stderr.write(`${lostConnectionText(error) ?? error.stack ?? String(error)}\n`)
    process.exit(1)
  })
}
