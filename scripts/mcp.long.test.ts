import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { execFile } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { temporaryFolder } from '../e2e/support/launcher.ts'

/** The tools for assistants on a whole sample, by the protocol's own client over both transports, against the API. */

const run = promisify(execFile)
const folder = temporaryFolder()
const { url, token, tokenFile } = inject('stack')
const clients: { readonly name: string; readonly client: Client }[] = []

// oxlint-disable-next-line typescript/no-explicit-any
type Json = any
const api = async (path: string): Promise<Json> => {
  const answer = await fetch(`${url}${path}`, { headers: { 'x-ridgeline-token': token } })
  expect(answer.ok, `${path}: ${answer.status}`).toBe(true)
  return answer.json()
}

beforeAll(async () => {
  const overHttp = new Client({ name: 'test', version: '1.0.0' })
  const requestInit = { headers: { 'x-ridgeline-token': token } }
  // The SDK's own types do not allow exact optional properties.
  await overHttp.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }) as never)
  const overStdio = new Client({ name: 'test', version: '1.0.0' })
  await overStdio.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(import.meta.dirname, 'ridgeline.mjs'), 'mcp', '--service', url, '--token-file', tokenFile],
    }),
  )
  clients.push({ name: 'HTTP', client: overHttp }, { name: 'stdio', client: overStdio })
})
afterAll(async () => {
  await Promise.all(clients.map(({ client }) => client.close()))
  folder.remove()
})

/**
 * The data of a tool's answer, after its text was seen to be short and over both transports the same: asked again if a block
 * came between the two.
 */
function ask(name: string, args: Record<string, unknown> = {}): Promise<Json> {
  return vi.waitFor(
    async () => {
      const [first, second] = await Promise.all(
        clients.map(({ client }) => client.callTool({ name, arguments: args })),
      )
      const [{ text }] = (first?.content ?? []) as [{ text: string }]
      expect(first?.isError, text).toBeUndefined()
      expect(text.length).toBeLessThan(20_000)
      expect(second?.structuredContent).toEqual(first?.structuredContent)
      return first?.structuredContent
    },
    { timeout: 60_000, interval: 100 },
  )
}

/** A decimal text in the smallest unit. */
function raw(text: string, decimals: number): string {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(`${whole}${fraction.padEnd(decimals, '0')}`).toString()
}

const primary = '/v1/networks/fuji/blockchains'
const chains = ['43113', '431301', '431302']

test('find', async () => {
  for (const query of ['Meridian', '1', 'p-chain', 'NodeID-']) {
    const { results } = await ask('find', { query })
    const expected = await api(`/v1/search?query=${query}`)
    const facts = ({ kind, id, chainId, title, match }: Json) => ({ kind, id, chainId, title, match })
    expect(results.map(facts)).toEqual(expected.results.map(facts))
    for (const { url: link } of results) expect((await fetch(link)).status, link).toBe(200)
  }
})

test('list_chains', async () => {
  const { chains: listed, primaryNetwork } = await ask('list_chains')
  const { chains: expected } = await api('/v1/chains')
  expect(listed.map(({ chainId, name, token: symbol }: Json) => [chainId, name, symbol])).toEqual(
    expected.map((each: Json) => [each.chainId, each.chainName, each.networkToken.symbol]),
  )
  const { chains: states } = await api('/v1/status')
  expect(listed.map(({ state }: Json) => state)).toEqual(states.map(({ state }: Json) => state))
  const overview = await api('/v1/networks/fuji/overview')
  expect(primaryNetwork.chains).toEqual(
    overview.chains.map(({ chainName, state, indexedHeight }: Json) => ({
      chain: chainName,
      state,
      indexedHeight: expect.toSatisfy((height: string) => Number(indexedHeight) - Number(height) < 5),
    })),
  )
})

test('service_state', async () => {
  const { isReady, problems, chains: states, diskBytes } = await ask('service_state')
  expect([isReady, problems]).toEqual([true, []])
  expect(states.map(({ chain, state }: Json) => [chain, state])).toEqual(
    [...chains, 'p-chain', 'x-chain', 'c-chain'].map((chain) => [chain, 'live']),
  )
  expect(Number(diskBytes)).toBeGreaterThan(1_000_000)
})

