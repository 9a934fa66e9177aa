import type { Hex } from '../kernel/hex.ts'
import { isHex, quantity } from '../kernel/hex.ts'
import type { RpcCall, RpcClient } from './rpc.ts'

/** What a block does to an account besides its transactions. */
export interface AccountChange {
  /** 20 bytes, hex without 0x. */
  readonly account: string
  /** nAVAX; negative when it leaves. */
  readonly amount: bigint
  /** How many nonces it uses up. */
  readonly exports: number
}

const WEI = 10n ** 9n

/** Applies what atomic transactions do to accounts: the node knows none, so this is set before their block is made. */
export async function settleAccounts(rpc: RpcClient, changes: readonly AccountChange[]): Promise<void> {
  for (const { account, amount, exports } of changes) {
    const address: Hex = `0x${account}`
    const [balance, nonce] = await rpc.batch([
      { method: 'eth_getBalance', params: [address, 'latest'] },
      { method: 'eth_getTransactionCount', params: [address, 'latest'] },
    ])
    if (!isHex(balance) || !isHex(nonce)) throw new Error(`no balance of ${address}`)
    const after = BigInt(balance) + amount * WEI
    // Whoever holds the account's key may have spent its coins in the meantime.
    const calls: RpcCall[] = [
      { method: 'anvil_setBalance', params: [address, quantity(after > 0n ? after : 0n)] },
    ]
    if (exports > 0) {
      const next = BigInt(nonce) + BigInt(exports)
      calls.push({ method: 'anvil_setNonce', params: [address, quantity(next)] })
    }
    await rpc.batch(calls)
  }
}
