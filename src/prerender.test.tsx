import { afterAll, beforeEach, expect, test } from 'vitest'
import documented from '../contract/document/examples.json' with { type: 'json' }
import { callText } from '../contract/node/node-methods.ts'
import { operations } from '../contract/operations.ts'
import { filledIn, pages, standingRequests, type PageName } from '../contract/pages.ts'
import { transport } from './api/client.ts'
import { queryClient } from './api/query-client.ts'
import { restartSession } from './api/session.ts'
import { answerBy, prerender } from './prerender.tsx'

const config = {
  version: '1.0.0',
  defaultProfile: 'local',
  profiles: [
    {
      id: 'local',
      name: 'This service',
      network: 'fuji',
      networks: ['fuji'],
      networkLabel: 'Sample network',
      dataUrl: '',
      metricsUrl: '',
      nodeUrl: '',
      nodeOrigins: [],
      keyHeader: 'x-service-api-key',
      keyNeeded: false,
      atomicNamespace: 'svc',
      addressPrefix: 'fuji',
      priceValue: 'string',
      holderSortKey: 'integer',
      live: true,
      missingOperations: [],
    },
  ],
}
const documentedById = documented as Readonly<Record<string, object>>

/** The documented answer of the operation that a request asks for, as a list's last page. */
function answerTo(url: string): unknown {
  const { pathname } = new URL(url, 'http://service')
  const found = operations.find(
    ({ method, path }) =>
      method === 'GET' && new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  )
  const { answer } = (documentedById[found?.id ?? ''] ?? {}) as { readonly answer?: object }
  return answer && !Array.isArray(answer) ? { ...answer, nextPageToken: undefined } : answer
}

const { nativeTransaction } = documented.getTransaction.answer
const { chainId, txHash } = nativeTransaction
const never = new Promise<never>(() => undefined)

/** What is drawn at a path by a service that answers so, and refuses the rest; and what it was asked. */
async function drawnAt(
  path: string,
  answer: (url: string, call?: string) => unknown,
  how: Partial<Parameters<typeof prerender>[1]> = {},
) {
  const asked: string[] = []
  answerBy((url, call) => {
    asked.push(call === undefined ? url : `${url} ${call}`)
    const found = url === '/config.json' ? config : answer(url, call)
    return Promise.resolve(found === undefined ? new Response(null, { status: 400 }) : Response.json(found))
  })
  const drawn = await prerender(path, { device: 'desk', late: never, ...how })
  return { asked, markup: drawn?.markup ?? '', sheet: drawn?.sheet ?? '' }
}

