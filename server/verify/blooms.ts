import { keccak256, type Hex } from 'viem'
import type { Findings } from './findings.ts'
import type { NodeBlock } from './node.ts'

/**
 * Checks the blooms of headers against the logs, block by block in height order. A header that settles
 * earlier blocks (ACP-194) has the bloom of their logs, any other that of its own.
 */
export class BloomCheck {
  readonly #unsettled = new Map<number, bigint>()
  /** The height up to which the last block settles; undefined before the first one. */
  #settled: number | undefined

  check(block: NodeBlock, findings: Findings): void {
    const { number, settledHeight } = block
    const own = bloomOf(block)
    if (settledHeight === undefined) {
      this.#compare(block, own, findings)
      this.#settled = number
      return
    }
    this.#unsettled.set(number, own)
    const before = this.#settled
    this.#settled = settledHeight
    let bloom = 0n
    let complete = before !== undefined
    for (let at = (before ?? number) + 1; at <= settledHeight; at += 1) {
      // Blocks settled before the first checked block cannot be compared.
      complete &&= this.#unsettled.has(at)
      bloom |= this.#unsettled.get(at) ?? 0n
      this.#unsettled.delete(at)
    }
    if (complete) this.#compare(block, bloom, findings)
  }

  #compare({ number, bloom }: NodeBlock, counted: bigint, findings: Findings): void {
    if (BigInt(bloom) !== counted)
      findings.add('I2', `block ${number}: the logs do not give the header's bloom`)
  }
}

/** What a chain does by itself, without a sender and without gas, is in no root and no bloom of its header. */
const isSystem = ({ from, gasUsed }: NodeBlock['transactions'][number]): boolean =>
  from === `0x${'0'.repeat(40)}` && gasUsed === 0n

/** A logs bloom computed from the logs bit by bit, as defined in the Ethereum yellow paper. */
function bloomOf({ transactions }: NodeBlock): bigint {
  let bloom = 0n
  for (const { address, topics } of transactions.flatMap((each) => (isSystem(each) ? [] : each.logs))) {
    for (const item of [address, ...topics]) {
      const hash = keccak256(item as Hex)
      for (const at of [2, 6, 10]) bloom |= 1n << (BigInt(`0x${hash.slice(at, at + 4)}`) & 2047n)
    }
  }
  return bloom
}
