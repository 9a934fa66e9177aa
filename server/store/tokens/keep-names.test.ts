import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOf } from '../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { replacedTriggers } from '../distribution.ts'
import { keepNames, type NamedFacts } from './keep-names.ts'

/** A store whose triggers keep the names, and one as a distributed store is: without them. */
let kept: TestDatabase
let bare: TestDatabase
beforeAll(async () => {
  ;[kept, bare] = await Promise.all([createTestDatabase(), createTestDatabase()])
  for (const trigger of replacedTriggers.token_facts)
    await bare.database.unsafe(`drop trigger ${trigger} on token_facts`)
})
afterAll(() => Promise.all([kept.drop(), bare.drop()]))

const chain = 43113
const token = Buffer.from(addressOf('token').slice(2), 'hex')
const nothing: NamedFacts = { name: null, symbol: null, reputation: null }

test.each<[string, NamedFacts[]]>([
  ['a name', [{ name: 'Quiet Heron Otter', symbol: 'Q H', reputation: null }]],
  [
    'another name with a common tail',
    [
      { name: 'Quiet Heron Otter', symbol: 'QHO', reputation: null },
      { name: 'Loud Heron Otter', symbol: 'LHO', reputation: null },
    ],
  ],
  [
    'a token that is found malicious later',
    [
      { name: 'Free Airdrop', symbol: 'AIR', reputation: null },
      { name: 'Free Airdrop', symbol: 'AIR', reputation: 'Malicious' },
    ],
  ],
  ['a name that is taken back', [{ name: 'Two Words', symbol: null, reputation: null }, nothing]],
  [
    'words without letters, and doubled ones',
    [{ name: '--100% Gold gold', symbol: '日本 円', reputation: 'Benign' }],
  ],
])('the index has the same rows as the triggers make: %s', async (_title, versions) => {
  for (const { database } of [kept, bare]) {
    await database`truncate token_facts, name_words, name_tails`
    await database`
      insert into token_facts (chain, token, asked_block, asked_ts, due_ts) values (${chain}, ${token}, 0, 0, 0)`
    let former = nothing
    for (const version of versions) {
      await database.begin(async (sql) => {
        await sql`update token_facts set ${sql(version, 'name', 'symbol', 'reputation')} where token = ${token}`
        if (database === bare.database) await keepNames(sql, chain, token, former, version)
      })
      former = version
    }
  }
  const rowsOf = async ({ database }: TestDatabase) => ({
    words: await database`select word from name_words order by word`,
    tails: await database`select * from name_tails order by benign, tail`,
  })
  const rows = await rowsOf(bare)
  expect(rows.words.length).toBeGreaterThan(0)
  expect(rows).toEqual(await rowsOf(kept))
})
