import type { Chain } from '../../kernel/settings/chains.ts'
import { readAbiItems } from '../../kernel/settings/abi-file.ts'
import { evictOldest } from '../../kernel/evict-oldest.ts'
import type { Queryable } from '../../store/database.ts'
import { readImplementations } from '../../store/evm/contracts/read-power-logs.ts'
import { readLabels, type LabelRow } from '../../store/evm/address-labels.ts'
import { readVerifiedAbis } from '../../store/evm/contracts/verified-contracts.ts'
import { indexAbi, type AbiBook, type ContractAbi } from './operator.ts'

type NamedAbi = { readonly name: string; readonly abi: string }

/** ABIs that were read, by name and text: lists ask for the same contracts again and again. */
const known = new Map<string, ContractAbi>()
const maxKnown = 500

/** Reads an ABI of the store. What has no form in an ABI, such as types that only libraries have, is left out. */
export function readStoredAbi(from: 'source' | 'label', { name, abi }: NamedAbi): ContractAbi {
  const key = `${from} ${name} ${abi}`
  let read = known.get(key)
  if (!read) {
    read = indexAbi(name, from, readAbiItems(JSON.parse(abi) as unknown[]))
    known.set(key, read)
    evictOldest(known, maxKnown)
  }
  return read
}

/** The ABI that a label gives; undefined without one. */
export const labelledAbi = (label: LabelRow | undefined): ContractAbi | undefined =>
  label && label.abi !== null
    ? readStoredAbi('label', { name: label.name ?? 'label', abi: label.abi })
    : undefined

/**
 * The book with the ABIs of those addresses that are verified contracts of the chain, or else have one by a label. With
 * `block`, proxies have the ABI of the code that they had after that block, too.
 */
export async function withStored(
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
  const every = [...new Set([...asked, ...implementations.values()])]
  const [verified, labels] = await Promise.all([
    readVerifiedAbis(database, chain.key, every),
    readLabels(database, chain.key, every),
  ])
  const own = new Map<string, ContractAbi>()
  for (const [address, label] of labels) {
    const abi = labelledAbi(label)
    if (abi) own.set(address, abi)
  }
  for (const row of verified) own.set(`0x${row.address.toString('hex')}`, readStoredAbi('source', row))
  const found = new Map<string, ContractAbi>()
  for (const address of asked) {
    const target = implementations.get(address)
    const behind = target === undefined ? undefined : (abis.of(chain.id, target) ?? own.get(target))
    const abi = both(behind, own.get(address))
    if (abi) found.set(`${chain.id} ${address}`, abi)
  }
  return found.size === 0 ? abis : abis.with(found)
}

/** The ABI of a proxy: that of its code, and its own for what that does not have. */
function both(code: ContractAbi | undefined, own: ContractAbi | undefined): ContractAbi | undefined {
  if (!code || !own || own.from === 'label') return code ?? own
  return {
    name: code.name,
    from: code.from,
    functions: new Map([...own.functions, ...code.functions]),
    events: new Map([...own.events, ...code.events]),
    errors: new Map([...own.errors, ...code.errors]),
  }
}
