import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { cb58 } from '../../protocol/ids/text.ts'
import { allBlocks, answerOf, resultOf, send, type TestBlock } from '../testing/ask.ts'
import { type RunningSample, startSample } from '../testing/start.ts'
import type { FaultKind } from './types.ts'

let sample: RunningSample
let c: string

beforeAll(async () => {
  sample = await startSample({ hours: 60 })
  c = sample.chain('C-Chain').rpcUrl
})
afterAll(() => sample.stop())
afterEach(async () => {
  await sample.control.clearFaults()
})

const receipts = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockReceipts', params: ['0x4'] })

async function addOnce(kind: FaultKind): Promise<void> {
  const match = { method: 'eth_getBlockReceipts', height: 4 }
  await sample.control.addFault({ chain: 'c', kind, match, times: 1 })
}

async function linked(): Promise<TestBlock[]> {
  const blocks = await allBlocks(c)
  for (const [index, block] of blocks.entries()) {
    expect(Number(block.number)).toBe(index)
    if (index > 0) expect(block.parentHash).toBe(blocks[index - 1]?.hash)
  }
  return blocks
}

describe('faults', () => {
  test('of the transport', async () => {
    const whole = await send(c, receipts)
    await addOnce('429')
    const refused = await fetch(c, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: receipts,
    })
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('1')
    await addOnce('503')
    expect((await send(c, receipts)).status).toBe(503)
    await addOnce('html')
    expect(await send(c, receipts)).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' })
    await addOnce('cut')
    const cut = await send(c, receipts)
    expect(whole.text.startsWith(cut.text)).toBe(true)
    expect(() => JSON.parse(cut.text)).toThrow(SyntaxError)
    await addOnce('reset')
    await expect(send(c, receipts)).rejects.toThrow()
    expect((await send(c, receipts)).text).toBe(whole.text)
  })

  test('that stall send half a body and then nothing', async () => {
    await addOnce('stall')
    const abort = new AbortController()
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(c, { method: 'POST', headers, body: receipts, signal: abort.signal })
    const reader = response.body?.getReader()
    const first = await reader?.read()
    expect(first?.value?.length).toBeLessThan(Number(response.headers.get('content-length')))
    const rest = reader?.read()
    const other = resultOf(c, 'eth_chainId')
    expect(await Promise.race([rest, other])).toBe('0xa869')
    abort.abort()
    await expect(rest).rejects.toThrow()
  })

  test('of the content', async () => {
    const whole = await resultOf<{ logs: unknown[]; logsBloom: string }[]>(c, 'eth_getBlockReceipts', '0x4')
    const ask = (): ReturnType<typeof answerOf> => answerOf(c, 'eth_getBlockReceipts', '0x4')
    await addOnce('null')
    expect((await ask()).result).toBe(null)
    await addOnce('error')
    expect((await ask()).error).toEqual({ code: -32000, message: 'the node is unwell' })
    await addOnce('unsupported')
    expect((await ask()).error?.code).toBe(-32601)
    await addOnce('empty-logs')
    expect((await ask()).result).toEqual(whole.map((receipt) => ({ ...receipt, logs: [] })))
    await addOnce('missing-receipt')
    expect((await ask()).result).toEqual(whole.slice(0, -1))
    expect((await ask()).result).toEqual(whole)
    const { faults, requests } = await sample.control.faults()
    expect(faults.map(({ hits }) => hits)).toEqual([1, 1, 1, 1, 1])
    expect(requests.c.methods['eth_getBlockReceipts']).toBeGreaterThanOrEqual(6)
  })

  test('match a block by its hash and by its height', async () => {
    const { hash } = await resultOf<TestBlock>(c, 'eth_getBlockByNumber', '0x7', false)
    await sample.control.addFault({ chain: 'c', kind: 'null', match: { height: 7 } })
    expect(await resultOf(c, 'eth_getBlockReceipts', hash)).toBe(null)
    expect(await resultOf(c, 'eth_getBlockReceipts', '0x7')).toBe(null)
    expect(await resultOf(c, 'eth_getBlockReceipts', '0x8')).not.toBe(null)
    const meridian = sample.chain('Meridian').rpcUrl
    expect(await resultOf(meridian, 'eth_getBlockByNumber', '0x7', false)).not.toBe(null)
  })

  test('of batches', async () => {
    const calls = [1, 2, 3].map((id) => ({ jsonrpc: '2.0', id, method: 'eth_blockNumber', params: [] }))
    const ids = async (): Promise<number[]> =>
      (JSON.parse((await send(c, JSON.stringify(calls))).text) as { id: number }[]).map(({ id }) => id)
    await sample.control.addFault({ chain: 'c', kind: 'shuffled', times: 1 })
    expect(await ids()).toEqual([3, 2, 1])
    await sample.control.addFault({ chain: 'c', kind: 'missing-id', times: 1 })
    expect(await ids()).toEqual([1, 2])
    expect((await sample.control.faults()).requests.c).toMatchObject({
      calls: 2,
      batches: 2,
      largestBatch: 3,
    })
  })

  test('are refused for a chain that does not exist', async () => {
    const response = await fetch(`${sample.url}/test/faults`, {
      method: 'POST',
      body: '{"chain":"x","kind":"503"}',
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ message: 'chain is "x"; it must be one of c, meridian, harbor' })
  })
})

