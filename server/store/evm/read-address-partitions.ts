import { z } from 'zod'
import type { Queryable } from '../database.ts'
import { read } from '../read.ts'
import type { BlockRange } from './read-blocks.ts'

const partRow = z.strictObject({ from: z.bigint(), before: z.bigint(), holds: z.boolean() })

// The zero address is not noted, because it is in nearly every partition.
const statement = `
  select p.from_block as from, p.before_block as before,
    a.from_block is not null or $2 = decode(repeat('00', 20), 'hex') as holds
  from listed_partitions p
  left join address_partitions a on a.chain = $1 and a.address = $2 and a.from_block = p.from_block
  where p.chain = $1 and p.before_block > $3
  order by p.from_block`

/**
 * The parts of a range of blocks that may hold rows of an address, in order: its partitions, and the blocks whose
 * partitions are not listed. A statement that is bound to one part opens and reads no other partition. Partitions that
 * follow each other are put together: the first is alone, because a page usually needs no more, then come two, then four.
 */
export async function readAddressRanges(
  database: Queryable,
  chain: bigint,
  address: Buffer,
  range: BlockRange,
  order: 'asc' | 'desc',
): Promise<BlockRange[]> {
  const parts = await read(database, partRow, statement, [chain, address, range.from])
  const held: BlockRange[] = []
  const add = (from: bigint, before: bigint) => {
    const part = {
      from: from > range.from ? from : range.from,
      before: before < range.before ? before : range.before,
    }
    if (part.from < part.before) held.push(part)
  }
  // Those above a listed partition are listed, so what is above the last one holds nothing yet.
  if (parts.length === 0) add(range.from, range.before)
  let end = range.from
  for (const part of parts) {
    add(end, part.from)
    if (part.holds) add(part.from, part.before)
    end = part.before
  }
  return together(order === 'asc' ? held : held.reverse())
}

function together(parts: readonly BlockRange[]): BlockRange[] {
  const ranges: BlockRange[] = []
  let room = 0
  for (const { from, before } of parts) {
    const last = ranges.at(-1)
    if (last && room > 0 && (last.before === from || last.from === before)) {
      last.from = last.from < from ? last.from : from
      last.before = last.before > before ? last.before : before
      room -= 1
    } else {
      ranges.push({ from, before })
      room = 2 ** (ranges.length - 1) - 1
    }
  }
  return ranges
}

/** A list of an address, latest first, from a position on. `last` is the rest of the last position in a block. */
type List<Place> = {
  readonly chain: bigint
  readonly address: Buffer
  readonly range: BlockRange
  readonly past: Place
  readonly last: Omit<Place, 'number'>
}

/** Parts of a range that a list may read at once: an address with few rows in each of many would wait for each. */
const maxTogether = 4

/**
 * The next rows of a list, from one part of its range after the other until there are `limit`: first the nearest, which is
 * usually enough, then two at once, then four. Each part is read from a position down to a block. As between two pages, a
 * block may be replaced between two parts.
 */
export async function readByPartition<Row, Place extends { readonly number: bigint }>(
  database: Queryable,
  { chain, address, range, past, last }: List<Place>,
  limit: number,
  readPart: (start: Place, from: bigint, limit: number) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const before = past.number < range.before ? past.number + 1n : range.before
  const ranges = await readAddressRanges(database, chain, address, { ...range, before }, 'desc')
  const rows: Row[] = []
  for (let at = 0, together = 1; at < ranges.length && rows.length < limit; at += together) {
    if (at > 0) together = Math.min(2 * together, maxTogether)
    const left = limit - rows.length
    const found = await Promise.all(
      ranges.slice(at, at + together).map((part) => {
        // A position in the part, because that of its end would open the partition above.
        const start = past.number < part.before ? past : ({ ...last, number: part.before - 1n } as Place)
        return readPart(start, part.from, left)
      }),
    )
    rows.push(...found.flat().slice(0, left))
  }
  return rows
}
