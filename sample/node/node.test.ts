import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { answerOf, resultOf, send, type TestBlock } from '../testing/ask.ts'
import { type RunningSample, startSample } from '../testing/start.ts'

let sample: RunningSample
let c: string

beforeAll(async () => {
  // Without test controls, like `npm start`.
  sample = await startSample({ hours: 48, testControls: false })
  c = sample.chain('C-Chain').rpcUrl
})
afterAll(() => sample.stop())

describe('paths', () => {
  test('serves every chain under its alias and its blockchain id', async () => {
    for (const { blockchainId, evmChainId } of sample.listening.network.chains) {
      const url = `${sample.url}/ext/bc/${blockchainId}/rpc`
      expect(Number(await resultOf(url, 'eth_chainId'))).toBe(evmChainId)
    }
    expect(c).toBe(`${sample.url}/ext/bc/C/rpc`)
    expect(Number(await resultOf(c, 'eth_chainId'))).toBe(43113)
  })

  test('answers unknown paths like the recorded node', async () => {
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
    for (const path of ['/', '/ext/nope', '/ext/bc/nope/rpc', '/test/faults']) {
      expect(await send(sample.url + path, call)).toMatchObject({ status: 404, text: '404 page not found\n' })
    }
    expect(await send(c, call, 'text/plain')).toMatchObject({
      status: 415,
      text: 'invalid content type, only application/json is supported\n',
    })
    expect((await fetch(c)).status).toBe(200)
    expect((await fetch(`${sample.url}/ext/info`)).status).toBe(405)
    const huge = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_chainId',
      params: ['x'.repeat(5_300_000)],
    })
    expect((await send(c, huge)).status).toBe(413)
  })
})

