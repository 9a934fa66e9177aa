import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getAddress, keccak256, stringToBytes, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { installCompilers } from '../../../contracts/testing/compilers.ts'
import { sourcifyCase } from '../../../contracts/testing/sourcify-cases.ts'
import { startAnvil, type Anvil } from '../../../node/testing/anvil.ts'
import { addressOf, seedChain, transactionHash, type SeedBlock } from '../../../testing/chain-rows.ts'
import { testConfig } from '../../../testing/config.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts'
import { startTestService, type TestService } from '../../../testing/service.ts'

const chain = 43113
const at = (name: string): Hex => addressOf(name) as Hex
// Verified by Sourcify on a public chain, with arguments of the constructor, and compiled by 0.8.18.
const given = sourcifyCase('constructor_arguments')

/** EIP-1967's event. */
const upgraded = (address: string, implementation: string) => ({
  address,
  topics: [keccak256(stringToBytes('Upgraded(address)')), `0x${implementation.slice(2).padStart(64, '0')}`],
  data: '0x',
})

const blocks: readonly [SeedBlock, SeedBlock, SeedBlock] = [
  { number: 0, ts: 1_700_000_000, txs: [] },
  {
    number: 1,
    ts: 1_700_000_002,
    txs: [
      {
        from: at('alice'),
        to: null,
        created: at('storage'),
        input: given.onchain.creationBytecode,
        contracts: [{ address: at('storage'), deployer: at('alice'), ordinal: 0 }],
      },
      // store(uint256)
      { from: at('alice'), to: at('storage'), input: `0x6057361d${'0'.repeat(63)}7` },
      // Through a proxy that has the code of `storage` since the same block, and got another one later.
      {
        from: at('alice'),
        to: at('proxy'),
        input: `0x6057361d${'0'.repeat(63)}7`,
        logs: [upgraded(at('proxy'), at('storage'))],
      },
    ],
  },
  {
    number: 2,
    ts: 1_700_000_004,
    txs: [
      {
        from: at('alice'),
        to: at('proxy'),
        input: `0x6057361d${'0'.repeat(63)}7`,
        logs: [upgraded(at('proxy'), at('other'))],
      },
    ],
  },
]

let anvil: Anvil
let home: string
let store: TestDatabase
let service: TestService

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'ridgeline-verify-'))
  await installCompilers(home, ['solc-0.8.18'])
  anvil = await startAnvil(['--chain-id', String(chain)])
  for (const name of ['storage', 'twin', 'plain'])
    await anvil.ask('anvil_setCode', [at(name), given.onchain.deployedBytecode])
  store = await createTestDatabase()
  await seedChain(store.database, { chain, blocks })
  service = await startTestService(store.database, {
    config: {
      ...testConfig({ chains: [{ evmChainId: chain, name: 'Test Chain', rpcUrl: anvil.url }] }),
      home,
    },
  })
})
afterAll(async () => {
  await service.close()
  await store.drop()
  await anvil.stop()
  await rm(home, { recursive: true, force: true })
})

const get = async (url: string) => {
  const response = await service.app.inject(url)
  return { status: response.statusCode, body: response.json() }
}
const submit = async (name: string, body: object = {}) => {
  const response = await service.app.inject({
    method: 'POST',
    url: `/sourcify/v2/verify/${chain}/${at(name)}`,
    payload: {
      stdJsonInput: given.stdJsonInput,
      compilerVersion: given.compilerVersion,
      contractIdentifier: given.contractIdentifier,
      ...body,
    },
  })
  return { status: response.statusCode, body: response.json() }
}
const finished = (id: string) =>
  vi.waitUntil(async () => (await get(`/sourcify/v2/verify/${id}`)).body.isJobCompleted, {
    timeout: 60_000,
    interval: 200,
  })
const check = async (name: string, body: object = {}) => {
  const { status, body: answer } = await submit(name, body)
  expect([status, answer]).toEqual([202, { verificationId: expect.any(String) }])
  await finished(answer.verificationId)
  return (await get(`/sourcify/v2/verify/${answer.verificationId}`)).body
}
const source = async (name: string) => {
  const { status, body } = await get(`/v1/chains/${chain}/contracts/${at(name)}/source`)
  return { status, body: body.source }
}
const code = (name: string) => get(`/v1/chains/${chain}/contracts/${at(name)}/code`)
const methodOf = async () =>
  (await get(`/v1/chains/${chain}/transactions/${transactionHash(chain, blocks[1], 1)}`)).body
const [sourcePath = '', sourceName = ''] = given.contractIdentifier.split(':')

