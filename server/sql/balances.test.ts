import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cast, chain, history, last } from '../testing/balance-chain.ts'
import { seedChain } from '../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { rowsOfSql, startTestService, type TestService } from '../testing/service.ts'
import { holdingsAt, seedBlocks, type TokenBlock } from '../testing/token-history.ts'

const page = readFileSync(new URL('../../docs/sql.md', import.meta.url), 'utf8')
const statement = /```sql\n(with moves as [^`]*)```/.exec(page)?.[1] ?? ''

/** More than 128 bits hold, twice: neither the sum nor the difference may lose a digit. */
const huge = 2n ** 255n + 1n
const [coin] = cast.tokens.flatMap(([kind, token]) => (kind === 20 ? [token] : []))
const [ann = '', bob = ''] = cast.people
const more: TokenBlock[] = [
  [ann, bob, huge],
  [ann, bob, huge],
  [bob, ann, huge - 1n],
].map(([from, to, value], index) => ({
  number: last + 1 + index,
  ts: (history.at(-1)?.ts ?? 0) + 1 + index,
  moves: [
    {
      token: coin ?? '',
      kind: 20 as const,
      from: String(from),
      to: String(to),
      items: [{ id: 0n, value: BigInt(value ?? 0) }],
    },
  ],
}))
const blocks = [...history, ...more]

let store: TestDatabase
let service: TestService

beforeAll(async () => {
  store = await createTestDatabase()
  await seedChain(store.database, { chain, blocks: seedBlocks(blocks) })
  service = await startTestService(store.database)
})
afterAll(async () => {
  await service?.close()
  await store?.drop()
})

/** What everyone holds after a block, from the movements themselves. */
function holdings(number: number): string[] {
  return cast.people
    .flatMap((holder) =>
      ([20, 721, 1155] as const).flatMap((kind) =>
        [...holdingsAt(blocks, holder, kind, number).values()]
          .filter(({ balance }) => balance !== 0n)
          .map(({ token, id, balance }) => `${token} ${kind === 20 ? null : id} ${holder} ${balance}`),
      ),
    )
    .toSorted()
}

test('the statement of docs/sql.md gives the balances at every block', async () => {
  const numbers = [20, 50, last, last + 2, last + 3]
  const at = (number: number): string =>
    `select ${number}, * from (${statement.replaceAll('2000', String(number))})`
  const rows = await rowsOfSql(service, numbers.map(at).join(' union all '))
  for (const number of numbers) {
    const found = rows
      .filter(([block, , , holder]) => block === number && cast.people.includes(String(holder)))
      .map(([, ...row]) => row.map(String).join(' '))
    expect(found.toSorted(), String(number)).toEqual(holdings(number))
  }
})