describe('the EVM service', () => {
  test('gives the recorded node’s errors', async () => {
    expect(JSON.parse((await send(c, '{"jsonrpc":')).text)).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32700, message: 'parse error' },
    })
    expect((await answerOf(c, 'eth_nope')).error).toEqual({
      code: -32601,
      message: 'the method eth_nope does not exist/is not available',
    })
    expect((await answerOf(c, 'eth_subscribe', 'newHeads')).error?.message).toBe(
      'notifications not supported',
    )
    const noVersion = await send(c, '{"id":5,"method":"eth_chainId"}')
    expect(JSON.parse(noVersion.text)).toMatchObject({
      id: 5,
      error: { code: -32600, message: 'invalid request' },
    })
  })

  test('refuses anvil’s own methods, also in batches', async () => {
    const methods = [
      'anvil_mine',
      'evm_mine',
      'evm_revert',
      'hardhat_reset',
      'anvil_dumpState',
      'anvil_impersonateAccount',
    ]
    const more = [
      'eth_signTypedData_v4',
      'anvil_autoImpersonateAccount',
      'anvil_setBalance',
      'EVM_mine',
      'debug_dbGet',
      'anvil_nodeInfo',
    ]
    const calls = [...methods, ...more, 'eth_chainId'].map((method, id) => ({
      jsonrpc: '2.0',
      id,
      method,
      params: [],
    }))
    const answers = JSON.parse((await send(c, JSON.stringify(calls))).text) as {
      id: number
      error?: { code: number }
    }[]
    expect(answers.map(({ id }) => id)).toEqual(calls.map(({ id }) => id))
    expect(answers.slice(0, -1).every(({ error }) => error?.code === -32601)).toBe(true)
    expect(answers.at(-1)).toMatchObject({ result: '0xa869' })
    expect(await resultOf(c, 'eth_accounts')).toEqual([])
  })

  test('accepts batches of up to 1,000 calls', async () => {
    const batch = (length: number): string =>
      JSON.stringify(
        Array.from({ length }, (_, id) => ({ jsonrpc: '2.0', id, method: 'eth_chainId', params: [] })),
      )
    expect(JSON.parse((await send(c, batch(1000))).text)).toHaveLength(1000)
    expect(JSON.parse((await send(c, batch(1001))).text)).toEqual([
      { jsonrpc: '2.0', id: 0, error: { code: -32600, message: 'batch too large' } },
    ])
  })

  test('answers like a pruned node: old states are gone; old blocks, receipts and traces remain', async () => {
    const { hash, stateRoot, transactions } = await resultOf<TestBlock & { stateRoot: string }>(
      c,
      'eth_getBlockByNumber',
      '0x9',
      false,
    )
    const gone = (await answerOf(c, 'eth_getBalance', `0x${'11'.repeat(20)}`, '0x9')).error
    expect(gone?.code).toBe(-32000)
    expect(gone?.message).toContain(`missing trie node ${stateRoot.slice(2)}`)
    // The same message for a call, however the block is named (EIP-1898).
    const nobody = `0x${'11'.repeat(20)}`
    for (const block of ['0x9', hash, { blockNumber: '0x9' }, { blockHash: hash }]) {
      expect((await answerOf(c, 'eth_getBalance', nobody, block)).error).toEqual(gone)
      expect((await answerOf(c, 'eth_call', { to: nobody, data: '0x' }, block)).error).toEqual(gone)
    }
    for (const block of [`0x${'11'.repeat(32)}`, { blockHash: `0x${'11'.repeat(32)}` }]) {
      expect((await answerOf(c, 'eth_getBalance', nobody, block)).error).toEqual({
        code: -32000,
        message: 'header not found',
      })
    }
    expect((await answerOf(c, 'debug_traceBlockByNumber', '0x1', { tracer: 'callTracer' })).error).toEqual({
      code: -32000,
      message: 'required historical state unavailable (reexec=0)',
    })
    expect(
      (await answerOf(c, 'debug_traceBlockByNumber', '0x0', { tracer: 'callTracer' })).error?.message,
    ).toBe('genesis is not traceable')
    for (const call of ['debug_traceBlockByNumber', 'eth_getBalance']) {
      const params = call === 'eth_getBalance' ? [`0x${'11'.repeat(20)}`, '0xffff'] : ['0xffff', {}]
      expect((await answerOf(c, call, ...params)).error).toMatchObject({
        message: 'cannot query unfinalized data',
      })
    }
    const kept = await resultOf<number>(c, 'debug_getAccessibleState', '0x1', '0xffff')
    const balanceAt = async (height: number): Promise<unknown> =>
      (await answerOf(c, 'eth_getBalance', nobody, `0x${height.toString(16)}`)).error
    expect([await balanceAt(kept), await balanceAt(kept - 1)]).toEqual([undefined, expect.anything()])
    expect(await resultOf(c, 'eth_getBlockByNumber', '0xffff', false)).toBe(null)
    expect(await resultOf(c, 'trace_block', '0xffff')).toBe(null)
    expect(await resultOf<unknown[]>(c, 'eth_getBlockReceipts', '0x9')).toHaveLength(transactions.length)
    expect((await resultOf<unknown[]>(c, 'trace_block', '0x1')).length).toBeGreaterThan(0)
    expect((await answerOf(c, 'debug_traceTransaction', `0x${'11'.repeat(32)}`, {})).error?.message).toBe(
      'transaction not found',
    )
  })

  test('refuses logs above its head with the call’s id, and treats every accepted block as final', async () => {
    const head = Number(await resultOf(c, 'eth_blockNumber'))
    const above = { fromBlock: `0x${(head + 9).toString(16)}` }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 'mine', method: 'eth_getLogs', params: [above] })
    const { status, type, text } = await send(c, body)
    expect([status, type, JSON.parse(text)]).toEqual([
      200,
      'application/json',
      {
        jsonrpc: '2.0',
        id: 'mine',
        error: {
          code: -32000,
          message: `requested from block ${head + 9} after last accepted block ${head}`,
        },
      },
    ])
    const unknown = await answerOf(c, 'eth_getLogs', { blockHash: `0x${'12'.repeat(32)}` })
    expect(unknown.error).toEqual({ code: -32000, message: 'unknown block' })
    const latest = await resultOf(c, 'eth_getBlockByNumber', 'latest', false)
    for (const tag of ['safe', 'finalized', 'pending']) {
      expect(await resultOf(c, 'eth_getBlockByNumber', tag, false)).toEqual(latest)
    }
    const calls = ['safe', 'latest'].map((tag, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'eth_getBlockByNumber',
      params: [tag, false],
    }))
    const batch = JSON.parse((await send(c, JSON.stringify(calls))).text) as { result: unknown }[]
    expect(batch.map(({ result }) => result)).toEqual([latest, latest])
  })

  test('answers calls over its websocket, where private methods are refused too', async () => {
    const socket = new WebSocket(sample.chain('Harbor').wsUrl)
    await new Promise((resolve) => socket.once('open', resolve))
    const next = (): Promise<{ result?: unknown; error?: { code: number } }> =>
      new Promise((resolve) =>
        socket.once('message', (data: Buffer) => resolve(JSON.parse(data.toString('utf8')))),
      )
    const ask = (method: string): ReturnType<typeof next> => {
      const answer = next()
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }))
      return answer
    }
    expect(Number((await ask('eth_chainId')).result)).toBe(431_302)
    expect((await ask('evm_mine')).error?.code).toBe(-32601)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.send('{"jsonrpc":')
    expect(await closed).toBe(1006)
  })
})

