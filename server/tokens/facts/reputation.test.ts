import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOf } from '../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { testConfig } from '../../testing/config.ts'
import { evaluate, reputationOf, rulesVersion, type EvaluatedFacts } from './reputation.ts'
import { sanitise, sanitiseName, sanitiseSymbol } from './sanitise.ts'
import { readSpread } from './spread.ts'

const chain = 43113
const listed = addressOf('listed')
const denied = addressOf('denied')
const allowed = addressOf('allowed')
const other = addressOf('other')
const config = testConfig({
  chains: [
    {
      evmChainId: chain,
      name: 'Test',
      rpcUrl: 'http://127.0.0.1:9',
      token: { name: 'Avalanche', symbol: 'AVAX' },
    },
  ],
  tokens: {
    listed: [{ chainId: chain, address: listed.toUpperCase().replace('0X', '0x'), symbol: 'SUSD' }],
    allow: [{ chainId: chain, address: allowed, reason: 'known to us' }],
    deny: [{ chainId: chain, address: denied }],
  },
})
const good: EvaluatedFacts = { kind: 20, name: 'Good Token', symbol: 'GOOD', decimals: 18 }
const evaluated = (facts: Partial<EvaluatedFacts>, address = other) =>
  evaluate(config, chain, address, { ...good, ...facts })

test.each([
  ['AVAX', 'the native token AVAX'],
  ['avax', 'the native token AVAX'],
  ['АVАХ', 'the native token AVAX'],
  ['ΑVΑΧ', 'the native token AVAX'],
  ['𝐀𝐕𝐀𝐗', 'the native token AVAX'],
  ['ＡＶＡＸ', 'the native token AVAX'],
  ['AVÁX', 'the native token AVAX'],
  ['A.V.A.X', 'the native token AVAX'],
  ['4V4X', 'the native token AVAX'],
  ['AVVAX', undefined],
  ['SUSD', `the listed token SUSD at ${listed}`],
  ['ЅUЅD', `the listed token SUSD at ${listed}`],
  ['$U5D', `the listed token SUSD at ${listed}`],
  ['ՏUSD', `the listed token SUSD at ${listed}`],
  ['WAVAX', undefined],
  ['sUSDC', undefined],
  ['USD', undefined],
  ['✓', undefined],
])('the symbol %s reads like %s', (symbol, whose) => {
  const { reputation, reasons } = evaluated({ symbol })
  expect(reputation).toBe(whose === undefined ? null : 'Malicious')
  expect(reasons).toEqual(whose === undefined ? [] : [`its symbol reads like that of ${whose}`])
})

test.each([
  ['Visit https://free.example', true],
  ['claim at avax-gift.com', true],
  ['WWW.reward', true],
  ['t.me/airdrop', true],
  ['$1000 ! apecoin.cash', true],
  ['ethereum . org', true],
  ['ｅｖｉｌ．ｃｏｍ', true],
  ['ipfs://abc', true],
  ['USDC.e', false],
  ['Bridged v2.0', false],
  ['Dr. Community', false],
  ['A.I. Token', false],
  ['Curve.fi Factory', false],
  ['Wrapped Ether', false],
])('%s carries a link: %s', (name, found) => {
  expect(evaluated({ name }).reputation).toBe(found ? 'Malicious' : null)
  expect(evaluated({ name }).reasons).toEqual(found ? ['its name carries a link or a domain'] : [])
  expect(evaluated({ symbol: name }).reputation).toBe(found ? 'Malicious' : null)
})

test('an ERC-20 token without two of its facts is unreadable, an NFT is not', () => {
  expect(evaluated({ name: null, symbol: null }).reasons).toEqual(['its name and symbol cannot be read'])
  expect(evaluated({ symbol: null, decimals: null }).reputation).toBe('Malicious')
  expect(evaluated({ decimals: null }).reputation).toBeNull()
  expect(evaluated({ kind: 721, name: null, symbol: null, decimals: null }).reputation).toBeNull()
})

test('a listed token is benign, regardless of the rules', () => {
  expect(evaluated({ symbol: 'SUSD' }, listed)).toEqual({
    reputation: 'Benign',
    reasons: ['listed by the operator'],
  })
  expect(evaluate(config, 1, listed, good).reputation).toBeNull()
})