/** The text of the page in markup, as a reader sees it, without the frame's. */
const textOf = (markup: string): string =>
  markup
    .slice(markup.indexOf('<main'))
    .replaceAll(/<title>.*?<\/title>|<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')

/** The text of a page with the documented answers, some of them replaced. */
const pageText = async (path: string, answers: Readonly<Record<string, unknown>> = {}): Promise<string> =>
  textOf((await drawnAt(path, (url) => (url in answers ? answers[url] : answerTo(url)))).markup)

beforeEach(() => restartSession())
// The files of a worker share their modules.
const { send } = transport
afterAll(() => {
  transport.send = send
})

/** Values for the parameters of every path. */
const values: Readonly<Record<string, string>> = {
  chainId,
  txHash,
  blockId: '1',
  metric: 'txCount',
  tokenId: '1',
  address: nativeTransaction.to.address,
  network: 'fuji',
  chain: 'p-chain',
  nodeId: documented.listNodeValidations.parameters.nodeId,
  validationId: documented.listL1Validators.parameters.l1ValidationId,
  vertexHash: documented.getVertex.parameters.vertexHash,
  subnetId: documented.listL1Validators.parameters.subnetId,
  blockchainId: documented.getBlockchainGenesis.parameters.blockchainId,
  fleetId: '1',
  ruleId: '1',
}
/** Where a parameter means something else on a page. */
const ownValues: Partial<Record<PageName, Readonly<Record<string, string>>>> = {
  networkMetric: { metric: 'totalStake' },
  wallet: { address: documented.getPrimaryBalances.parameters.addresses },
  primaryTransaction: { txHash: documented.getPrimaryTransaction.parameters.txHash },
}

/** Every page, and every tab that documents are drawn with, with what the table names for it. */
const named = (Object.keys(pages) as PageName[]).flatMap((name) => {
  const { path, first = [], tabs = {} } = pages[name]
  const ofTabs = Object.entries(tabs).map(([tab, own]) => [`?tab=${tab}`, own.first] as const)
  return [['', []] as const, ...ofTabs].map(([query, own]) => {
    const known = { ...values, ...ownValues[name], ofProfile: 'fuji' }
    const requests = [first, own].flat(2).map((request) => filledIn(request, known))
    return { name: `${name}${query}`, location: `${filledIn(path, known)}${query}`, requests }
  })
})

test.each(named)(
  'the document of the page $name has its heading, drawn from what the table names',
  async ({ location, requests }) => {
    const { asked, markup, sheet } = await drawnAt(location, (url) =>
      requests.includes(url) || /^\/v1\/(chains\?|status$)/.test(url) ? answerTo(url) : undefined,
    )
    expect(/<h1[^>]*>(.*?)<\/h1>/.exec(markup)?.[1]?.replaceAll(/<[^>]*>/g, '')).toMatch(/\w/)
    // What the page does not ask for would be fetched for nothing.
    expect(asked).toEqual(expect.arrayContaining(requests))
    // The content security policy allows neither in a document.
    expect(markup).not.toMatch(/ style=| on\w+=/)
    const inSheet = new Set([...sheet.matchAll(/\[data-style="(\d+)"\]/g)].map(([, rule]) => rule))
    expect(new Set([...markup.matchAll(/ data-style="(\d+)"/g)].map(([, rule]) => rule))).toEqual(inSheet)
    // It outlives the document, and may be drawn for another reader.
    expect(
      queryClient
        .getQueryCache()
        .getAll()
        .map(({ queryKey }) => queryKey),
    ).toEqual([])
  },
)

test('a path that leads to another one has no document of its own', async () => {
  expect((await drawnAt('/networks/testnet/validators', answerTo)).markup).toBe('')
  expect((await drawnAt('/networks/fuji/validators', answerTo)).markup).toContain('Validators')
})

test('a table is drawn with headings for a desk, and without for a phone', async () => {
  const path = '/networks/fuji/l1-validators'
  const headOf = async (device: 'phone' | 'desk') =>
    /<thead class="([^"]*)"/.exec((await drawnAt(path, answerTo, { device })).markup)?.[1]
  expect(await headOf('phone')).toBe('sr-only')
  expect(await headOf('desk')).toContain('sticky')
})

test('the frame asks for what the table says of it', async () => {
  const { asked } = await drawnAt('/networks/fuji', answerTo)
  expect(asked).toContain(filledIn(standingRequests[1], values))
  expect((await drawnAt('/', answerTo)).asked).toContain(standingRequests[0])
})

test('a transaction’s document says in a sentence what it did', async () => {
  const details = {
    nativeTransaction: {
      ...nativeTransaction,
      from: { address: `0x${'ab'.repeat(20)}` },
      to: { address: `0x${'cd'.repeat(20)}`, name: 'Ridge <Vault>' },
      value: '2500000000000000000',
      input: '0x',
      txFee: '21000000000000000',
    },
  }
  const text = await pageText(`/chain/${chainId}/tx/${txHash}`, {
    [`/v1/chains/${chainId}/transactions/${txHash}`]: details,
  })
  expect(text).toContain('0xabababab…ababab sent 2.5 AVAX to Ridge <Vault> and paid a fee of 0.021 AVAX.')
  expect(text).toContain('C-Chain')
})

test('a contract’s document says what it is, and lists its sources', async () => {
  const address = nativeTransaction.to.address
  const of = `/v1/chains/${chainId}/contracts/${address}`
  const { source } = documented.getContractSource.answer
  const code = { ...documented.getContractCode.answer, proxy: undefined }
  const text = await pageText(`/chain/${chainId}/address/${address}?tab=contract`, {
    [`${of}/code`]: code,
    [`${of}/source`]: {
      source: { ...source, name: 'Vault', sources: [{ path: 'src/Vault.sol', content: 'a\nb' }] },
    },
  })
  expect(text).toContain('Its source is Vault')
  expect(text).toContain('src/Vault.sol2 lines')
})

