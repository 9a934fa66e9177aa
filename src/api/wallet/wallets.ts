import * as z from 'zod/mini'
import { createStore } from '../../lib/storage/store.ts'

/** What pages ask a wallet (EIP-1193). */
type Provider = {
  request(asked: { method: string; params?: unknown }): Promise<unknown>
  on?(event: string, listener: (value: never) => void): unknown
  removeListener?(event: string, listener: (value: never) => void): unknown
}

/** A wallet of this browser, as it announced itself (EIP-6963). */
type Wallet = {
  readonly id: string
  readonly name: string
  /** A picture as a `data:` URI; undefined if what it sent is none. */
  readonly icon: string | undefined
  readonly provider: Provider
}

/** A wallet with the account that its owner lets this page know. */
export type Account = { readonly wallet: Wallet; readonly address: string }

/** The wallets that have announced themselves since the first `findWallets`. */
export const wallets = createStore<readonly Wallet[]>([])

/** The account that is in use; kept in memory only, so that a page that loads anew asks again. */
export const account = createStore<Account | undefined>(undefined)

const announcement = z.object({
  info: z.object({ uuid: z.string().check(z.minLength(1)), name: z.string(), icon: z.string() }),
  provider: z.unknown(),
})

const isProvider = (value: unknown): value is Provider =>
  typeof value === 'object' && value !== null && typeof (value as Provider).request === 'function'

let isListening = false

/** Asks the wallets of this browser to announce themselves, once; later ones are heard too. */
export function findWallets(): void {
  if (!isListening) {
    isListening = true
    addEventListener('eip6963:announceProvider', (event) => {
      const { data } = announcement.safeParse((event as CustomEvent).detail)
      if (!data || !isProvider(data.provider)) return
      const { provider } = data
      const { uuid: id, name, icon } = data.info
      wallets.set((now) =>
        now.some((wallet) => wallet.id === id)
          ? now
          : [...now, { id, name, icon: icon.startsWith('data:image/') ? icon : undefined, provider }],
      )
    })
  }
  dispatchEvent(new Event('eip6963:requestProvider'))
}

const address = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/))

/** The first account of a wallet's answer; undefined without one. */
const firstOf = (accounts: unknown): string | undefined =>
  Array.isArray(accounts) ? address.safeParse(accounts[0]).data : undefined

let leave = (): void => undefined

/** Asks a wallet for an account, whose owner may decline, and follows what the owner then changes. */
export async function connectWallet(wallet: Wallet): Promise<void> {
  const { provider } = wallet
  const found = firstOf(await provider.request({ method: 'eth_requestAccounts' }))
  if (found === undefined) throw new Error(`${wallet.name} gave no account.`)
  disconnectWallet()
  const follow = (accounts: unknown): void => {
    const next = firstOf(accounts)
    account.set(next === undefined ? undefined : { wallet, address: next })
  }
  provider.on?.('accountsChanged', follow)
  leave = () => provider.removeListener?.('accountsChanged', follow)
  account.set({ wallet, address: found })
}

/** Forgets the account; the wallet itself still lets this page know it. */
export function disconnectWallet(): void {
  leave()
  leave = () => undefined
  account.set(undefined)
}