test("the operator's lists take precedence when read", () => {
  const stored = { reputation: 'Malicious', reputation_reasons: ['a rule'] }
  const of = (token: string, facts: typeof stored | null, id: number | bigint | string = chain) =>
    reputationOf(config, id, token, facts)
  expect(of(denied, null)).toEqual({
    tokenReputation: 'Malicious',
    reputationReasons: ['denied by the operator'],
  })
  expect(of(allowed.toUpperCase().replace('0X', '0x'), stored, BigInt(chain))).toEqual({
    tokenReputation: 'Benign',
    reputationReasons: ['known to us'],
  })
  expect(of(listed, stored, String(chain)).tokenReputation).toBe('Benign')
  expect(of(other, stored)).toEqual({ tokenReputation: 'Malicious', reputationReasons: ['a rule'] })
  expect(of(other, null)).toEqual({ tokenReputation: null })
  expect(of(denied, stored, 1)).toEqual({ tokenReputation: 'Malicious', reputationReasons: ['a rule'] })
})

test('the inputs of the stored evaluations have a version', () => {
  const version = rulesVersion(config, chain)
  expect(rulesVersion(structuredClone(config), chain)).toBe(version)
  expect(rulesVersion({ ...config, tokens: { ...config.tokens, listed: [] } }, chain)).not.toBe(version)
})

const flag = '🏳️'
test.each([
  ['plain', 'plain'],
  ['a\u0000b\u0007c', 'abc'],
  ['evil\u202Egnp.exe', 'evilgnp.exe'],
  ['\u200Fright\u2067to\u2069left\u061C', 'righttoleft'],
  ['zero\u200Bwidth\uFEFF\u00AD', 'zerowidth'],
  ['👨\u200D👩\u200D👧\u200D👦 Family', '👨\u200D👩\u200D👧\u200D👦 Family'],
  ['👩🏽\u200D🚀 and 🏳️\u200D🌈', '👩🏽\u200D🚀 and 🏳️\u200D🌈'],
  ['US\u200DD \u200D😀\u200D', 'USD 😀'],
  ['tag\u{E0041}s', 'tags'],
  ['half \uD83D pair', 'half pair'],
  ['  two\n\n lines\u2028and ', 'two lines and'],
  [`a${'\u0301'.repeat(50)}b`, `a${'\u0301'.repeat(4)}b`],
  ['😀'.repeat(200), '😀'.repeat(128)],
  ['\u202E\u0000 ', undefined],
  ['', undefined],
])('%j is shown as %j', (text, expected) => {
  expect(sanitiseName(text)).toBe(expected)
})

test('limits count whole code points, and the work does not grow with the text', () => {
  expect(sanitiseSymbol('😀'.repeat(33))).toBe('😀'.repeat(32))
  expect(sanitiseName('x'.repeat(1_000_000))).toBe('x'.repeat(128))
  expect(sanitise(`a\r\nb\u0000\n c${flag}`, { longest: 99, lines: true })).toBe(`a\nb\n c${flag}`)
})

let store: TestDatabase
beforeAll(async () => {
  store = await createTestDatabase()
  await store.database.unsafe(`create table logs_1 partition of logs default`)
})
afterAll(() => store.drop())

test.each([
  // Recipients of nothing, each paid in a separate transaction.
  {
    nothing: 1_000,
    paid: 0,
    together: false,
    expected: ['it announced transfers of nothing to 1,000 addresses'],
  },
  { nothing: 999, paid: 50, together: false, expected: [] },
  { nothing: 0, paid: 200, together: true, expected: ['one transaction handed it out to 200 addresses'] },
  { nothing: 0, paid: 199, together: true, expected: [] },
  { nothing: 0, paid: 3_000, together: false, expected: [] },
])('an airdrop: $nothing of nothing, $paid paid, together: $together', async (drop) => {
  const token = Buffer.from(addressOf(JSON.stringify(drop)).slice(2), 'hex')
  await store.database`truncate logs`
  await store.database`
    insert into logs (chain, number, index, tx_index, address, topic0, topic1, topic2, data)
    select ${chain}, case when ${drop.together} then 7 else n end, n, 0, ${token},
      '\\xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'::bytea,
      decode(repeat('00', 32), 'hex'), decode(lpad(to_hex(n), 64, '0'), 'hex'),
      decode(case when n <= ${drop.nothing} then repeat('00', 32) else repeat('00', 31) || '01' end, 'hex')
    from generate_series(1, ${drop.nothing + drop.paid}::int) n`
  const spread = await readSpread(store.database, chain, token)
  expect(evaluated({ spread }).reasons).toEqual(drop.expected)
})
