import { primaryChainIds } from '../../contract/primary/chains.ts'
import type { ChainConfig } from '../kernel/settings/config.ts'
import { cb58, hexText } from '../../protocol/ids/text.ts'
import type { ServedNetwork } from '../primary/served-network.ts'
import type { Queryable } from '../store/database.ts'
import { readChainSubnets } from '../store/signatures/read-warp.ts'

/** A blockchain that messages come from: its name, and the subnet (cb58) that validates it. */
export type Source = { readonly name: string; readonly subnetId: string }

/** The subnet of the primary network, which validates P, X and C. */
export const primarySubnetId = primaryChainIds.p

const pChain: Source = { name: 'P-Chain', subnetId: primarySubnetId }

/**
 * What is known of blockchains, by their ids in hex with 0x: the P-Chain always, others from the index, or from
 * the configuration where the index has not come to them yet. Unknown ones are left out.
 */
export async function readSources(
  database: Queryable,
  network: ServedNetwork,
  chains: readonly ChainConfig[],
  ids: readonly Uint8Array[],
): Promise<ReadonlyMap<string, Source>> {
  const known = await readChainSubnets(database, network.p, ids)
  const found = new Map<string, Source>()
  for (const id of ids) {
    const text = cb58(id)
    const row = known.find((each) => each.blockchain_id.equals(id))
    const configured = chains.find((each) => each.network === network.id && each.blockchainId === text)
    const subnetId = row ? cb58(row.subnet) : configured?.subnetId
    const name = configured?.name ?? row?.name
    if (text === primaryChainIds.p) found.set(hexText(id), pChain)
    else if (subnetId !== undefined && name !== undefined) found.set(hexText(id), { name, subnetId })
  }
  return found
}