test('a request that cannot be read is refused in our own words', async () => {
  const place = `${chain}/${at('storage')}`
  const post = async (url: string, payload: object) =>
    (await service.app.inject({ method: 'POST', url, payload })).json().message
  const messages = [
    await post(`/sourcify/v2/verify/${place}`, {}),
    await post(`/sourcify/v2/verify/${place}`, { stdJsonInput: {}, compilerVersion: 8 }),
    await post(`/sourcify/v2/verify/metadata/${place}`, { sources: [] }),
    (await get('/sourcify/v2/verify/x')).body.message,
    (await get(`/sourcify/v2/contracts/${chain}?limit=x`)).body.message,
    (await get(`/sourcify/v2/contracts/${chain}?limit=201`)).body.message,
    (await get(`/sourcify/v2/contracts/${chain}?afterMatchId=x`)).body.message,
  ]
  expect(messages).toEqual([
    'stdJsonInput: is missing',
    'compilerVersion: must be a text',
    'sources: must be an object',
    'verificationId: must be a UUID',
    'limit: must be a number',
    'limit: must be at most 200',
    'afterMatchId: must be the matchId of an entry',
  ])
})

test('a contract without verified sources says so', async () => {
  expect(await source('storage')).toEqual({ status: 200, body: undefined })
  expect(await get(`/sourcify/v2/contract/${chain}/${at('storage')}`)).toEqual({
    status: 404,
    body: {
      match: null,
      creationMatch: null,
      runtimeMatch: null,
      chainId: String(chain),
      address: getAddress(at('storage')),
    },
  })
})

describe('after a check', () => {
  beforeAll(async () => {
    expect(await check('storage')).toMatchObject({
      contract: { match: 'exact_match', creationMatch: 'exact_match', runtimeMatch: 'exact_match' },
    })
  })

  test('its sources are there, with the arguments of its constructor', async () => {
    const { status, body } = await source('storage')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      name: sourceName,
      path: sourcePath,
      runtimeMatch: 'exact_match',
      creationMatch: 'exact_match',
      compilerVersion: given.compilerVersion,
      // The value that Sourcify's own record of the contract has.
      constructorArguments: {
        data: (given.expected.creationValues as Record<string, string>)['constructorArguments'],
      },
    })
    expect(body.sameCodeAs).toBeUndefined()
    const sources = given.stdJsonInput['sources'] as Record<string, { content: string }>
    expect(body.sources).toContainEqual({ path: sourcePath, content: sources[sourcePath]?.content })
  })

  test('another contract with the same code is as readable, and says whose sources it has', async () => {
    const { body } = await source('twin')
    expect(body).toMatchObject({
      name: sourceName,
      sameCodeAs: { chainId: String(chain), address: at('storage') },
    })
    expect(body.constructorArguments).toBeUndefined()
    expect((await code('twin')).body).toMatchObject({ abiName: sourceName })
  })

  test('calls are decoded by its ABI, and its functions can be called', async () => {
    const { functions } = (await code('storage')).body
    expect(functions.map(({ signature }: { signature: string }) => signature)).toEqual(['number()'])
    const { nativeTransaction, decodedInput } = await methodOf()
    expect(nativeTransaction.method.methodName).toBe('store(uint256)')
    // The name of the argument is in the sources only.
    expect(decodedInput.args).toEqual([{ name: 'num', type: 'uint256', value: '7' }])
  })

  test('calls of a proxy are decoded by the code that it had at that block', async () => {
    const argsOf = async (block: SeedBlock, index: number) =>
      (await get(`/v1/chains/${chain}/transactions/${transactionHash(chain, block, index)}`)).body
        .decodedInput?.args
    expect(await argsOf(blocks[1], 2)).toEqual([{ name: 'num', type: 'uint256', value: '7' }])
    expect(await argsOf(blocks[2], 0)).not.toEqual([{ name: 'num', type: 'uint256', value: '7' }])
  })

  test('a search finds it by the beginning of its name, and says where the name comes from', async () => {
    expect((await get('/v1/search?query=stor')).body.results).toContainEqual(
      expect.objectContaining({
        kind: 'contract',
        id: at('storage'),
        title: sourceName,
        detail: `by its verified source, ${at('storage')}`,
      }),
    )
  })

  test('Sourcify’s API gives what a request names', async () => {
    const url = `/sourcify/v2/contract/${chain}/${at('storage')}`
    const { body: plain } = await get(url)
    expect(Object.keys(plain).sort()).toEqual([
      'address',
      'chainId',
      'creationMatch',
      'match',
      'matchId',
      'runtimeMatch',
      'verifiedAt',
    ])
    const { body } = await get(`${url}?fields=stdJsonInput,compilation.name,creationBytecode`)
    expect(body.stdJsonInput.sources).toEqual(given.stdJsonInput['sources'])
    expect(body.compilation).toMatchObject({ fullyQualifiedName: given.contractIdentifier })
    expect(body.creationBytecode.transformationValues).toEqual(given.expected.creationValues)
    expect(body.abi).toBeUndefined()
    expect(await get(`${url}?fields=none`)).toMatchObject({ status: 400 })
    expect((await get(`/sourcify/v2/contracts/${chain}`)).body.results).toHaveLength(1)
  })

  test('the same sources again are refused', async () => {
    expect(await submit('storage')).toMatchObject({ status: 409 })
  })

  test('sources that were checked against another code than the one of now do not count', async () => {
    const code = Buffer.alloc(32, 1)
    const address = Buffer.from(at('changed').slice(2), 'hex')
    const [row] = await store.database`select * from verified_contracts limit 1`
    await store.database`insert into verified_contracts ${store.database({ ...row, address, code_hash: code })}`
    expect(await source('changed')).toEqual({ status: 200, body: undefined })
  })
})

