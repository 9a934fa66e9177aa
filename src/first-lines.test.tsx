import { expect, test } from 'vitest'
import { firstLines, type FirstLinesInput } from './first-lines.tsx'

const [sender, receiver] = [`0x${'ab'.repeat(20)}`, `0x${'cd'.repeat(20)}`]
const txHash = `0x${'12'.repeat(32)}`
const chains = {
  chains: [
    { chainId: '43113', chainName: 'Harbour', networkToken: { symbol: 'RDG', decimals: 18 } },
    { chainId: '2', chainName: 'Pier', networkToken: { symbol: 'PIE', decimals: 18 } },
  ],
}
const transaction = {
  nativeTransaction: {
    txHash,
    txStatus: '1',
    from: { address: sender },
    to: { address: receiver, name: 'Ridge <Vault>' },
    value: '2500000000000000000',
    input: '0x',
    gasUsed: '21000',
    gasPrice: '1000000000000',
  },
}

const linesOf = (
  page: FirstLinesInput['page'],
  values: FirstLinesInput['values'],
  answers: Readonly<Record<string, unknown>>,
): Promise<string | undefined> =>
  firstLines({
    page,
    values,
    networkLabel: 'Sample network',
    answer: (request) => {
      const known: Readonly<Record<string, string | undefined>> = { ...values, ofProfile: 'fuji' }
      return Promise.resolve(answers[request.replaceAll(/:(\w+)/g, (_, name: string) => known[name] ?? '')])
    },
  })

/** The text of markup, as a reader sees it. */
const textOf = (markup = ''): string =>
  markup
    .replaceAll(/<title>.*?<\/title>|<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')

const transactionPath = `/v1/chains/43113/transactions/${txHash}`
const place = { chainId: '43113', txHash }

test('a transaction’s document says in a sentence what it did', async () => {
  const answers = { '/v1/chains?network=fuji': chains, [transactionPath]: transaction }
  const markup = await linesOf('transaction', place, answers)
  expect(textOf(markup)).toContain(
    '0xabababab…ababab sent 2.5 RDG to Ridge <Vault> and paid a fee of 0.021 RDG.',
  )
  expect(textOf(markup)).toContain(`Harbour`)
  // The content security policy allows neither in a document.
  expect(markup).not.toMatch(/ style=| on\w+=/)
})

test('the overview’s document says what the last 24 hours were', async () => {
  const hour = Math.floor(Date.now() / 3_600_000) * 3_600
  const point = (timestamp: number, value: number) => ({ timestamp, value: String(value) })
  // Three transactions in each of the last 24 hours, and 50 in the open one, which does not count.
  const hours = [
    point(hour, 50),
    ...Array.from({ length: 24 }, (_, index) => point(hour - (index + 1) * 3_600, 3)),
  ]
  const days = [point(Math.floor(hour / 86_400) * 86_400, 122)]
  const answers = {
    '/v1/chains?network=fuji': chains,
    '/v1/traffic?network=fuji': { chains: ['43113', '2'].map((chainId) => ({ chainId, hours, days })) },
    '/v1/status': { chains: [{ chainId: '2', chainName: 'Pier', state: 'live' }] },
  }
  const clock = new Date(hour * 1_000).toISOString().slice(11, 16)
  const said = `144 transactions on 2 chains in the 24 hours to ${clock} UTC`
  expect(textOf(await linesOf('overview', {}, answers))).toContain(
    `OverviewSample network${said}. Fewer than four weeks`,
  )
  const behind = {
    ...answers,
    '/v1/status': { chains: [{ chainId: '2', chainName: 'Pier', state: 'syncing' }] },
  }
  expect(textOf(await linesOf('overview', {}, behind))).toContain(`${said}; Pier is not at the head`)
})

test('the documents of lists say how many blocks and transactions there are', async () => {
  const status = {
    chainId: '43113',
    state: 'live',
    firstBlock: '0',
    indexedBlock: '2736',
    nodeBlock: '2737',
    blockTime: 4.5,
    txCount: '24310',
    txCountDay: '1286',
  }
  const answers = { '/v1/chains?network=fuji': chains, '/v1/status': { chains: [status] } }
  const lines = async (list: 'blocks' | 'transactions', more: object = {}) =>
    textOf(
      await linesOf(
        list,
        { chainId: '43113' },
        { ...answers, '/v1/status': { chains: [{ ...status, ...more }] } },
      ),
    )
  expect(await lines('blocks')).toBe(
    'HarbourBlocks2,737 blocks up to block 2,736, one every 4.5 s over the last 100.',
  )
  expect(await lines('blocks', { blockTime: 764.62 })).toContain('one every 12 min over the last 100.')
  expect(await lines('blocks', { state: 'syncing' })).toContain('. The node has blocks up to 2,737.')
  expect(await lines('blocks', { indexedBlock: undefined })).toBe('HarbourBlocksNo block is indexed yet.')
  expect(await lines('transactions')).toBe(
    'HarbourTransactions24,310 transactions, 1,286 of them in the last 24 whole hours.',
  )
  expect(await lines('transactions', { txCount: undefined })).toContain('are not counted at the moment')
})

test('a page whose answers are refused has none, and neither has a page without lines of its own', async () => {
  const answers = { '/v1/chains?network=fuji': chains, [transactionPath]: transaction }
  expect(await linesOf('transaction', place, { [transactionPath]: transaction })).toBeUndefined()
  expect(await linesOf('transaction', { ...place, chainId: '2' }, answers)).toBeUndefined()
  expect(await linesOf('overview', {}, answers)).toBeUndefined()
  expect(await linesOf('settings', {}, answers)).toBeUndefined()
})
