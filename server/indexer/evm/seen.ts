import type { Queryable } from '../../store/database.ts'
import { copyBytes } from '../../store/copy-text.ts'
import type { BlockAddresses, NewAddresses } from '../../store/metrics/sums.ts'
import type { DecodedBlock } from './decode.ts'
import { dayStart, hourStart, monthStart, weekStart } from './periods.ts'

/** The `role` column of `seen`. */
export const roles = { parties: 0, senders: 1, deployers: 2 } as const
type Role = keyof typeof roles
const roleNames = ['parties', 'senders', 'deployers'] as const satisfies readonly Role[]

export const seenColumns = 'chain, role, address, hour_ts, first_block'

/** The starts of the periods that a block belongs to. */
type PeriodStarts = Readonly<Record<'hour' | 'day' | 'week' | 'month', number>>

/** One address in one role, and its hours that are not yet written. */
type Activity = {
  readonly role: Role
  readonly address: string
  hour: number
  pending: { hour: number; block: number }[]
}

/** Earlier than the start of every period, including the week that contains the epoch. */
const never = Number.NEGATIVE_INFINITY

const activitiesKept = 60_000

/**
 * Determines which addresses of a block are new in their periods, from the last hour in which each was
 * active. The last hours of recently seen addresses are kept in memory; others are read from `seen`. The
 * tracker only moves forward: call `reset` after a reorg or a failed transaction.
 */
export class SeenTracker {
  readonly #chain: number
  readonly #activities: Record<Role, Map<string, Activity>>
  #changed: Set<Activity> = new Set()

  constructor(chain: number) {
    this.#chain = chain
    this.#activities = { parties: new Map(), senders: new Map(), deployers: new Map() }
  }

  reset(): void {
    for (const role of roleNames) this.#activities[role].clear()
    this.#changed = new Set()
  }

  /** Reads the last hours of the block's addresses that are not in memory, with one statement per role. */
  async load(sql: Queryable, blocks: readonly DecodedBlock[]): Promise<void> {
    for (const role of roleNames) {
      const known = this.#activities[role]
      if (known.size > activitiesKept) known.clear()
      const missing = new Set<string>()
      for (const block of blocks) {
        for (const address of block[role]) if (!known.has(address)) missing.add(address)
      }
      if (missing.size === 0) continue
      const addresses = [...missing]
      const list = `{${addresses.map((address) => address.slice(2)).join(',')}}`
      const rows = await sql<{ position: bigint; hour_ts: bigint }[]>`
        select asked.position, last.hour_ts
        from unnest(${list}::text::text[]) with ordinality as asked (address, position)
        cross join lateral (
          select hour_ts from seen
          where chain = ${this.#chain} and role = ${roles[role]} and seen.address = decode(asked.address, 'hex')
          order by hour_ts desc limit 1
        ) last`
      for (const address of addresses) known.set(address, { role, address, hour: never, pending: [] })
      for (const row of rows) {
        const activity = known.get(addresses[Number(row.position) - 1] ?? '')
        if (activity) activity.hour = Number(row.hour_ts)
      }
    }
  }

  /**
   * Counts the new addresses of a block and records their hours. For blocks up to `floor`, which no reorg can
   * reach, only the newest hour of an address is kept.
   */
  count(block: DecodedBlock, floor: number): BlockAddresses {
    const hour = hourStart(block.ts)
    const starts = { hour, day: dayStart(hour), week: weekStart(hour), month: monthStart(hour) }
    return {
      parties: this.#countRole('parties', block, starts, floor),
      senders: this.#countRole('senders', block, starts, floor),
      deployers: this.#countRole('deployers', block, starts, floor),
    }
  }

  #countRole(role: Role, block: DecodedBlock, starts: PeriodStarts, floor: number): NewAddresses {
    const counts = { ever: 0, hour: 0, day: 0, week: 0, month: 0 }
    for (const address of block[role]) {
      const activity = this.#activities[role].get(address)
      if (!activity) throw new Error(`the last hour of ${address} was not read`)
      const last = activity.hour
      if (last >= starts.hour) continue
      counts.hour += 1
      if (last < starts.day) counts.day += 1
      if (last < starts.week) counts.week += 1
      if (last < starts.month) counts.month += 1
      if (last === never) counts.ever += 1
      activity.hour = starts.hour
      const noted = { hour: starts.hour, block: block.number }
      if (block.number <= floor) activity.pending = [noted]
      else activity.pending.push(noted)
      this.#changed.add(activity)
    }
    return counts
  }

  /**
   * Returns the rows recorded since the last call, in COPY's text format with the columns of `seenColumns`.
   */
  takeRows(): Buffer {
    let text = ''
    for (const activity of this.#changed) {
      for (const { hour, block } of activity.pending) {
        text += `${this.#chain}\t${roles[activity.role]}\t${copyBytes(activity.address)}\t${hour}\t${block}\n`
      }
      activity.pending = []
    }
    this.#changed = new Set()
    return Buffer.from(text)
  }
}
