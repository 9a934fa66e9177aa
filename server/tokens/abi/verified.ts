import type { Chain } from '../../kernel/settings/chains.ts'
import { readAbiItems } from '../../kernel/settings/abi-file.ts'
import { evictOldest } from '../../kernel/evict-oldest.ts'
import type { Queryable } from '../../store/database.ts'
import { readImplementations } from '../../store/evm/read-power-logs.ts'
import { readVerifiedAbis, type VerifiedAbi } from '../../store/evm/verified-contracts.ts'
import { indexAbi, type AbiBook, type ContractAbi } from './operator.ts'

/** ABIs that were read, by name and text: lists ask for the same contracts again and again. */
const known = new Map<string, ContractAbi>()
const maxKnown = 500

/** Reads the ABI of a verified contract. Types that only libraries have are left out. */
export function readVerifiedAbi({ name, abi }: Pick<VerifiedAbi, 'name' | 'abi'>): ContractAbi {
  const key = `${name} ${abi}`
  let read = known.get(key)
  if (!read) {
    read = indexAbi(name, readAbiItems(JSON.parse(abi) as unknown[]))
    known.set(key, read)
    evictOldest(known, maxKnown)
  }
  return read
}

/**
 * The book with the ABIs of those addresses that are verified contracts of the chain. With `block`, proxies have the ABI of
 * the code that they had after that block, too.
 */
export async function withVerified(
  abis: AbiBook,
  database: Queryable,
  chain: Chain,
  addresses: readonly (string | null)[],
  block?: bigint,
): Promise<AbiBook> {
  const asked = [...new Set(addresses)].filter((address) => address !== null && address !== '') as string[]
  const implementations =
    block === undefined
      ? new Map<string, string>()
      : await readImplementations(database, chain.key, asked, block)
  const rows = await readVerifiedAbis(database, chain.key, [
    ...new Set([...asked, ...implementations.values()]),
  ])
  const known = new Map<string, ContractAbi>()
  const own = new Map(
    rows.map((row) => [`0x${Buffer.from(row.address).toString('hex')}`, readVerifiedAbi(row)]),
  )
  for (const address of asked) {
    const target = implementations.get(address)
    const behind = target === undefined ? undefined : (abis.of(chain.id, target) ?? own.get(target))
    const abi = both(behind, own.get(address))
    if (abi) known.set(`${chain.id} ${address}`, abi)
  }
  return known.size === 0 ? abis : abis.with(known)
}

/** The ABI of a proxy: that of its code, and its own for what that does not have. */
function both(code: ContractAbi | undefined, own: ContractAbi | undefined): ContractAbi | undefined {
  if (!code || !own) return code ?? own
  return {
    name: code.name,
    functions: new Map([...own.functions, ...code.functions]),
    events: new Map([...own.events, ...code.events]),
    errors: new Map([...own.errors, ...code.errors]),
  }
}
