import type { Genesis } from '../primary/genesis-text.ts'

/** An account with a balance or code in a genesis. */
type Allocation = {
  readonly address: string
  /** Wei, in decimal digits. */
  readonly balance: string
  readonly codeSizeBytes: number
  readonly storageCount: number
  readonly nonce?: number | bigint
}

/** The allocations of an EVM chain's genesis, in order; an invalid entry counts as an empty account. */
export function allocationsOf(genesis: Genesis): Allocation[] {
  const alloc = genesis.object?.['alloc']
  if (!isObject(alloc)) return []
  return Object.entries(alloc).map(([address, account]) => {
    const fields = isObject(account) ? account : {}
    const nonce = quantity(fields['nonce'])
    const { code, storage } = fields as { code?: unknown; storage?: unknown }
    return {
      address: /^[0-9a-f]{40}$/i.test(address) ? `0x${address}` : address,
      balance: (quantity(fields['balance']) ?? 0n).toString(),
      codeSizeBytes: typeof code === 'string' ? Math.floor(code.replace(/^0x/, '').length / 2) : 0,
      storageCount: isObject(storage) ? Object.keys(storage).length : 0,
      ...(nonce !== undefined && { nonce }),
    }
  })
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A number in a genesis: hex or decimal text, or a JSON number; undefined for anything else. */
function quantity(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value >= 0n ? value : undefined
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined
  if (typeof value === 'string' && /^(0x[0-9a-f]{1,64}|\d{1,78})$/i.test(value)) return BigInt(value)
  return undefined
}
