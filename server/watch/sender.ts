import type { Database } from '../store/database.ts'
import {
  claimMessages,
  longestPause,
  recordDelivered,
  recordEnd,
  recordFailure,
  releaseMessage,
  type ClaimedRow,
} from '../store/watch/outbox.ts'
import { DeliveryFailure } from '../kernel/guarded-post.ts'
import { pause } from '../kernel/pause.ts'
import type { Deliver } from './channels/deliver.ts'
import type { Message } from './channels/message.ts'

type SenderLogger = {
  readonly warn: (fields: object, text: string) => void
  readonly info: (fields: object, text: string) => void
}

export type SenderOptions = {
  readonly database: Database
  readonly deliver: Deliver
  readonly logger: SenderLogger
  readonly publicUrl: string | undefined
  /** Unix seconds. */
  readonly clock: () => number
  /** Attempts after which a message is dead. */
  readonly attempts: number
  /** From 0 to below 1. */
  readonly random?: () => number
  /** Milliseconds between two looks at an empty outbox. */
  readonly idle?: number
  /** Seconds for which a message is this sender's; for tests. */
  readonly lease?: number
  /** Multiplies pauses between attempts; for tests. */
  readonly haste?: number
}

/** Messages that are sent at the same time. */
const together = 8

/**
 * The pause before the next attempt in seconds: 2 s doubled with each, at most 15 minutes, of which a random part from
 * half on, so that messages that failed together do not return together. What the receiver asks for is kept, up to
 * the same limit.
 */
export function pauseBefore(attempt: number, retryAfter: number | undefined, random: () => number): number {
  const longest = Math.min(longestPause, 2 * 2 ** (attempt - 1))
  const jittered = longest * (0.5 + random() / 2)
  return Math.max(jittered, Math.min(retryAfter ?? 0, longestPause))
}

/**
 * Sends what waits in the outbox until the signal aborts. Any number of senders may run: each message is one sender's
 * for the time of its lease.
 *
 * A message is sent at least once, always with the same idempotency key, and never again once its success is stored.
 * A process that dies between the receiver's answer and that row sends it a second time: receivers recognise it by the
 * key.
 */
export async function runSender(options: SenderOptions, signal: AbortSignal): Promise<void> {
  const { database, logger, idle = 1_000, lease } = options
  const underway = new Set<Promise<void>>()
  let failed = false
  while (!signal.aborted) {
    let count = 0
    try {
      const rows = await claimMessages(database, together - underway.size, lease)
      count = rows.length
      for (const row of rows) {
        const sending: Promise<void> = sendOne(options, row, signal)
          .catch((error: unknown) =>
            logger.warn({ err: error, delivery: row.delivery }, 'a message’s state was not stored'),
          )
          .finally(() => underway.delete(sending))
        underway.add(sending)
      }
      failed = false
    } catch (error) {
      if (!failed) logger.warn({ err: error }, 'the outbox can’t be read')
      failed = true
    }
    const wait = pause(idle, signal)
    // A free place is used at once while there is more to send.
    await (count > 0 && underway.size > 0 ? Promise.race([...underway, wait]) : wait)
  }
  await Promise.allSettled(underway)
}

async function sendOne(options: SenderOptions, row: ClaimedRow, signal: AbortSignal): Promise<void> {
  const { database, deliver, publicUrl, clock, attempts, logger, random = Math.random, haste = 1 } = options
  const { delivery, kind, settings, secrets } = row
  if (kind === null || row.enabled === false) {
    const reason = kind === null ? 'its channel was deleted' : 'its channel is disabled'
    return recordEnd(database, delivery, 'dropped', reason)
  }
  const target = { kind, settings: { ...settings, ...secrets } }
  const envelope = { message: row.message as Message, deliveryId: delivery, sentTs: clock(), publicUrl }
  try {
    await deliver(target, envelope, signal)
  } catch (error) {
    if (signal.aborted) return releaseMessage(database, delivery)
    const failure =
      error instanceof DeliveryFailure ? error : new DeliveryFailure('it failed in this service')
    if (failure !== error) logger.warn({ err: error, delivery }, 'a message failed in this service')
    const reason = failure.message.slice(0, 300)
    if (failure.isFinal || row.attempts >= attempts) {
      logger.warn({ delivery, channel: row.channel, reason, attempts: row.attempts }, 'a message is dead')
      return recordEnd(database, delivery, 'dead', reason)
    }
    const seconds = pauseBefore(row.attempts, failure.retryAfter, random) * haste
    return recordFailure(database, delivery, reason, seconds)
  }
  await recordDelivered(database, delivery)
}
