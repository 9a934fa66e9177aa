import {
  BaseError,
  createClient,
  custom,
  defineChain,
  SwitchChainError,
  UserRejectedRequestError,
  type Chain,
  type Hash,
  type Hex,
} from 'viem'
import { addChain, getChainId, sendTransaction, switchChain } from 'viem/actions'
import type { EvmChain } from '../../../contract/evm/chains.ts'
import type { Account } from './wallets.ts'

/** What the wallet is asked to sign and send. */
type Sent = { readonly to: string; readonly data: Hex; readonly value: bigint }

/** A chain as wallets know it; `explorer` is where `/tx/…` leads to the page of a transaction (EIP-3091). */
const walletChain = (chain: EvmChain, explorer: string): Chain =>
  defineChain({
    id: Number(chain.chainId),
    name: chain.chainName,
    nativeCurrency: {
      name: chain.networkToken.name,
      symbol: chain.networkToken.symbol,
      decimals: chain.networkToken.decimals,
    },
    rpcUrls: { default: { http: [chain.rpcUrl] } },
    blockExplorers: { default: { name: 'Ridgeline', url: explorer } },
  })

/**
 * Has a wallet sign a transaction and send it, on the chain of the page, which it switches to, and which it is told of if it
 * does not know it. Resolves with the hash. Throws an Error whose message is for the person.
 */
export async function sendByWallet(
  { wallet, address }: Account,
  chain: EvmChain,
  explorer: string,
  { to, data, value }: Sent,
): Promise<Hash> {
  const target = walletChain(chain, explorer)
  const client = createClient({ transport: custom(wallet.provider, { retryCount: 0 }), chain: target })
  try {
    if ((await getChainId(client)) !== target.id) {
      try {
        await switchChain(client, { id: target.id })
      } catch (error) {
        if (!(error instanceof SwitchChainError) || chain.rpcUrl === '') throw error
        await addChain(client, { chain: target })
        // Some wallets add a network without changing to it.
        if ((await getChainId(client)) !== target.id) await switchChain(client, { id: target.id })
      }
    }
    return await sendTransaction(client, {
      account: address as Hex,
      to: to as Hex,
      data,
      value,
      chain: target,
    })
  } catch (error) {
    throw new Error(reasonOf(error, wallet.name), { cause: error })
  }
}

function reasonOf(error: unknown, name: string): string {
  if (!(error instanceof BaseError)) return error instanceof Error ? error.message : String(error)
  if (error.walk((cause) => cause instanceof UserRejectedRequestError)) return `You declined in ${name}.`
  const { details, shortMessage } = error
  return `${name}: ${details || shortMessage}`
}
