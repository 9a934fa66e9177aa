import { z } from 'zod'
import type { Queryable } from '../database.ts'
import { query } from '../read.ts'

const claimedRow = z.strictObject({
  delivery: z.string(),
  alarm: z.string(),
  channel: z.string(),
  attempts: z.number(),
  message: z.unknown(),
  kind: z.string().nullable(),
  enabled: z.boolean().nullable(),
  settings: z.record(z.string(), z.unknown()).nullable(),
  secrets: z.record(z.string(), z.unknown()).nullable(),
})
/** A message that is this sender's until its lease ends, with its channel. Holds secrets. */
export type ClaimedRow = Readonly<z.output<typeof claimedRow>>

/** Seconds for which a sender has a message: longer than any attempt. */
const leaseSeconds = 30
/** The longest pause between two attempts in seconds. */
export const longestPause = 900

/**
 * Takes messages that are due, oldest first, each for one sender. All times are those of the database's clock: one for
 * all senders. What is due later than any pause allows, or leased for longer than a lease, comes from a clock that was
 * set back, and is due now. Messages of one alarm go to a channel in their order: a later one waits for an earlier.
 */
export const claimMessages = query(claimedRow, (limit: number, lease: number = leaseSeconds) => [
  `with moment as materialized (select extract(epoch from clock_timestamp())::float8 as now),
   due as (
     select o.delivery from watch_outbox o, moment
     where o.status = 'waiting' and (o.next_ts <= now or (o.attempts > 0 and o.next_ts > now + ${2 * longestPause}))
       and (o.leased_ts <= now or o.leased_ts > now + $2)
       and not exists (select from watch_outbox e where e.alarm = o.alarm and e.channel = o.channel
         and e.status = 'waiting' and (e.number, e.event) < (o.number, o.event))
     order by o.next_ts, o.created_ts limit $1 for update of o skip locked
   ), claimed as (
     update watch_outbox o set leased_ts = moment.now + $2, attempts = o.attempts + 1, last_ts = moment.now
     from due, moment where o.delivery = due.delivery
     returning o.delivery, o.alarm, o.channel, o.attempts, o.message
   )
   select claimed.delivery::text, claimed.alarm::text, claimed.channel::text, claimed.attempts, claimed.message,
     c.kind, c.enabled, c.settings, c.secrets
   from claimed left join watch_channels c on c.channel = claimed.channel`,
  [limit, lease],
])

/** Records that a message was delivered: it is never claimed again. */
export async function recordDelivered(database: Queryable, delivery: string): Promise<void> {
  await database`
    update watch_outbox set status = 'delivered', ended_ts = extract(epoch from clock_timestamp()), last_reason = null
    where delivery = ${delivery}`
}

/** Records a failed attempt, and when the next one is due. */
export async function recordFailure(
  database: Queryable,
  delivery: string,
  reason: string,
  pauseSeconds: number,
): Promise<void> {
  await database`
    update watch_outbox set leased_ts = 0, last_reason = ${reason},
      next_ts = extract(epoch from clock_timestamp()) + ${pauseSeconds}
    where delivery = ${delivery} and status = 'waiting'`
}

/** Gives a message up: `dead` after its last attempt, `dropped` if its channel is gone or disabled. */
export async function recordEnd(
  database: Queryable,
  delivery: string,
  status: 'dead' | 'dropped',
  reason: string,
): Promise<void> {
  await database`
    update watch_outbox set status = ${status}, leased_ts = 0, last_reason = ${reason},
      ended_ts = extract(epoch from clock_timestamp())
    where delivery = ${delivery} and status = 'waiting'`
}

/** Gives a message back that was not tried, because the sender ends. */
export async function releaseMessage(database: Queryable, delivery: string): Promise<void> {
  await database`
    update watch_outbox set leased_ts = 0, attempts = greatest(attempts - 1, 0)
    where delivery = ${delivery} and status = 'waiting'`
}

/** Makes a dead message wait again, with all attempts before it. Whether there was one. */
export async function reviveMessage(database: Queryable, delivery: string): Promise<boolean> {
  const rows = await database`
    update watch_outbox set status = 'waiting', attempts = 0, leased_ts = 0, ended_ts = null,
      next_ts = extract(epoch from clock_timestamp())
    where delivery = ${delivery} and status = 'dead' returning delivery`
  return rows.length > 0
}