describe('the API of Etherscan', () => {
  const door = async (fields: Record<string, string>, method: 'GET' | 'POST' = 'GET') => {
    const form = new URLSearchParams({ module: 'contract', ...fields }).toString()
    const response = await service.app.inject(
      method === 'GET'
        ? `/api?${form}`
        : {
            method,
            url: `/api?chainid=${chain}`,
            payload: form,
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
          },
    )
    return { status: response.statusCode, ...response.json() }
  }
  const refused = (result: unknown) => ({ status: '0', message: 'NOTOK', result })

  test('takes a file with its settings, and tells what came of it', async () => {
    const sources = given.stdJsonInput['sources'] as Record<string, { content: string }>
    const submitted = await door(
      {
        action: 'verifysourcecode',
        contractaddress: at('plain'),
        sourceCode: sources[sourcePath]?.content ?? '',
        codeformat: 'solidity-single-file',
        contractname: sourceName,
        compilerversion: `v${given.compilerVersion}`,
        optimizationUsed: '0',
        runs: '200',
      },
      'POST',
    )
    expect(submitted).toMatchObject({ status: '1', message: 'OK' })
    await finished(submitted.result)
    expect(await door({ action: 'checkverifystatus', guid: submitted.result })).toMatchObject({
      status: '1',
      result: 'Pass - Verified',
    })
    expect((await source('plain')).body).toMatchObject({ path: `${sourceName}.sol`, runtimeMatch: 'match' })
    expect(JSON.parse((await door({ action: 'getabi', address: at('plain') })).result)).toContainEqual(
      expect.objectContaining({ type: 'function', name: 'store' }),
    )
    const [told] = (await door({ action: 'getsourcecode', address: at('plain') })).result
    expect(told).toMatchObject({ ContractName: sourceName, CompilerVersion: `v${given.compilerVersion}` })
  })

  test('tells who created a contract, and what it does not know', async () => {
    expect(
      (await door({ action: 'getcontractcreation', contractaddresses: at('storage') })).result,
    ).toMatchObject([
      { contractCreator: getAddress(at('alice')), txHash: transactionHash(chain, blocks[1], 0) },
    ])
    expect(await door({ action: 'getabi', address: at('nobody') })).toMatchObject(
      refused('Contract source code not verified'),
    )
    expect(await door({ action: 'checkverifystatus', guid: 'none' })).toMatchObject(refused('Unknown UID'))
    expect(await door({ action: 'other' })).toMatchObject({ status: '0' })
  })

  test('leaves the page of the same path to the dashboard', async () => {
    const response = await service.app.inject('/api')
    expect([response.statusCode, response.json().message]).toEqual([404, 'GET /api does not exist'])
  })
})