describe('ordered blocks', () => {
  test('are appended one after the other, each later than the previous one', async () => {
    const from = Number(await resultOf(c, 'eth_blockNumber'))
    const orders = Array.from({ length: 12 }, () => sample.control.mine({ chain: 'c', transactions: 2 }))
    const [reorganised] = await Promise.all([sample.control.reorg({ chain: 'c', depth: 2 }), ...orders])
    const all = await linked()
    expect(all.length).toBe(from + 1 + 12 + 1)
    const times = all.map(({ timestamp }) => Number(timestamp))
    expect(times.every((time, index) => index === 0 || time > (times[index - 1] ?? Infinity))).toBe(true)
    for (const { number, hash } of reorganised.made) expect(all[number]?.hash).toBe(hash)
  })
})

describe('reorganisations', () => {
  for (const sameTransactions of ['all', 'some', 'none'] as const) {
    test(`keep ${sameTransactions} of the transactions in a longer branch`, async () => {
      await sample.control.mine({ chain: 'c', blocks: 6, transactions: 5 })
      const before = await linked()
      const result = await sample.control.reorg({ chain: 'c', depth: 6, sameTransactions, transactions: 5 })
      const after = await linked()
      expect(after.length).toBe(before.length + 1)
      expect(after.at(-1)?.hash).toBe(result.head.hash)
      expect(result.undone.map(({ hash }) => hash)).toEqual(before.slice(-6).map(({ hash }) => hash))
      expect(after[result.ancestor]?.hash).toBe(before[result.ancestor]?.hash)
      const old = new Set(before.map(({ hash }) => hash))
      expect(result.made.some(({ hash }) => old.has(hash))).toBe(false)
      for (const { hash } of result.undone)
        expect(await resultOf(c, 'eth_getBlockByHash', hash, false)).toBe(null)
      const undone = before.slice(-6).flatMap(({ transactions }) => transactions)
      const made = new Set(after.slice(-7, -1).flatMap(({ transactions }) => transactions))
      const kept = undone.filter((hash) => made.has(hash)).length
      expect(undone).toHaveLength(30)
      if (sameTransactions === 'all') expect(kept).toBe(30)
      if (sameTransactions === 'some') expect(kept).toBeGreaterThan(0)
      if (sameTransactions === 'some') expect(kept).toBeLessThan(30)
      if (sameTransactions === 'none') expect(kept).toBe(0)
    })
  }

  test('reach deep into the history, down to the genesis block', async () => {
    const before = await linked()
    await sample.control.reorg({ chain: 'c', depth: before.length - 3, extend: 3 })
    expect(await linked()).toHaveLength(before.length + 3)
    await expect(sample.control.reorg({ chain: 'c', depth: 1000 })).rejects.toThrow(/depth is 1000/)
  })

  test('reach the index of C blocks', async () => {
    const range = async (): Promise<readonly { id: string; bytes: string }[]> => {
      const params = { startIndex: 0, numToFetch: 1024, encoding: 'hex' }
      const url = `${sample.url}/ext/index/C/block`
      return (
        await resultOf<{ containers: { id: string; bytes: string }[] }>(
          url,
          'index.getContainerRange',
          params,
        )
      ).containers
    }
    const before = await range()
    const { ancestor } = await sample.control.reorg({ chain: 'c', depth: 3 })
    const after = await range()
    expect(after).toHaveLength(before.length + 1)
    expect(after.slice(0, ancestor)).toEqual(before.slice(0, ancestor))
    const old = new Set(before.map(({ id }) => id))
    expect(after.slice(ancestor).some(({ id }) => old.has(id))).toBe(false)
    for (const [index, { bytes }] of after.entries()) {
      // A wrapper begins with six bytes of version and type, followed by its parent's id.
      const parent = after[index - 1]?.id
      if (parent !== undefined) expect(cb58(Buffer.from(bytes.slice(14, 78), 'hex'))).toBe(parent)
    }
  })

  test('are announced to subscribers block by block', async () => {
    const socket = new WebSocket(sample.chain('Meridian').wsUrl)
    await new Promise((resolve) => socket.once('open', resolve))
    const heads: number[] = []
    const subscribed = new Promise<void>((resolve) => socket.once('message', () => resolve()))
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }))
    await subscribed
    const { ancestor, made } = await new Promise<{ ancestor: number; made: readonly unknown[] }>(
      (resolve, reject) => {
        let wanted = Infinity
        let result = { ancestor: 0, made: [] as readonly unknown[] }
        socket.on('message', (data: Buffer) => {
          const { params } = JSON.parse(data.toString('utf8')) as { params: { result: { number: string } } }
          heads.push(Number(params.result.number))
          if (heads.length >= wanted) resolve(result)
        })
        sample.control.reorg({ chain: 'meridian', depth: 3 }).then((found) => {
          result = found
          wanted = found.made.length
          if (heads.length >= wanted) resolve(result)
        }, reject)
      },
    )
    expect(heads).toEqual(made.map((_, index) => ancestor + 1 + index))
    socket.terminate()
  })
})

