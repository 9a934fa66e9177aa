import { priceAt } from '../../../protocol/primary/l1-fees.ts'
import type { PrimaryStatusRow } from '../../store/primary/read-primary.ts'
import type { NetworkView } from '../primary/context.ts'

/** The balances of L1 validators at the head of a network. */
export type L1Meter = {
  /**
   * nAVAX per second by the terms that the node reports; undefined before these are known and before the
   * first block.
   */
  readonly price: bigint | undefined
  /** The remaining balance in nAVAX; 0 while inactive. */
  remaining(endFee: string | null): bigint
  /** Seconds after the head until the balance is exhausted at the current price. */
  secondsLeft(endFee: string | null): bigint | undefined
}

export function openL1Meter(view: NetworkView): L1Meter {
  const head = view.statusOf(view.network.p)
  const accrued = BigInt(head?.accrued_fees ?? '0')
  const price = head && priceOf(head)
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

function priceOf({ l1_excess: excess, l1_min_price: least, l1_conversion: conversion }: PrimaryStatusRow) {
  if (excess === null || least === null || conversion === null) return undefined
  return priceAt({ minPrice: BigInt(least), conversion: BigInt(conversion) }, BigInt(excess))
}
