import type { Database } from '../store/database.ts'
import type { WantedRange } from './manifest.ts'

/** Hands out ranges to the workers of one process. */
export type RangeQueue = {
  /** The next range; undefined if none is left, and `busy` if other processes have all that are left. */
  take(): Promise<WantedRange | 'busy' | undefined>
  /** Takes a range off the queue for good. */
  done(range: WantedRange): Promise<void>
  /** Puts a range back for another worker. */
  giveBack(range: WantedRange): Promise<void>
}

/** A queue for the workers of this process alone. */
export function localQueue(ranges: readonly WantedRange[]): RangeQueue {
  const free = [...ranges]
  let taken = 0
  let waiting: (() => void)[] = []
  const release = () => {
    taken -= 1
    for (const wake of waiting) wake()
    waiting = []
  }
  return {
    take: async () => {
      for (;;) {
        const range = free.shift()
        if (range) taken += 1
        if (range || taken === 0) return range
        // What another worker has may come back.
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
    done: async () => release(),
    giveBack: async (range) => {
      free.unshift(range)
      release()
    },
  }
}

/** Seconds until the lease of a worker that has ended or can't be reached is free again. */
const leaseSeconds = 60
const renewEvery = 15_000

type LeaseOptions = {
  /** A migrated database that all workers reach. */
  database: Database
  /** The name that the workers of this lake share. */
  lake: string
  chain: number
  /** Identifies this process. */
  holder: string
  ranges: readonly WantedRange[]
  signal: AbortSignal
}

/**
 * A queue that processes on several machines share: rows of `lake_leases`. Whoever takes a row holds it for a
 * minute and renews it; the clock is that of the database server. If a lease runs out although its worker
 * lives, two workers write the same range: they write the same bytes, so this costs time only.
 */
export async function leaseQueue(options: LeaseOptions): Promise<RangeQueue> {
  const { database, lake, chain, holder, ranges, signal } = options
  await database`
    insert into lake_leases (lake, chain, from_block, to_block)
    select ${lake}, ${chain}, f, t
    from unnest(${ranges.map(({ from }) => from)}::bigint[], ${ranges.map(({ to }) => to)}::bigint[]) as r(f, t)
    on conflict do nothing`
  const now = () => database`floor(extract(epoch from clock_timestamp()))::bigint`
  const renewal = setInterval(() => {
    // A failed renewal is repeated in time; if not, another worker takes the range over.
    database`
      update lake_leases set until_ts = ${now()} + ${leaseSeconds}
      where lake = ${lake} and chain = ${chain} and holder = ${holder}`.catch(() => undefined)
  }, renewEvery)
  renewal.unref()
  signal.addEventListener('abort', () => clearInterval(renewal), { once: true })
  const mine = ({ from, to }: WantedRange) =>
    database`lake = ${lake} and chain = ${chain} and from_block = ${from} and to_block = ${to}`
  return {
    async take() {
      const [row] = await database<{ from_block: bigint; to_block: bigint }[]>`
        with free as (
          select from_block, to_block from lake_leases
          where lake = ${lake} and chain = ${chain} and until_ts <= ${now()}
          order by from_block limit 1 for update skip locked
        )
        update lake_leases l set holder = ${holder}, until_ts = ${now()} + ${leaseSeconds}
        from free
        where l.lake = ${lake} and l.chain = ${chain}
          and l.from_block = free.from_block and l.to_block = free.to_block
        returning l.from_block, l.to_block`
      if (row) return { from: Number(row.from_block), to: Number(row.to_block) }
      const [left] = await database`
        select from lake_leases where lake = ${lake} and chain = ${chain} limit 1`
      return left ? 'busy' : undefined
    },
    async done(range) {
      await database`delete from lake_leases where ${mine(range)}`
    },
    async giveBack(range) {
      await database`
        update lake_leases set holder = null, until_ts = 0 where ${mine(range)} and holder = ${holder}`
    },
  }
}