describe('pretences', () => {
  test('with a lower head show nothing above it', async () => {
    const head = Number(await resultOf(c, 'eth_blockNumber'))
    const to = head - 5
    const above = `0x${(to + 1).toString(16)}`
    const { hash, transactions } = await resultOf<TestBlock>(c, 'eth_getBlockByNumber', above, false)
    await sample.control.rewind({ chain: 'c', to, on: true })
    expect(Number(await resultOf(c, 'eth_blockNumber'))).toBe(to)
    expect(Number((await resultOf<TestBlock>(c, 'eth_getBlockByNumber', 'latest', false)).number)).toBe(to)
    expect(await resultOf(c, 'eth_getBlockByNumber', above, false)).toBe(null)
    expect(await resultOf(c, 'eth_getBlockByHash', hash, false)).toBe(null)
    expect(await resultOf(c, 'eth_getBlockReceipts', above)).toBe(null)
    for (const transaction of transactions) {
      expect(await resultOf(c, 'eth_getTransactionByHash', transaction)).toBe(null)
    }
    expect((await sample.control.faults()).requests.c.pastHead).toBe(2)
    await sample.control.rewind({ chain: 'c', on: false })
    expect(Number(await resultOf(c, 'eth_blockNumber'))).toBe(head)
  })

  test('can show another chain', async () => {
    const genesis = `0x${'ab'.repeat(32)}` as const
    await sample.control.identity({ chain: 'c', evmChainId: 7, genesis })
    expect(await resultOf(c, 'eth_chainId')).toBe('0x7')
    expect((await resultOf<TestBlock>(c, 'eth_getBlockByNumber', '0x0', false)).hash).toBe(genesis)
    await sample.control.identity({ chain: 'c' })
    expect(await resultOf(c, 'eth_chainId')).toBe('0xa869')
  })

  test('include a websocket that is accepted but sends nothing, and one that is not accepted', async () => {
    await sample.control.addFault({ chain: 'harbor', kind: 'silent-ws' })
    const silent = new WebSocket(sample.chain('Harbor').wsUrl)
    await new Promise((resolve) => silent.once('open', resolve))
    let said = 0
    silent.on('message', () => {
      said += 1
    })
    silent.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }))
    await sample.control.mine({ chain: 'harbor', blocks: 2 })
    const pong = new Promise((resolve) => silent.once('pong', resolve))
    silent.ping()
    await pong
    expect(said).toBe(0)
    silent.terminate()
    await sample.control.clearFaults()
    await sample.control.addFault({ chain: 'harbor', kind: 'closed-ws' })
    const closed = new WebSocket(sample.chain('Harbor').wsUrl)
    await expect(
      new Promise((resolve, reject) => closed.once('open', resolve).once('error', reject)),
    ).rejects.toThrow()
  })
})

