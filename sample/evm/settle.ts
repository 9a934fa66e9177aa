import type { AccountChange } from './settle-accounts.ts'
import { isHex } from '../kernel/hex.ts'
import type { RpcClient } from './rpc.ts'
import type { LedgerHost } from '../primary/host/host.ts'
import type { EvmView, Hex } from '../primary/ledger.ts'

/** What the C-chain's node says of these accounts (20 bytes each, hex) at its head. */
export async function accountsOf(rpc: RpcClient, accounts: readonly Hex[]): Promise<EvmView['accounts']> {
  const found = await rpc.batch(
    accounts.flatMap((account) => [
      { method: 'eth_getBalance', params: [`0x${account}`, 'latest'] },
      { method: 'eth_getTransactionCount', params: [`0x${account}`, 'latest'] },
    ]),
  )
  return new Map(
    accounts.map((account, index) => {
      const [balance, nonce] = [found[2 * index], found[2 * index + 1]]
      if (!isHex(balance) || !isHex(nonce)) throw new Error(`no balance of ${account}`)
      return [account, { balance: BigInt(balance), nonce: BigInt(nonce) }]
    }),
  )
}

/**
 * Settles the C block of this height. Transactions from outside were held against the EVM when they came; by now their
 * accounts may have paid for something else, so they are looked at again.
 */
export async function settleBlock(
  host: LedgerHost,
  rpc: RpcClient,
  height: number,
  time: number,
): Promise<readonly AccountChange[]> {
  const waiting = host.waitingAccounts()
  if (waiting.length === 0) return host.settleC(height, time)
  return host.settleC(height, time, { baseFee: 0n, accounts: await accountsOf(rpc, waiting) })
}
