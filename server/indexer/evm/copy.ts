import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Writable } from 'node:stream'
import type postgres from 'postgres'

export type Transaction = postgres.TransactionSql<{ bigint: bigint }>

/** Large enough that messages cost nothing, small enough that the socket's buffer stays small. */
const chunkBytes = 256 * 1024

/**
 * Sends rows in COPY's text format to a table. It returns when the rows are sent: an error of theirs
 * surfaces in the next statement of the same transaction, so a statement must follow before the commit.
 * (The client never settles a COPY stream whose end the server refuses, hence no wait for its end.)
 */
export async function copyRows(
  sql: Transaction,
  table: string,
  columns: string,
  rows: readonly Buffer[],
): Promise<void> {
  const filled = rows.filter((part) => part.length > 0)
  if (filled.length === 0) return
  const stream: Writable = await sql.unsafe(`copy ${table} (${columns}) from stdin`).writable()
  const failed = new Promise<never>((_, reject) => stream.once('error', reject))
  failed.catch(() => undefined)
  for (const chunk of chunks(filled)) {
    if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), failed])
  }
  while (stream.writableLength > 0) await Promise.race([nextTurn(), failed])
  stream.end()
  // The client takes the next statement only after it has sent the end of the data.
  await nextTurn()
}

/** Joins small parts and splits none, in order. */
function* chunks(parts: readonly Buffer[]): Generator<Buffer> {
  let batch: Buffer[] = []
  let size = 0
  for (const part of parts) {
    batch.push(part)
    size += part.length
    if (size < chunkBytes) continue
    yield batch.length === 1 ? part : Buffer.concat(batch)
    batch = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(batch)
}
