import type { PrimaryChainAlias } from '../../../contract/primary/chains.ts'
import { namesById, pBlockTypeIds, xBlockTypeIds } from '../../../protocol/primary/transaction-types.ts'

const blockTypes = { 'p-chain': namesById(pBlockTypeIds), 'x-chain': namesById(xBlockTypeIds) }

/** The name of a block's type by the codec's id; the C-Chain has one. */
export function blockTypeOf(alias: PrimaryChainAlias, type: number | null): string {
  if (alias === 'c-chain') return 'EvmBlock'
  return blockTypes[alias].get(type ?? -1) ?? 'UNKNOWN'
}
