import type { Hex } from 'viem'
import type { BareHex } from '../../../protocol/ids/bare-hex.ts'
import { isHex, quantity } from '../../kernel/hex.ts'
import type { CBlock, LedgerHost } from '../../primary/host/host.ts'
import type { AccountChange, EvmView } from '../../primary/ledger.ts'
import type { RpcCall, RpcClient } from './rpc.ts'

/** The state of these accounts (20 bytes each, hex) at the head of the C-Chain's node. */
export async function accountsOf(rpc: RpcClient, accounts: readonly BareHex[]): Promise<EvmView['accounts']> {
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
 * Settles a C block. Transactions of users were checked against the EVM when they were submitted;
 * their accounts may have spent coins since, so they are checked again.
 */
export async function settleBlock(
  host: LedgerHost,
  rpc: RpcClient,
  block: CBlock,
): Promise<readonly AccountChange[]> {
  const waiting = host.waitingAccounts()
  if (waiting.length === 0) return host.settleC(block)
  return host.settleC(block, { baseFee: 0n, accounts: await accountsOf(rpc, waiting) })
}

/** Atomic transactions count in nAVAX, accounts in wei. */
export const weiPerNano = 10n ** 9n

/** Applies atomic transactions to accounts before their block is mined: the node does not know such transactions. */
export async function settleAccounts(rpc: RpcClient, changes: readonly AccountChange[]): Promise<void> {
  for (const { account, amount, exports } of changes) {
    const address: Hex = `0x${account}`
    const [balance, nonce] = await rpc.batch([
      { method: 'eth_getBalance', params: [address, 'latest'] },
      { method: 'eth_getTransactionCount', params: [address, 'latest'] },
    ])
    if (!isHex(balance) || !isHex(nonce)) throw new Error(`no balance of ${address}`)
    const after = BigInt(balance) + amount * weiPerNano
    // The key's owner may have spent the coins in the meantime.
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