describe('explain_transaction', () => {
  test.each(chains)('of chain %s, failed and succeeded', async (chain) => {
    for (const txStatus of ['0', '1']) {
      const { transactions } = await api(`/v1/chains/${chain}/transactions?txStatus=${txStatus}&pageSize=4`)
      for (const { txHash } of transactions) {
        const { evm, blockNumber, timestamp } = await ask('explain_transaction', { transaction: txHash })
        const details = await api(`/v1/chains/${chain}/transactions/${txHash}`)
        const {
          nativeTransaction: tx,
          erc20Transfers = [],
          erc721Transfers = [],
          erc1155Transfers = [],
        } = details
        expect([blockNumber, timestamp]).toEqual([tx.blockNumber, tx.blockTimestamp])
        expect(evm).toMatchObject({
          isSuccess: txStatus === '1',
          from: { address: tx.from.address },
          to: { address: tx.to.address },
          gasUsed: tx.gasUsed,
          transferCount: erc20Transfers.length + erc721Transfers.length + erc1155Transfers.length,
          internalCallCount: details.internalTransactions.length,
        })
        expect([raw(evm.value, 18), raw(evm.fee, 18)]).toEqual([tx.value, tx.txFee])
        if (txStatus === '1') expect(evm.failure).toBeUndefined()
        else {
          const failure = await api(`/v1/chains/${chain}/transactions/${txHash}/failure`)
          expect(evm.failure).toMatchObject({
            kind: failure.kind,
            reason: failure.reason,
            ...(failure.call && { failedContract: failure.call.to.address, depth: failure.call.depth }),
          })
        }
      }
    }
  })

  test.each(['p-chain', 'x-chain', 'c-chain'])('of the %s', async (chain) => {
    const { transactions } = await api(`${primary}/${chain}/transactions?pageSize=8`)
    for (const tx of transactions) {
      const answer = await ask('explain_transaction', { transaction: tx.txHash })
      expect([answer.transaction, answer.chain, answer.primary.txType]).toEqual([tx.txHash, chain, tx.txType])
      const amounts = (list: Json[]) => list.map(({ symbol, amount }) => [symbol, raw(amount, 9)])
      const expected = (list: Json[]) => list.map(({ symbol, amount }) => [symbol, amount])
      // The sample's own assets have other decimals than AVAX.
      const isAvax = ({ symbol }: Json): boolean => symbol === 'AVAX'
      expect(amounts(answer.primary.burned.filter(isAvax))).toEqual(expected(tx.amountBurned.filter(isAvax)))
      expect(amounts(answer.primary.staked)).toEqual(expected(tx.amountStaked))
    }
  })
})

test('address_balances, now and at a past block', async () => {
  const { tokens } = await api('/v1/chains/43113/tokens?sortBy=holderCount&ercType=ERC-20&pageSize=3')
  const at = Math.floor(Date.now() / 1000) - 12 * 3_600
  const { blocks } = await api(`/v1/chains/43113/blocks?endTimestamp=${at + 1}&pageSize=1`)
  for (const { address: contract } of tokens) {
    const { holders } = await api(`/v1/chains/43113/tokens/${contract}/holders?pageSize=1`)
    const [{ address }] = holders
    const balances = `/v1/chains/43113/addresses/${address}/balances:listErc20?pageSize=100`
    const facts = (list: Json[]) => list.map(({ address: of, balance }) => [of, balance])
    const given = (list: Json[]) => list.map(({ address: of, raw: balance }) => [of, balance])
    const now = await ask('address_balances', { address, chain: '43113', limit: 100 })
    const expected = await api(balances)
    expect(given(now.tokens)).toEqual(facts(expected.erc20TokenBalances))
    expect(raw(now.native.balance, 18)).toBe(now.native.raw)
    const past = await ask('address_balances', { address, chain: '43113', limit: 100, at })
    expect(past.blockNumber).toBe(blocks[0].blockNumber)
    expect(given(past.tokens)).toEqual(
      facts((await api(`${balances}&blockNumber=${past.blockNumber}`)).erc20TokenBalances),
    )
  }
})

