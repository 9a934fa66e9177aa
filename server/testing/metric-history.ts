import { addressOf, type SeedBlock, type SeedTransaction } from './chain-rows.ts'
import { deliveredLog, sentLog, weightPayload } from './message-logs.ts'
import { numbers } from './token-history.ts'
import { logOf } from './token-logs.ts'

const day = 86_400

const elsewhere = new Uint8Array(32).fill(5)

/** Blocks over forty days: busy hours, empty blocks, days without blocks, and a block exactly at midnight. */
export function history(seed: number, from: number, count: number): SeedBlock[] {
  const below = numbers(seed)
  const blocks: SeedBlock[] = [{ number: 0, ts: 0, txs: [] }]
  let ts = from
  for (let number = 1; number <= count; number += 1) {
    const txs: SeedTransaction[] = Array.from({ length: below(5) }, () => ({
      from: addressOf(`party ${below(12)}`),
      to: addressOf(`party ${below(30)}`),
      gasUsed: 21_000n + BigInt(below(100_000)),
      gasPrice: BigInt(25_000_000_000 + below(1_000_000_000)),
      status: below(4) === 0 ? (0 as const) : (1 as const),
      // Some contracts transfer tokens of two kinds.
      logs: [
        logOf({
          kind: below(2) === 0 ? 20 : 1155,
          token: addressOf(`token ${Math.min(below(40), number)}`),
          from: addressOf(`party ${below(12)}`),
          to: addressOf(`party ${below(30)}`),
          items: [{ id: 7n, value: BigInt(below(9)) }],
        }),
        ...(number % 3 === 0 ? [sentLog(elsewhere, addressOf('app'), weightPayload(BigInt(number)))] : []),
        ...(number % 4 === 0 ? [deliveredLog(elsewhere)] : []),
      ],
      ...(below(6) === 0 && {
        contracts: [
          {
            address: addressOf(`made ${seed} ${number}`),
            deployer: addressOf(`party ${below(4)}`),
            ordinal: -1,
          },
        ],
      }),
    }))
    blocks.push({ number, ts, txs })
    ts += number % 50 === 0 ? 3 * day : 60 + below(5 * 3600)
    if (number === 20) ts = Math.ceil(ts / day) * day
  }
  return blocks
}