describe('bad input', () => {
  const kept = async () => {
    const [row] = await store.database<{ count: bigint }[]>`select count(*) from verified_contracts`
    return row?.count
  }
  const input = (sources: Record<string, { content: string }>) => ({
    stdJsonInput: { language: 'Solidity', sources, settings: {} },
    contractIdentifier: 'a.sol:A',
    compilerVersion: '0.8.18',
  })
  const plain = 'contract A {}'

  test.each([
    ['a path that leads out', input({ 'a.sol': { content: plain }, '../b.sol': { content: '' } }), /"\.\."/],
    [
      'a thousand files',
      input(Object.fromEntries(Array.from({ length: 1_000 }, (_none, n) => [`${n}.sol`, { content: '' }]))),
      /1000 sources; 500 are allowed/,
    ],
    ['5 MB', input({ 'a.sol': { content: `//${'x'.repeat(5 * 1_048_576)}` } }), /4194304 are allowed/],
    ['no sources', input({}), /no sources/],
    [
      'a path with a line break',
      input({ 'a.sol': { content: plain }, 'b\n.sol': { content: '' } }),
      /a path/,
    ],
    ['a path that turns', input({ 'a.sol': { content: plain }, 'b\u202Elos.': { content: '' } }), /a path/],
    [
      'a path with what nobody sees',
      input({ 'a.sol': { content: plain }, 'a\u200B.sol': { content: '' } }),
      /a path/,
    ],
    ['a zero byte', input({ 'a.sol': { content: 'contract A {\0}' } }), /zero byte/],
    ['a contract in no source', input({ 'b.sol': { content: plain } }), /no source "a\.sol"/],
    [
      'a compiler that is none',
      { ...input({ 'a.sol': { content: plain } }), compilerVersion: '../../etc' },
      /is not a version of a compiler/,
    ],
    [
      'Vyper',
      { ...input({}), stdJsonInput: { language: 'Vyper', sources: { 'a.vy': { content: '' } } } },
      /Vyper is not compiled here/,
    ],
    [
      'a source to be fetched',
      {
        ...input({}),
        stdJsonInput: { language: 'Solidity', sources: { 'a.sol': { urls: ['http://127.0.0.1/'] } } },
      },
      /nothing is fetched/,
    ],
  ])('%s is a 400 that says so', async (_name, body, message) => {
    const before = await kept()
    const answer = await submit('storage', body)
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(message) } })
    expect(await kept()).toBe(before)
  })

  test.each([
    [
      'a pragma of no compiler',
      'pragma solidity ^0.9.0; contract A {}',
      'compiler_error',
      /different compiler/,
    ],
    [
      'an import that was not given',
      'import "./b.sol"; contract A {}',
      'compiler_error',
      /b\.sol.* not found/,
    ],
    ['a file of the machine', 'import "/etc/passwd"; contract A {}', 'compiler_error', /not found/],
    ['another contract', 'contract B {}', 'contract_not_found_in_compiler_output', /no contract a\.sol:A/],
    ['an interface', 'interface A {}', 'compiled_bytecode_is_zero', /no code/],
    ['other code', plain, 'bytecode_length_mismatch', /another length/],
  ])('%s fails, and nothing is kept', async (_name, content, customCode, message) => {
    const before = await kept()
    const job = await check('twin', input({ 'a.sol': { content } }))
    expect(job.error).toMatchObject({ customCode, message: expect.stringMatching(message) })
    expect(job.contract).toMatchObject({ match: null })
    expect(await kept()).toBe(before)
  })

  test('a version that is not installed says which are, and how to add it', async () => {
    const job = await check('twin', { compilerVersion: '0.8.19' })
    expect(job.error).toMatchObject({
      customCode: 'unsupported_compiler_version',
      message: expect.stringMatching(/compilers add.*Installed: 0\.8\.18/),
    })
  })

  test('an address without code has nothing to compare with', async () => {
    expect((await check('nobody')).error).toMatchObject({ customCode: 'contract_not_deployed' })
  })

  test('a third check of one caller waits for none, and a second one of an address is refused', async () => {
    const first = await submit('twin')
    expect(await submit('twin')).toMatchObject({ status: 429, body: { message: /under way already/ } })
    const second = await submit('plain')
    expect(await submit('nobody')).toMatchObject({ status: 429 })
    await finished(first.body.verificationId)
    await finished(second.body.verificationId)
  })

  test('metadata that lie about a source are refused', async () => {
    const response = await service.app.inject({
      method: 'POST',
      url: `/sourcify/v2/verify/metadata/${chain}/${at('twin')}`,
      payload: {
        sources: { 'a.sol': plain },
        metadata: {
          compiler: { version: '0.8.18+commit.87f61d96' },
          language: 'Solidity',
          settings: { compilationTarget: { 'a.sol': 'A' } },
          sources: { 'a.sol': { keccak256: `0x${'00'.repeat(32)}`, content: plain } },
        },
      },
    })
    expect([response.statusCode, response.json().message]).toEqual([
      400,
      expect.stringMatching(/no source has the hash/),
    ])
  })
})