test('address_activity', async () => {
  const { transactions } = await api('/v1/chains/43113/transactions?pageSize=1')
  const { address } = transactions[0].from
  const answer = await ask('address_activity', { address, chain: '43113' })
  const overview = await api(`/v1/chains/43113/addresses/${address}/overview`)
  expect(answer).toMatchObject({ isContract: overview.isContract, erc20Count: overview.erc20Count })
  const expected = await api(`/v1/chains/43113/addresses/${address}/transactions?pageSize=10`)
  expect(answer.transactions.map(({ hash }: Json) => hash)).toEqual(
    expected.transactions.map(({ nativeTransaction }: Json) => nativeTransaction.txHash),
  )
})

test('wallet_balances, now and at a past time', async () => {
  const { validators } = await api('/v1/networks/fuji/validators?pageSize=10&validationStatus=active')
  const addresses = [
    ...new Set(validators.flatMap((each: Json) => each.potentialRewards?.rewardAddresses ?? [])),
  ]
  for (const at of [undefined, Math.floor(Date.now() / 1000) - 6 * 3_600]) {
    const { chains: listed } = await ask('wallet_balances', { addresses, ...(at !== undefined && { at }) })
    for (const { chain, balances } of listed) {
      const query = `addresses=${addresses.join(',')}${at === undefined ? '' : `&blockTimestamp=${at}`}`
      const { balances: expected } = await api(`${primary}/${chain}/balances?${query}`)
      for (const [bucket, items] of Object.entries<Json[]>(expected))
        if (!['unlocked', 'locked'].includes(bucket))
          expect(
            balances
              .filter((each: Json) => each.bucket === bucket)
              .map((each: Json) => [each.assetId, each.utxoCount]),
          ).toEqual(items.map((each) => [each.assetId, each.utxoCount]))
      const avax = balances.filter((each: Json) => each.symbol === 'AVAX')
      const sum = (amounts: string[]) => amounts.reduce((all, each) => all + BigInt(each), 0n)
      expect(sum(avax.map((each: Json) => raw(each.amount, 9)))).toBe(
        sum(
          Object.entries<Json[]>(expected).flatMap(([bucket, items]) =>
            ['unlocked', 'locked'].includes(bucket)
              ? []
              : items.filter(({ symbol }) => symbol === 'AVAX').map(({ amount }) => amount),
          ),
        ),
      )
    }
  }
})

test('list_validators and get_validator', async () => {
  const answer = await ask('list_validators', { limit: 50, sortBy: 'uptimePerformance', order: 'asc' })
  const expected = await api(
    '/v1/networks/fuji/validators?pageSize=50&sortBy=uptimePerformance&sortOrder=asc&validationStatus=active&subnetId=11111111111111111111111111111111LpoYY',
  )
  const overview = await api('/v1/networks/fuji/overview')
  expect(answer).toMatchObject({
    validatorCount: overview.validatorCount,
    delegatorCount: overview.delegatorCount,
  })
  expect(raw(answer.staked, 9)).toBe(overview.amountStaked)
  // Those of a subnet stake its token, and would be read as AVAX.
  expect(answer.validators.every((each: Json) => each.uptimePercent !== undefined)).toBe(true)
  expect(
    answer.validators.map((each: Json) => [
      each.nodeId,
      raw(each.stake, 9),
      each.uptimePercent,
      each.endTimestamp,
    ]),
  ).toEqual(
    expected.validators.map((each: Json) => [
      each.nodeId,
      each.amountStaked,
      each.uptimePerformance,
      each.endTimestamp,
    ]),
  )
  for (const { nodeId } of expected.validators.slice(0, 5)) {
    const one = await ask('get_validator', { nodeId })
    const feed = await api(`/v1/networks/fuji/validators/${nodeId}/feed`)
    const outlook = await api(`/v1/networks/fuji/validators/${nodeId}/outlook`)
    expect(one).toMatchObject({
      isConnected: feed.isConnected,
      outlook: { renewsItself: outlook.renewsItself, isUptimeReachable: outlook.uptime.isReachable },
    })
    expect(raw(one.outlook.potentialReward, 9)).toBe(outlook.reward.potential)
    expect(one.l1Validations.map((each: Json) => each.validationId)).toEqual(
      feed.l1Validations.map((each: Json) => each.validationId),
    )
  }
})