describe('what becomes of validators', () => {
  type Validator = {
    readonly nodeID: string
    readonly uptime: string
    readonly connected: boolean
    readonly startTime: string
    readonly endTime: string
  }
  const ofP = <T>(method: string, params: object = {}): Promise<T> =>
    resultOf<T>(`${sample.url}/ext/bc/P`, `platform.${method}`, params)
  const validators = async (): Promise<Validator[]> =>
    (await ofP<{ validators: Validator[] }>('getCurrentValidators')).validators
  const find = async (nodeId: string): Promise<Validator | undefined> =>
    (await validators()).find(({ nodeID }) => nodeID === nodeId)
  const peer = async (nodeId: string): Promise<{ version: string } | undefined> => {
    const { peers } = await resultOf<{ peers: { nodeID: string; version: string }[] }>(
      `${sample.url}/ext/info`,
      'info.peers',
      { nodeIDs: [nodeId] },
    )
    return peers[0]
  }

  test('is what the node is told to say, and the truth afterwards', async () => {
    const before = (await validators()).find(({ connected }) => connected)
    const nodeId = before?.nodeID ?? ''
    const usual = await peer(nodeId)
    await sample.control.node({ nodeId, isConnected: false, uptime: 12.5 })
    expect(await find(nodeId)).toMatchObject({ connected: false, uptime: '12.5000' })
    expect(await peer(nodeId)).toBeUndefined()
    await sample.control.node({ nodeId, version: 'avalanchego/1.0.0' })
    expect(await find(nodeId)).toEqual(before)
    expect(await peer(nodeId)).toMatchObject({ version: 'avalanchego/1.0.0' })
    await sample.control.node({ nodeId })
    expect(await peer(nodeId)).toMatchObject({ version: usual?.version })
    await expect(sample.control.node({ nodeId: 'NodeID-nobody' })).rejects.toThrow('must be a node id')
  })

  test('is a stake that ends as time moves on', async () => {
    const busy = new Set((await validators()).map(({ nodeID }) => nodeID))
    const idle = (await sample.control.peers()).find(
      ({ nodeId, address }) => address === undefined && !busy.has(nodeId),
    )
    const nodeId = idle?.nodeId ?? ''
    const { height } = await sample.control.stake({ kind: 'validator', nodeId, seconds: 100 })
    expect(await ofP('getHeight')).toEqual({ height: String(height) })
    const found = await find(nodeId)
    expect(Number(found?.endTime) - Number(found?.startTime)).toBe(100)
    await sample.control.advance({ seconds: 99 })
    expect(await find(nodeId)).toBeDefined()
    await sample.control.advance({ seconds: 1 })
    expect(await find(nodeId)).toBeUndefined()
    await expect(sample.control.stake({ kind: 'delegator', nodeId, seconds: 10 })).rejects.toThrow(
      'not a validator',
    )
    await expect(sample.control.advance({ seconds: 0 })).rejects.toThrow('whole number')
  })

  test('is a balance that lasts as long as ordered', async () => {
    const { subnets } = await ofP<{ subnets: { id: string }[] }>('getSubnets')
    const members = await Promise.all(
      subnets.map(({ id }) =>
        ofP<{ validators: { validationID?: string }[] }>('getCurrentValidators', { subnetID: id }),
      ),
    )
    const validationId =
      members.flatMap(({ validators: all }) => all.map((each) => each.validationID)).find(Boolean) ?? ''
    const balance = async (): Promise<bigint> =>
      BigInt((await ofP<{ balance: string }>('getL1Validator', { validationID: validationId })).balance)
    await sample.control.l1Balance({ validationId, seconds: 0 })
    expect(await balance()).toBe(0n)
    await sample.control.l1Balance({ validationId, seconds: 3_600 })
    const { price } = await ofP<{ price: string }>('getValidatorFeeState')
    expect(await balance()).toBe(BigInt(price) * 3_600n)
    // At its end the validator becomes inactive by itself.
    await sample.control.advance({ seconds: 3_601 })
    expect(await balance()).toBe(0n)
  })
})
