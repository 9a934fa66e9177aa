import type { L1FeeRules } from '../../../protocol/primary/l1-fees.ts'
import type { PrimaryNode } from './node.ts'
import type { Upgrades } from './p-state.ts'

/** The constants of a network, as its node has them. */
export type NetworkConstants = {
  /** The ids of the X- and the C-Chain. */
  readonly ids: { readonly x: Uint8Array; readonly c: Uint8Array }
  readonly avaxAsset: Uint8Array
  readonly upgrades: Upgrades
  readonly l1Fees: L1FeeRules
}

/** For nodes that are too old to report upgrades: all upgrades are active, as on local networks. */
const allUpgrades: Upgrades = { cortina: 0, durango: 0, etna: 0, helicon: Infinity }

/** For networks whose nodes do not report fee rules; they have no L1 validators either. */
const noL1Fees: L1FeeRules = { target: 10_000n, minPrice: 1n, conversion: 865_617n }

/** Fetches the constants of a network. */
export async function readConstants(node: PrimaryNode, signal: AbortSignal): Promise<NetworkConstants> {
  return {
    ids: { x: await node.blockchainId('X', signal), c: await node.blockchainId('C', signal) },
    avaxAsset: await node.stakingAsset(signal),
    upgrades: (await node.upgrades(signal)) ?? allUpgrades,
    l1Fees: (await node.l1FeeRules(signal)) ?? noL1Fees,
  }
}
