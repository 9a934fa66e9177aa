import { chainAliases } from '../../protocol/primary/chains.ts'
import { decodePBlock } from '../../protocol/primary/p-blocks.ts'
import { decodeXBlock } from '../../protocol/primary/x-blocks.ts'
import { decodeWrapper, unsignedWrapper, type WrapperFields } from '../../protocol/primary/proposer.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { EvmChain } from '../evm/evm-chain.ts'
import { createChainRegistry } from '../node/rpc/chain-names.ts'
import { type Front, startFront } from '../kernel/front.ts'
import { primaryRoutes } from '../node/primary/routes.ts'
import type { Peers } from '../peers/peers.ts'
import type { LedgerHost } from '../primary/host/host.ts'
import { hexOf } from '../../protocol/ids/bare-hex.ts'
import { cb58 } from '../../protocol/ids/text.ts'
import { sha256Hex } from '../../protocol/native/hashes.ts'
import { answerOf, resultOf, send } from '../testing/ask.ts'
import { sampleControl, type SampleControl } from '../testing/control.ts'
import { createTestParts } from './parts.ts'
import { recordedLedger } from '../testing/recorded-ledger.ts'
import type { FaultKind } from './types.ts'

let front: Front
let control: SampleControl
let [p, x, pIndex] = ['', '', '']

beforeAll(async () => {
  const parts = createTestParts()
  const ledger = recordedLedger()
  const routeGroup = primaryRoutes({
    ledger: Promise.resolve(parts.hook.shownLedger(ledger)),
    c: new Promise<EvmChain>(() => undefined),
    registry: createChainRegistry(
      chainAliases.map((name) => ({ id: cb58(ledger.ids[name]), names: [name] })),
    ),
    prefix: 'local',
    proposers: [],
    hook: parts.hook,
  })
  front = await startFront('127.0.0.1', 0, [
    routeGroup,
    ...parts.routeGroups(new Map(), new Promise<Peers>(() => undefined), {
      ledger: new Promise<LedgerHost>(() => undefined),
      clock: () => 0,
    }),
  ])
  control = sampleControl(front.url)
  p = `${front.url}/ext/bc/P`
  x = `${front.url}/ext/bc/X`
  pIndex = `${front.url}/ext/index/P/block`
})
afterAll(() => front.close())
afterEach(async () => {
  await control.clearFaults()
  for (const chain of ['P', 'X'] as const) {
    await control.rewind({ chain, on: false })
    await control.fork({ chain })
  }
})

async function blockAt(url: string, service: string, height: number): Promise<Uint8Array> {
  const params = { height, encoding: 'hex' }
  const { block } = await resultOf<{ block: string }>(url, `${service}.getBlockByHeight`, params)
  return new Uint8Array(Buffer.from(block.slice(2, -8), 'hex'))
}

type Contained = {
  readonly id: string
  readonly bytes: string
}

async function containersOf(url: string): Promise<readonly Contained[]> {
  const params = { startIndex: 0, numToFetch: 1024, encoding: 'hex' }
  return (await resultOf<{ containers: Contained[] }>(url, 'index.getContainerRange', params)).containers
}

function wrapperOf({ bytes }: Contained): WrapperFields {
  return decodeWrapper(new Uint8Array(Buffer.from(bytes.slice(2, -8), 'hex')))
}

describe('faults of the endpoints', () => {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'platform.getBlockByHeight',
    params: { height: '4', encoding: 'hex' },
  })

  async function once(kind: FaultKind): Promise<void> {
    await control.addFault({ chain: 'P', kind, match: { height: 4 }, times: 1 })
  }

  test('are those of the transport', async () => {
    const whole = await send(p, body)
    await once('429')
    expect((await send(p, body)).status).toBe(429)
    await once('503')
    expect((await send(p, body)).status).toBe(503)
    await once('html')
    expect(await send(p, body)).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' })
    await once('cut')
    const cut = await send(p, body)
    expect(whole.text.startsWith(cut.text)).toBe(true)
    expect(() => JSON.parse(cut.text)).toThrow(SyntaxError)
    await once('reset')
    await expect(send(p, body)).rejects.toThrow()
    expect(await send(p, body)).toEqual(whole)
  })

  test('stall in the middle of a body', async () => {
    await once('stall')
    const abort = new AbortController()
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(p, { method: 'POST', headers, body, signal: abort.signal })
    const reader = response.body?.getReader()
    const first = await reader?.read()
    expect(first?.value?.length).toBeLessThan(Number(response.headers.get('content-length')))
    const rest = reader?.read()
    expect(await Promise.race([rest, resultOf(p, 'platform.getHeight', {})])).toEqual({ height: '11' })
    abort.abort()
    await expect(rest).rejects.toThrow()
  })

  test('are those of the content, in the words of these services', async () => {
    await once('null')
    expect(JSON.parse((await send(p, body)).text)).toEqual({ jsonrpc: '2.0', id: 1, result: null })
    await once('unsupported')
    expect(JSON.parse((await send(p, body)).text)).toMatchObject({
      error: { code: -32000, message: 'rpc: can\'t find method "platform.GetBlockByHeight"' },
    })
    await control.addFault({ chain: 'P', kind: 'error', match: { height: 5 } })
    expect(JSON.parse((await send(p, body)).text)).toHaveProperty('result')
  })

  test('take the index API away, or a range with a certain block', async () => {
    const range = { startIndex: 2, numToFetch: 3, encoding: 'hex' }
    await control.addFault({ chain: 'index/P/block', kind: 'error', match: { height: 6 } })
    expect(await answerOf(pIndex, 'index.getContainerRange', range)).toHaveProperty('result')
    const longer = { ...range, numToFetch: 4 }
    expect((await answerOf(pIndex, 'index.getContainerRange', longer)).error?.code).toBe(-32000)
    await control.addFault({ chain: 'index', kind: '404' })
    for (const path of ['P/block', 'X/block', 'X/vtx', 'X/tx']) {
      expect(await send(`${front.url}/ext/index/${path}`, body)).toMatchObject({
        status: 404,
        text: '404 page not found\n',
      })
    }
    expect((await send(p, body)).status).toBe(200)
  })

  test('are counted with the calls', async () => {
    await control.addFault({ chain: 'P', kind: '503', times: 1 })
    await send(p, body)
    await send(p, body)
    await answerOf(p, 'platform.getBlockByHeight', { height: '12' })
    const { faults, requests } = await control.faults()
    expect(faults).toMatchObject([{ hits: 1 }])
    expect(requests.P).toMatchObject({ calls: 3, pastHead: 1, methods: { 'platform.getBlockByHeight': 3 } })
    expect(requests.X.calls).toBe(0)
  })
})