test('the node’s document has its version and its keys, by the calls that the table names', async () => {
  const calls = (pages.node.calls ?? []).map((method) => `/ext/${method.split('.')[0]} ${callText(method)}`)
  const publicKey = `0x${'8e'.repeat(48)}`
  const results: Readonly<Record<string, object>> = {
    'info.getNodeVersion': {
      version: 'avalanchego/1.14.0',
      databaseVersion: 'v1.4.5',
      gitCommit: 'ab',
      vmVersions: {},
    },
    'info.getNodeID': { nodeID: values['nodeId'], nodePOP: { publicKey, proofOfPossession: '0x' } },
  }
  const { asked, markup } = await drawnAt('/node', (url, call = '') => {
    const result = Object.entries(results).find(([method]) => call === callText(method))?.[1]
    return result ? { jsonrpc: '2.0', id: 1, result } : answerTo(url)
  })
  expect(asked).toEqual(expect.arrayContaining(calls))
  expect(textOf(markup)).toMatch(new RegExp(`Version1\\.14\\.0.*BLS public key${publicKey}`))
})

test('the overview’s document says what the last 24 hours were', async () => {
  const hour = Math.floor(Date.now() / 3_600_000) * 3_600
  const point = (timestamp: number, value: number) => ({ timestamp, value })
  // Three transactions in each of the last 24 hours, and 50 in the open one, which does not count.
  const hours = [
    point(hour, 50),
    ...Array.from({ length: 24 }, (_, index) => point(hour - (index + 1) * 3_600, 3)),
  ]
  const days = [point(Math.floor(hour / 86_400) * 86_400, 122)]
  const [chain] = documented.listChains.answer.chains
  const [status] = documented.listChainStatus.answer.chains
  // The documented status is of a day that goes by.
  const now = { ...status, indexedTimestamp: hour, nodeSeenTimestamp: hour }
  const answers = (state: string) => ({
    '/v1/chains?network=fuji': { chains: [chain, { ...chain, chainId: '2', chainName: 'Pier' }] },
    '/v1/traffic?network=fuji': { chains: [chainId, '2'].map((id) => ({ chainId: id, hours, days })) },
    '/v1/status': { chains: [now, { ...now, chainId: '2', chainName: 'Pier', state }] },
  })
  const clock = new Date(hour * 1_000).toISOString().slice(11, 16)
  const said = `144 transactions on 2 chains in the 24 hours to ${clock} UTC`
  expect(await pageText('/', answers('live'))).toContain(
    `OverviewSample network${said}. Fewer than four weeks`,
  )
  expect(await pageText('/', answers('syncing'))).toContain(`${said}; Pier is not at the head`)
})

test('the documents of lists say how many blocks and transactions there are', async () => {
  const [first] = documented.listChainStatus.answer.chains
  const status = {
    ...first,
    indexedBlock: '2736',
    nodeBlock: '2737',
    blockTime: 4.5,
    txCount: '24310',
    txCountDay: '1286',
  }
  const lines = (list: 'blocks' | 'transactions', more: object = {}) =>
    pageText(`/chain/${chainId}/${list}`, { '/v1/status': { chains: [{ ...status, ...more }] } })
  expect(await lines('blocks')).toContain(
    'C-ChainBlocks2,737 blocks up to block 2,736, one every 4.5 s over the last 100.',
  )
  expect(await lines('blocks', { blockTime: 764.62 })).toContain('one every 12 min over the last 100.')
  expect(await lines('blocks', { state: 'syncing' })).toContain('. The node has blocks up to 2,737.')
  expect(await lines('blocks', { indexedBlock: undefined })).toContain('BlocksNo block is indexed yet.')
  expect(await lines('transactions')).toContain(
    'C-ChainTransactions24,310 transactions, 1,286 of them in the last 24 h.',
  )
  expect(await lines('transactions', { txCount: undefined })).toContain('are not counted at the moment')
})

test('what is refused, and what is late, is drawn as still to come', async () => {
  const path = `/chain/${chainId}/tx/${txHash}`
  const refused = await drawnAt(path, () => undefined)
  expect(textOf(refused.markup)).toContain(`Transaction${txHash}`)
  expect(refused.markup).not.toContain('could not be loaded')
  const late = await drawnAt(path, answerTo, { late: Promise.resolve() })
  expect(textOf(late.markup)).toContain(`Transaction${txHash}`)
})

test('a reader does not get what another one was answered', async () => {
  const path = `/chain/${chainId}/block/1`
  await drawnAt(path, answerTo)
  expect((await drawnAt(path, () => undefined)).markup).not.toContain(documented.getBlock.answer.blockHash)
})