test('list_l1s', async () => {
  const { l1s, feePerSecond } = await ask('list_l1s')
  const { subnets } = await api('/v1/networks/fuji/subnets?pageSize=1000')
  const { validators } = await api(
    '/v1/networks/fuji/l1Validators?pageSize=100&includeInactiveL1Validators=true',
  )
  expect(l1s.map(({ subnetId }: Json) => subnetId).toSorted()).toEqual(
    subnets
      .filter(({ isL1 }: Json) => isL1)
      .map(({ subnetId }: Json) => subnetId)
      .toSorted(),
  )
  expect(feePerSecond).toBe((await api('/v1/networks/fuji/overview')).l1ValidatorFee)
  for (const l1 of l1s) {
    const active = validators.filter((each: Json) => each.subnetId === l1.subnetId && each.isActive)
    expect([l1.activeValidators, l1.firstEmptyTimestamp]).toEqual([
      active.length,
      String(Math.min(...active.map((each: Json) => each.emptyTimestamp))),
    ])
    const own = validators.filter((each: Json) => each.subnetId === l1.subnetId && each.weight > 0)
    expect(raw(l1.balance, 9)).toBe(
      own.reduce((sum: bigint, each: Json) => sum + BigInt(each.remainingBalance), 0n).toString(),
    )
  }
})

test('metric and compare_chains', async () => {
  for (const chain of [...chains, 'total'])
    for (const metric of ['txCount', 'gasUsed', 'activeAddresses']) {
      const { points } = await ask('metric', { metric, chain, interval: 'hour', limit: 20 })
      const { results } = await api(`/v2/chains/${chain}/metrics/${metric}?timeInterval=hour&pageSize=20`)
      expect(points.slice(1)).toEqual(results.slice(1))
    }
  const { points } = await ask('metric', { metric: 'totalStake', limit: 5 })
  const { results } = await api('/v2/networks/fuji/metrics/totalStake?pageSize=5')
  expect(points.map(({ value }: Json) => String(value))).toEqual(
    results.map(({ value }: Json) => String(value)),
  )
  const compared = await ask('compare_chains', { metric: 'txCount', interval: 'hour', limit: 12 })
  expect(compared.chains.map(({ chainId }: Json) => chainId).toSorted()).toEqual(chains)
  for (const { chainId, points: own, sum } of compared.chains) {
    const expected = await api(`/v2/chains/${chainId}/metrics/txCount?timeInterval=hour&pageSize=12`)
    expect(own.slice(1)).toEqual(expected.results.slice(1))
    expect(sum).toBe(own.reduce((all: number, { value }: Json) => all + value, 0))
  }
})

test('most_used, list_tokens and get_token', async () => {
  for (const [what, id] of [
    ['contracts', ({ contract }: Json) => contract.address],
    ['methods', ({ methodHash }: Json) => methodHash],
    ['tokens', ({ token: of }: Json) => of.address],
  ] as const) {
    const { rows } = await ask('most_used', { chain: '43113', what })
    const expected = await api(`/v2/chains/43113/rankings/${what}?pageSize=10`)
    expect(rows.map((row: Json) => row.id)).toEqual(expected[what].map(id))
  }
  const { tokens } = await ask('list_tokens', { chain: '43113', type: 'ERC-20', limit: 5 })
  const listed = await api('/v1/chains/43113/tokens?sortBy=holderCount&ercType=ERC-20&pageSize=5')
  expect(tokens.map(({ address, holderCount }: Json) => [address, holderCount])).toEqual(
    listed.tokens.map(({ address, holderCount }: Json) => [address, holderCount]),
  )
  for (const { address, decimals, supply } of listed.tokens) {
    const answer = await ask('get_token', { chain: '43113', address })
    const told = answer.token.unit.startsWith('smallest units') ? 0 : decimals
    expect(raw(answer.token.supply, told)).toBe(supply)
    const { holders } = await api(`/v1/chains/43113/tokens/${address}/holders?pageSize=10`)
    expect(answer.holders.map((each: Json) => [each.address, raw(each.balance, told)])).toEqual(
      holders.map((each: Json) => [each.address, each.balance]),
    )
    const { top } = await api(`/v1/chains/43113/tokens/${address}/distribution`)
    expect(answer.concentration.map(({ sharePercent }: Json) => sharePercent)).toEqual(
      top.map(({ share }: Json) => share),
    )
  }
})