describe('pretences', () => {
  test('of a lower height: nothing above it is known', async () => {
    const above = decodePBlock(await blockAt(p, 'platform', 9))
    const aboveId = cb58(sha256Hex(await blockAt(p, 'platform', 9)))
    const newest = (await containersOf(pIndex)).at(-1)?.id
    const isAccepted = (): Promise<unknown> => resultOf(pIndex, 'index.isAccepted', { id: newest })
    expect(await isAccepted()).toEqual({ isAccepted: true })
    await control.rewind({ chain: 'P', to: 8, on: true })
    expect(await isAccepted()).toEqual({ isAccepted: false })
    expect(await resultOf(p, 'platform.getHeight', {})).toEqual({ height: '8' })
    expect((await answerOf(p, 'platform.getBlockByHeight', { height: 9 })).error?.message).toBe(
      "couldn't get block at height 9: not found",
    )
    expect((await answerOf(p, 'platform.getBlock', { blockID: aboveId })).error).toBeDefined()
    expect(above.height).toBe(9)
    const { block } = await resultOf<{ block: { txs: { id: string }[] } }>(p, 'platform.getBlockByHeight', {
      height: 8,
      encoding: 'json',
    })
    const txID = block.txs[0]?.id
    expect(await resultOf(p, 'platform.getTxStatus', { txID })).toEqual({ status: 'Committed' })
    await control.rewind({ chain: 'P', to: 7, on: true })
    expect(await resultOf(p, 'platform.getTxStatus', { txID })).toEqual({ status: 'Unknown' })
    expect((await containersOf(pIndex)).length).toBe(7)
    const range = { startIndex: 7, numToFetch: 1 }
    expect((await answerOf(pIndex, 'index.getContainerRange', range)).error?.message).toBe(
      'start index (7) > last accepted index (6)',
    )
    expect(await resultOf(x, 'avm.getHeight', {})).toEqual({ height: '4' })
    await control.rewind({ chain: 'P', on: false })
    expect(await resultOf(p, 'platform.getHeight', {})).toEqual({ height: '11' })
  })

  test('of another block at an accepted height, with others behind it, in the index too', async () => {
    const before = await containersOf(pIndex)
    await control.fork({ chain: 'P', from: 7 })
    const after = await containersOf(pIndex)
    expect(after.slice(0, 6)).toEqual(before.slice(0, 6))
    expect(after).toHaveLength(before.length)
    let parent = cb58(sha256Hex(await blockAt(p, 'platform', 6)))
    let wrapperParent = after[5]?.id
    for (let height = 7; height <= 11; height += 1) {
      const bytes = await blockAt(p, 'platform', height)
      const block = decodePBlock(bytes)
      expect(block.height).toBe(height)
      expect(cb58(block.parentId)).toBe(parent)
      parent = cb58(sha256Hex(bytes))
      const { block: shown } = await resultOf<{ block: { id: string } }>(p, 'platform.getBlock', {
        blockID: parent,
        encoding: 'json',
      })
      expect(shown.id).toBe(parent)
      const container = after[height - 1]
      expect(container?.id).not.toBe(before[height - 1]?.id)
      if (container === undefined) throw new Error(`there is no container ${height - 1}`)
      const wrapped = wrapperOf(container)
      expect(Buffer.from(wrapped.block).equals(bytes)).toBe(true)
      expect(cb58(wrapped.parentId)).toBe(wrapperParent)
      wrapperParent = cb58(sha256Hex(unsignedWrapper(wrapped)))
      expect(container.id).toBe(wrapperParent)
    }
    await control.fork({ chain: 'P' })
    expect(await containersOf(pIndex)).toEqual(before)
  })

  test('of X do the same', async () => {
    const real = await blockAt(x, 'avm', 3)
    await control.fork({ chain: 'X', from: 2 })
    const second = await blockAt(x, 'avm', 2)
    const third = decodeXBlock(await blockAt(x, 'avm', 3))
    expect(hexOf(third.parentId)).toBe(sha256Hex(second))
    expect(third.transactions).toEqual(decodeXBlock(real).transactions)
    expect(third.parentId).not.toEqual(decodeXBlock(real).parentId)
  })

  test('are refused where they cannot be', async () => {
    await expect(control.fork({ chain: 'P', from: 12 })).rejects.toThrow(/fork is 12; it must be from 1 to/)
    await expect(control.rewind({ chain: 'P', on: true })).rejects.toThrow(/to must be a height/)
  })
})
