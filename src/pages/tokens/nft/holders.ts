import type { TokenTransferRow } from '../../../../contract/tokens/tokens.ts'

export type IdHolder = { address: string; balance: string }

/** What the transfers of one ERC-1155 id come to: who has some of it, most first. */
export function holdersOf(transfers: Iterable<TokenTransferRow>): IdHolder[] {
  const balances = new Map<string, { address: string; balance: bigint }>()
  const add = (address: string, amount: bigint): void => {
    if (/^0x0{40}$/.test(address)) return
    const key = address.toLowerCase()
    const held = balances.get(key) ?? { address, balance: 0n }
    held.balance += amount
    balances.set(key, held)
  }
  for (const { from, to, value = '1' } of transfers) {
    add(from.address, -BigInt(value))
    add(to.address, BigInt(value))
  }
  return [...balances.values()]
    .filter(({ balance }) => balance > 0n)
    .sort((a, b) => (a.balance < b.balance ? 1 : a.balance > b.balance ? -1 : a.address < b.address ? -1 : 1))
    .map(({ address, balance }) => ({ address, balance: balance.toString() }))
}
