import { keccak256, type Hex } from 'viem'
import { bytesOf } from '../../../http/route-context.ts'
import type { Chain } from '../../../kernel/settings/chains.ts'
import type { NodeClient } from '../../../node/client.ts'
import { findProxy, type ProxyTarget } from '../../../node/proxy.ts'
import { codeOf } from '../../../node/state.ts'
import type { Queryable } from '../../../store/database.ts'
import { readLabels } from '../../../store/evm/address-labels.ts'
import { readVerifiedByCode } from '../../../store/evm/contracts/verified-contracts.ts'
import type { AbiBook, ContractAbi } from '../../../tokens/abi/operator.ts'
import { labelledAbi, readStoredAbi } from '../../../tokens/abi/stored.ts'

/** A contract with its code at the head. */
type Contract = {
  readonly address: string
  readonly code: Hex
  readonly proxy: ProxyTarget | undefined
}

/**
 * The ABI of a contract: the operator's, that of its implementation if it is a proxy, else that of verified sources of the
 * same code, else that of its label.
 */
export async function abiOf(
  abis: AbiBook,
  database: Queryable,
  chain: Chain,
  { address, code, proxy }: Contract,
  client: NodeClient,
): Promise<ContractAbi | undefined> {
  const own = abis.of(chain.id, address)
  if (own) return own
  const behind =
    proxy &&
    (abis.of(chain.id, proxy.implementation) ??
      (await sameCodeAbi(database, chain, await codeOf(client, proxy.implementation))))
  const sources = behind ?? (await sameCodeAbi(database, chain, code))
  if (sources) return sources
  const labels = await readLabels(database, chain.key, [address, ...(proxy ? [proxy.implementation] : [])])
  return (proxy && labelledAbi(labels.get(proxy.implementation))) ?? labelledAbi(labels.get(address))
}

/** The same for an address, whose code and proxy the node is asked for unless the operator gave an ABI for it. */
export async function findAbi(
  abis: AbiBook,
  database: Queryable,
  chain: Chain,
  client: NodeClient,
  address: string,
): Promise<ContractAbi | undefined> {
  const own = abis.of(chain.id, address)
  if (own) return own
  const code = await codeOf(client, address)
  const proxy = await findProxy(client, address, code)
  return abiOf(abis, database, chain, { address, code, proxy }, client)
}

async function sameCodeAbi(database: Queryable, chain: Chain, code: Hex): Promise<ContractAbi | undefined> {
  if (code === '0x') return undefined
  const row = await readVerifiedByCode(database, chain.key, bytesOf(keccak256(code)))
  return row && readStoredAbi('source', row)
}
