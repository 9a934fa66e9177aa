import { formatUnits } from 'viem'
import type { Chain } from '../kernel/settings/chains.ts'
import type { Nodes } from '../node/nodes.ts'
import { ifKnown, nativeBalanceAt, soon } from '../node/state.ts'
import type { NativeBalance } from './facts.ts'
import { addressId } from './rules.ts'

/** An address of which a rule wants to know the balance. */
export type BalanceOwner = { readonly evmChain: string; readonly address: string }

/** Milliseconds that a round waits for the balances. */
const timeoutMs = 5_000

/** What addresses hold of their chain's native token at the node's latest block, by the ids of subjects. */
export type ReadBalances = (owners: readonly BalanceOwner[]) => Promise<Record<string, NativeBalance>>

/** Reads balances from the nodes of chains. What a node does not answer in time is left out. */
export function createBalances(nodes: Nodes, chains: readonly Chain[]): ReadBalances {
  return async (owners) => {
    const found = await Promise.all(
      owners.map(async ({ evmChain, address }): Promise<[id: string, held: NativeBalance][]> => {
        const chain = chains.find(({ id }) => id === evmChain)
        if (!chain) return []
        const { decimals, symbol } = chain.config.token
        const balance = await soon(ifKnown(nativeBalanceAt(nodes, chain, address)), timeoutMs)
        if (balance === undefined) return []
        return [[addressId(evmChain, address), { amount: formatUnits(balance, decimals), symbol }]]
      }),
    )
    return Object.fromEntries(found.flat())
  }
}
