import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Writable } from 'node:stream'
import type { Queryable } from './database.ts'
import { RetryableError } from '../kernel/errors.ts'
import { binaryEnd, binaryStart } from './copy-binary.ts'

/** Large enough to make messages cheap, small enough to keep the socket's buffer small. */
const chunkBytes = 256 * 1024

/**
 * Sends rows in one of COPY's formats to a table. Throws RetryableError if the server refuses them.
 *
 * If the server refuses the end of a COPY stream, the client never settles it, so a following statement is
 * used to detect the error. The client closes a successful stream with a message that would fail the next
 * COPY, so this function waits for the close.
 */
export async function copyRows(
  sql: Queryable,
  table: string,
  columns: string,
  rows: readonly Buffer[],
  format: 'text' | 'binary' = 'text',
): Promise<void> {
  const filled = rows.filter((part) => part.length > 0)
  if (filled.length === 0) return
  const parts = format === 'binary' ? [binaryStart, ...filled, binaryEnd] : filled
  try {
    await send(sql, `copy ${table} (${columns}) from stdin (format ${format})`, parts)
  } catch (error) {
    const reason = error instanceof Error ? `: ${error.message}` : ''
    throw new RetryableError('store', `the database did not take rows of ${table}${reason}`, { cause: error })
  }
}

/**
 * Sends any number of rows in COPY's binary format, in bounded memory. `freeze` saves a later vacuum the
 * rewriting of a table that was created in the same transaction.
 */
export async function copyStream(
  sql: Queryable,
  table: string,
  columns: string,
  rows: AsyncIterable<Buffer>,
  freeze = false,
): Promise<void> {
  await send(
    sql,
    `copy ${table} (${columns}) from stdin (format binary${freeze ? ', freeze' : ''})`,
    framed(rows),
  )
}

async function* framed(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield binaryStart
  yield* rows
  yield binaryEnd
}

type Parts = Iterable<Buffer> | AsyncIterable<Buffer>

async function send(sql: Queryable, statement: string, rows: Parts): Promise<void> {
  const stream: Writable = await sql.unsafe(statement).writable()
  const closed = new Promise<void>((resolve) => stream.once('close', resolve))
  const failed = new Promise<never>((_, reject) => stream.once('error', reject))
  failed.catch(() => undefined)
  for await (const chunk of chunks(rows)) {
    if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), failed])
  }
  stream.end()
  // The client accepts the next statement only after it has sent the end of the data.
  while (!isEnding(stream) && !stream.destroyed) await Promise.race([nextTurn(), failed])
  await sql`select 1`
  await closed
}

function isEnding(stream: Writable): boolean {
  return stream.writableLength === 0 && stream.writableEnded
}

/** Joins small parts in order, without splitting any. */
async function* chunks(parts: Parts): AsyncGenerator<Buffer> {
  let batch: Buffer[] = []
  let size = 0
  for await (const part of parts) {
    batch.push(part)
    size += part.length
    if (size < chunkBytes) continue
    yield batch.length === 1 ? part : Buffer.concat(batch)
    batch = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(batch)
}
