import { addressOf, type SeedBlock } from './chain-rows.ts'
import { logOf, zeroAddress, type Movement } from './token-logs.ts'

export type TokenBlock = { readonly number: number; readonly ts: number; readonly moves: readonly Movement[] }

/** A seeded generator of small numbers. */
export function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

/** The rows of token blocks: each movement is a transaction of its sender with one log. */
export function seedBlocks(blocks: readonly TokenBlock[], branch?: string): SeedBlock[] {
  return blocks.map(({ number, ts, moves }) => ({
    number,
    ts,
    ...(branch !== undefined && { branch }),
    txs: moves.map((move) => ({
      from: move.from === zeroAddress ? addressOf('minter') : move.from,
      to: move.token,
      logs: [logOf(move)],
    })),
  }))
}

/** The people and tokens of `randomBlocks`. */
export type Cast = {
  readonly people: readonly string[]
  readonly tokens: readonly (readonly [kind: Movement['kind'], token: string])[]
}

/**
 * Seeded random blocks of movements: mints, burns, transfers to oneself and of zero, batches that name an id twice,
 * and transfers above the sender's balance.
 */
export function randomBlocks(
  seed: number,
  cast: Cast,
  from: number,
  count: number,
  ts: number,
): TokenBlock[] {
  const below = numbers(seed)
  const pick = <Item>(list: readonly Item[]): Item => {
    const item = list[below(list.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
  return Array.from({ length: count }, (_, index) => ({
    number: from + index,
    ts: ts + index * 3_600,
    moves: Array.from({ length: below(5) }, (): Movement => {
      const [kind, token] = pick(cast.tokens)
      const items = Array.from({ length: kind === 1155 ? 1 + below(4) : 1 }, () => ({
        id: kind === 20 ? 0n : BigInt(below(kind === 721 ? 9 : 4)),
        value: kind === 721 ? 1n : BigInt(below(6) === 0 ? 0 : below(1_000)),
      }))
      const parties = [zeroAddress, zeroAddress, ...cast.people]
      return { kind, token, items, from: pick(parties), to: pick(cast.people.concat(zeroAddress)) }
    }),
  }))
}

/** The holdings of an address after a block by `token id`, summed from the movements; zeros included. */
export function holdingsAt(
  blocks: readonly TokenBlock[],
  address: string,
  kind: Movement['kind'],
  number: number,
): Map<string, { token: string; id: bigint; balance: bigint }> {
  const held = new Map<string, { token: string; id: bigint; balance: bigint }>()
  for (const block of blocks) {
    if (block.number > number) continue
    for (const move of block.moves) {
      if (move.kind !== kind) continue
      for (const { id, value } of move.items) {
        const key = `${move.token} ${id}`
        const entry = held.get(key) ?? { token: move.token, id, balance: 0n }
        if (move.to === address) entry.balance += value
        if (move.from === address) entry.balance -= value
        held.set(key, entry)
      }
    }
  }
  return held
}
