import type { Queryable } from '../../store/database.ts'
import type { Bounds } from '../../store/partitions.ts'
import { byteaList } from '../../store/sql-literals.ts'

const addressesKept = 60_000

/**
 * Notes which partitions hold rows of an address. The addresses that were noted last are kept in memory. Nothing is taken
 * back, so only a failed transaction requires `reset`.
 */
export class AddressPartitions {
  readonly #chain: number
  readonly #known = new Set<string>()
  #part: bigint | undefined

  constructor(chain: number) {
    this.#chain = chain
  }

  reset(): void {
    this.#known.clear()
  }

  /** Notes the addresses of blocks, which are in these partitions. */
  async write(
    sql: Queryable,
    blocks: readonly { readonly number: number; readonly addresses: ReadonlySet<string> }[],
    parts: readonly Bounds[],
  ): Promise<void> {
    for (const { from, before } of parts) {
      const inPart = blocks.filter(({ number }) => from <= number && number < before)
      if (inPart.length === 0) continue
      if (this.#part !== from || this.#known.size > addressesKept) this.#known.clear()
      this.#part = from
      const fresh: string[] = []
      for (const { addresses } of inPart) {
        for (const address of addresses) {
          if (this.#known.has(address)) continue
          this.#known.add(address)
          fresh.push(address)
        }
      }
      await noteAddresses(sql, this.#chain, from, fresh)
    }
  }
}

/** Notes addresses of a partition. Those of a partition that is not listed are never read, and not written. */
async function noteAddresses(
  sql: Queryable,
  chain: number,
  from: bigint,
  addresses: readonly string[],
): Promise<void> {
  if (addresses.length === 0) return
  await sql`
    insert into address_partitions (chain, address, from_block)
    select ${chain}, address, ${from} from unnest(${byteaList(addresses)}::text::bytea[]) as noted (address)
    where exists (select from listed_partitions where chain = ${chain} and from_block = ${from})
    on conflict do nothing`
}

/** Notes the addresses of calls that were stored behind their blocks. */
export async function noteAddressesAt(
  sql: Queryable,
  chain: number,
  blocks: readonly { readonly number: number; readonly addresses: ReadonlySet<string> }[],
): Promise<void> {
  if (blocks.length === 0) return
  const numbers = blocks.map(({ number }) => number)
  const parts = await sql<{ from: bigint; before: bigint }[]>`
    select from_block as from, before_block as before from listed_partitions
    where chain = ${chain} and before_block > ${Math.min(...numbers)} and from_block <= ${Math.max(...numbers)}`
  await new AddressPartitions(chain).write(sql, blocks, parts)
}
