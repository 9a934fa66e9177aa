import type { Page } from '@playwright/test'
import { createWalletClient, http, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** What a page has asked of the wallet. */
type Asked = { readonly method: string; readonly params: readonly unknown[] }

type Sent = { readonly to: Hex; readonly data?: Hex; readonly value?: Hex }

type Answer =
  { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } }

/**
 * A wallet for tests: announces itself to pages (EIP-6963), knows only Ethereum's main network until it is told of another,
 * and signs with a key of its own what it is asked to send, unless its owner declines.
 */
type TestWallet = {
  readonly address: Hex
  readonly asked: readonly Asked[]
  /** Whether the owner declines what is to be signed. */
  declines: boolean
  /** Signs and sends without a page; resolves with the hash. */
  send(transaction: Sent): Promise<Hex>
  /** Makes the wallet one of the page's browser; before the page is opened. */
  install(page: Page): Promise<void>
}

/** The codes of EIP-1193, and of EIP-3326 for a chain that the wallet does not know. */
const codes = { rejected: 4001, unknownChain: 4902, unsupported: 4200 } as const

export function createTestWallet(nodeUrl: () => string): TestWallet {
  const account = privateKeyToAccount(generatePrivateKey())
  const asked: Asked[] = []
  const known = new Set([1])
  let chainId = 1
  const wallet: TestWallet = {
    address: account.address,
    asked,
    declines: false,
    send,
    async install(page) {
      await page.exposeFunction('askTestWallet', answer)
      await page.addInitScript(() => {
        const ask = (globalThis as unknown as { askTestWallet: (asked: unknown) => Promise<never> })
          .askTestWallet
        const provider = {
          request: async (request: unknown) => {
            const said: { result?: unknown; error?: { code: number; message: string } } = await ask(request)
            if (said.error) throw Object.assign(new Error(said.error.message), said.error)
            return said.result
          },
          on: () => provider,
          removeListener: () => provider,
        }
        const icon = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>'
        const info = {
          uuid: '350670db-19fa-4704-a166-e52e178b59d2',
          name: 'Test wallet',
          icon,
          rdns: 'example.wallet',
        }
        const announce = () =>
          dispatchEvent(
            new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }),
          )
        addEventListener('eip6963:requestProvider', announce)
        announce()
      })
    },
  }

  async function answer({
    method,
    params,
  }: {
    method: string
    params?: readonly unknown[]
  }): Promise<Answer> {
    asked.push({ method, params: params ?? [] })
    const [first] = params ?? []
    const id = Number((first as { chainId?: string } | undefined)?.chainId)
    const refuse = (code: number, message: string): Answer => ({ error: { code, message } })
    switch (method) {
      case 'eth_requestAccounts':
        return { result: [account.address] }
      case 'eth_chainId':
        return { result: `0x${chainId.toString(16)}` }
      case 'wallet_switchEthereumChain':
        if (!known.has(id)) return refuse(codes.unknownChain, 'Unrecognized chain ID')
        chainId = id
        return { result: null }
      case 'wallet_addEthereumChain':
        known.add(id)
        return { result: null }
      case 'eth_sendTransaction':
        return wallet.declines
          ? refuse(codes.rejected, 'The user said no')
          : { result: await send(first as Sent) }
      default:
        return refuse(codes.unsupported, `no ${method} here`)
    }
  }

  function send({ to, data, value }: Sent): Promise<Hex> {
    const client = createWalletClient({ account, transport: http(nodeUrl()) })
    return client.sendTransaction({ to, ...(data && { data }), value: BigInt(value ?? '0x0'), chain: null })
  }

  return wallet
}
