import type { Queryable } from '../../store/database.ts'
import { readListed, type Bounds } from '../../store/partitions.ts'
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

  /** Notes the addresses of blocks. Of partitions that are not listed they are never read, and not written. */
  async write(
    sql: Queryable,
    blocks: readonly { readonly number: number; readonly addresses: ReadonlySet<string> }[],
    listed: readonly Bounds[],
  ): Promise<void> {
    for (const { from, before } of listed) {
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

async function noteAddresses(
  sql: Queryable,
  chain: number,
  from: bigint,
  addresses: readonly string[],
): Promise<void> {
  if (addresses.length === 0) return
  await sql`
    insert into address_partitions (chain, address, from_block)
    select ${chain}::bigint, address, ${from}::bigint
    from unnest(${byteaList(addresses)}::text::bytea[]) as noted (address)
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
  const [low, high] = [BigInt(Math.min(...numbers)), BigInt(Math.max(...numbers))]
  await new AddressPartitions(chain).write(sql, blocks, await readListed(sql, BigInt(chain), low, high))
}