test('message_signatures', async () => {
  const aggregator = '/v1/signatureAggregator/fuji'
  const { messages } = await api(`${aggregator}/messages?pageSize=30`)
  const message = messages.find(({ refusal }: Json) => refusal === undefined)
  const answer = await ask('message_signatures', { transaction: message.txHash, collect: true })
  const expected = await api(`${aggregator}/transactions/${message.txHash}/message`)
  expect(answer).toMatchObject({ messageId: expected.messageId, message: expected.message })
  const set = await api(`${aggregator}/signers/${expected.signingSubnetId}`)
  expect([answer.signerCount, answer.totalWeight]).toEqual([set.signers.length, set.totalWeight])
  // The signed message begins with the unsigned one.
  expect(answer.signedMessage.replace(/^0x/, '').startsWith(expected.message.slice(2))).toBe(true)
})

test('sql_tables and sql', async () => {
  const { tables } = await ask('sql_tables', { tables: ['blocks'] })
  const { tables: all } = await api('/v1/sql/tables')
  expect(tables).toEqual(all.filter(({ name }: Json) => name === 'blocks'))
  expect((await ask('sql_tables')).tables).toHaveLength(all.length)
  const before = new Date(Date.now() - 3_600_000).toISOString()
  const statement = `select chain, count(*) as n from transactions where time < '${before}' group by chain order by chain`
  const answer = await ask('sql', { statement })
  const response = await fetch(`${url}/v1/sql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-ridgeline-token': token },
    body: JSON.stringify({ sql: statement }),
  })
  const { columns, rows } = (await response.json()) as Json
  expect(answer).toMatchObject({ columns, rows, rowCount: rows.length, isTruncated: false })
  expect(rows.length).toBe(3)
})

test('the resources are the same over both transports', async () => {
  const [http = [], stdio] = await Promise.all(
    clients.map(async ({ client }) => {
      const { resources } = await client.listResources()
      return Promise.all(resources.map(({ uri }) => client.readResource({ uri })))
    }),
  )
  expect(http).toHaveLength(3)
  expect(stdio).toEqual(http)
})

test.each([
  [['--service', 'nowhere'], '--service: got "nowhere"'],
  [['--token-file', '/nothing'], '--token-file'],
  [['--nope'], "'--nope'"],
])('ridgeline mcp %j ends with code 2, and nothing on standard output', async (words, reason) => {
  const program = join(import.meta.dirname, 'ridgeline.mjs')
  const ended = await run(process.execPath, [program, 'mcp', ...words]).catch((error: unknown) => error)
  expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(reason) })
})

test('says that the service cannot be reached', async () => {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(import.meta.dirname, 'ridgeline.mjs'), 'mcp', '--service', 'http://127.0.0.1:9'],
    }),
  )
  const { isError, content } = await client.callTool({ name: 'find', arguments: { query: 'x' } })
  expect([isError, content]).toEqual([
    true,
    [{ type: 'text', text: expect.stringContaining("Can't reach the service at http://127.0.0.1:9") }],
  ])
  await client.close()
})

describe('the conformance suite of the protocol', () => {
  const place = join(folder.path, 'conformance')
  beforeAll(async () => {
    cpSync(join(import.meta.dirname, 'conformance'), place, { recursive: true })
    await run('npm', ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], {
      cwd: place,
    })
  })

  // Its other scenarios call tools of a server that is made for it, or need prompts, sessions or logging, which this
  // one does not offer.
  test.each(['server-initialize', 'ping', 'tools-list', 'resources-list', 'dns-rebinding-protection'])(
    '%s',
    async (scenario) => {
      const suite = join(place, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
      const args = [suite, 'server', '--url', `${url}/mcp`, '--scenario', scenario]
      const { stdout } = await run(process.execPath, args, { cwd: place })
      expect(stdout).toMatch(/Passed: ([1-9])\/\1, 0 failed, 0 warnings/)
    },
  )
})
