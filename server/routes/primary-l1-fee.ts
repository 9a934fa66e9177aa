import { priceAt } from '../primary/l1-fees.ts'
import type { NetworkView } from './primary-context.ts'

/** Of the fee of L1 validators: the least price in nAVAX a second, and how slowly it grows (primary.md). */
const terms = new Map<number, { readonly minPrice: bigint; readonly conversion: bigint }>([
  [1, { minPrice: 512n, conversion: 1_246_488_515n }],
  [5, { minPrice: 512n, conversion: 51_937_021n }],
])
const localTerms = { minPrice: 1n, conversion: 865_617n }

/** What an active L1 validator pays a second on a network, by the excess over the target; at most 2^64 - 1 nAVAX. */
function l1Price(networkId: number, excess: bigint): bigint {
  return priceAt(terms.get(networkId) ?? localTerms, excess)
}

/** The balances of L1 validators at the head of a network. */
export type L1Meter = {
  /** nAVAX a second; undefined before the first block that says it. */
  readonly price: bigint | undefined
  /** What is left of a balance, in nAVAX; 0 while inactive. */
  remaining(endFee: string | null): bigint
  /** Seconds after the head at which a balance is used up at the present price. */
  secondsLeft(endFee: string | null): bigint | undefined
}

export function openL1Meter(view: NetworkView): L1Meter {
  const head = view.standing(view.network.p)
  const accrued = BigInt(head?.accrued_fees ?? '0')
  const price =
    head?.l1_excess == null ? undefined : l1Price(view.network.config.networkId, BigInt(head.l1_excess))
  const remaining = (endFee: string | null): bigint => {
    if (endFee === null) return 0n
    const left = BigInt(endFee) - accrued
    return left > 0n ? left : 0n
  }
  return {
    price,
    remaining,
    secondsLeft(endFee) {
      if (endFee === null || price === undefined) return undefined
      return (remaining(endFee) + price - 1n) / price
    },
  }
}