describe('info and health', () => {
  test('describe the network', async () => {
    const ask = async (method: string, params: unknown = {}): Promise<unknown> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      return JSON.parse((await send(`${sample.url}/ext/info`, body)).text)
    }
    expect(await ask('info.getNetworkID')).toEqual({ jsonrpc: '2.0', result: { networkID: '5' }, id: 1 })
    expect(await ask('info.getBlockchainID', { alias: 'C' })).toMatchObject({
      result: { blockchainID: 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp' },
    })
    expect(await ask('info.isBootstrapped', [{ chain: 'C' }])).toMatchObject({
      result: { isBootstrapped: true },
    })
    expect(await ask('info.nope')).toEqual({
      jsonrpc: '2.0',
      error: { code: -32000, message: 'rpc: can\'t find method "info.Nope"', data: null },
      id: 1,
    })
    expect(await ask('platform.getHeight')).toMatchObject({
      error: { message: 'rpc: can\'t find service "platform.GetHeight"' },
    })
    expect(await ask('info.isBootstrapped', 5)).toMatchObject({ error: { code: -32000 } })
    const health = await fetch(`${sample.url}/ext/health`)
    expect(health.status).toBe(200)
    expect(await health.json()).toMatchObject({ healthy: true })
  })
})

describe('the addresses for the launcher', () => {
  test('include the web site, the gateway, the listed tokens and their prices', async () => {
    const { site, listedTokens, pricesFile } = sample.listening
    expect(site.host).toBe('sample.ridgeline.test')
    expect((await fetch(`${site.url}/nft/good/1.json`)).status).toBe(200)
    expect((await fetch(`${site.ipfsGateway}/ipfs/sample/skyline/1.json`)).status).toBe(200)

    expect(listedTokens.map(({ symbol }) => symbol)).toEqual(['SUSD', 'RDG', 'CRN', 'GOLD', 'HUSD', 'HEUR'])
    for (const { chainId, symbol, address } of listedTokens) {
      const chain = sample.listening.network.chains.find(({ evmChainId }) => evmChainId === chainId)
      const answer = await resultOf<string>(
        chain?.rpcUrl ?? '',
        'eth_call',
        { to: address, data: '0x95d89b41' },
        'latest',
      )
      const words = Buffer.from(answer.slice(2), 'hex')
      expect(words.subarray(64, 64 + words.readUInt8(63)).toString('utf8')).toBe(symbol)
    }

    const { label, assets } = JSON.parse(readFileSync(pricesFile, 'utf8')) as {
      label: string
      assets: { id: string; prices: Record<string, unknown> }[]
    }
    expect(label).toBe('sample prices')
    expect(assets.map(({ id }) => id).sort()).toEqual(
      [
        ...sample.listening.network.chains.map(({ evmChainId }) => `native:${evmChainId}`),
        ...listedTokens.map(({ chainId, address }) => `erc20:${chainId}:${address}`),
      ].sort(),
    )
    expect(sample.notices.at(-1)).toEqual({ type: 'ready', pricesFile })
  })
})
