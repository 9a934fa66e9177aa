import { TransferableOutput, Utxo, addTxSignatures, pvm, utils } from '@avalabs/avalanchejs'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chainAliases, type ChainAlias } from '../../../protocol/primary/chains.ts'
import { avalancheContext } from '../../testing/avalanche-context.ts'
import { type LedgerHost, openLedger } from './host.ts'
import { LedgerError, type Staker } from '../ledger.ts'
import { openLedgerStore } from './store.ts'
import { bytesOf } from '../../../protocol/ids/bare-hex.ts'
import { cb58 } from '../../../protocol/ids/text.ts'
import { testPlan } from '../../testing/made-ledger.ts'

const { world, plan } = testPlan(3, 6, 0.01)
const notes: string[] = []
const running = new AbortController().signal
let folder = ''

async function open(of = { world, plan }, at = folder): Promise<LedgerHost> {
  const host = await openLedger({
    ...of,
    store: openLedgerStore(at, 'test'),
    note: (message) => notes.push(message),
    progress: () => undefined,
    stop: running,
  })
  if (host === undefined) throw new Error('the ledger was not made')
  return host
}

function heads(host: LedgerHost): unknown {
  return [
    host.block('P', host.height('P'))?.id,
    host.block('X', host.height('X'))?.id,
    host.supply(host.ids.P),
  ]
}

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'ridgeline-sample-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A payment of five coins, built and signed by avalanchejs from the ledger's data. */
async function payment(host: LedgerHost, from: number, to: number): Promise<Uint8Array> {
  const [payer, payee] = [world.people[from]?.keys[0], world.people[to]?.keys[0]]
  if (payer === undefined || payee === undefined) throw new Error('no such person')
  const manager = utils.getManagerForVM('PVM')
  const coins = host.utxos({ chain: 'P' }, payer.address).map(({ bytes }) => manager.unpack(bytes, Utxo))
  const avax = cb58(host.ids.avax)
  const { capacity, excess, price, time } = host.feeState()
  const unsigned = pvm.newBaseTx(
    {
      feeState: { capacity, excess, price, timestamp: new Date(time * 1000).toISOString() },
      fromAddressesBytes: [bytesOf(payer.address)],
      outputs: [TransferableOutput.fromNative(avax, 5_000_000_000n, [bytesOf(payee.address)])],
      utxos: coins,
    },
    avalancheContext({ P: cb58(host.ids.P), X: cb58(host.ids.X), C: cb58(host.ids.C), avax }),
  )
  await addTxSignatures({ unsignedTx: unsigned, privateKeys: [payer.secret] })
  return unsigned.getSignedTx().toBytes()
}

describe('the ledger', () => {
  test('is the same after a restart, from its state, its journal or its seed', async () => {
    const first = await open()
    const begun = first.chainTime()
    for (let block = 1; block <= 12; block += 1) {
      first.mine('P', begun + block * 8)
      first.mine('X', begun + block * 9)
      const time = begun + block * 3_000
      first.settleC({ height: plan.cTimes.length + block, since: time - 3_000, time })
    }
    const before = heads(first)
    expect(first.height('P')).toBeGreaterThan(0)
    // Nothing was saved since the history, so, as after a kill, only the journal contains the blocks.
    const second = await open()
    expect(heads(second)).toEqual(before)
    second.save()
    expect(heads(await open())).toEqual(before)
    expect(notes).toEqual([])
  })

  test('is created again from the seed with the same blocks if its state is unreadable', async () => {
    const host = await open()
    const { height, block } = host
    const at = height('P') - 13
    const file = path.join(folder, 'state.bin')
    const bytes = readFileSync(file)
    bytes[bytes.length - 5] = (bytes[bytes.length - 5] ?? 0) ^ 1
    writeFileSync(file, bytes)
    const again = await open()
    expect(notes.splice(0)).toEqual([expect.stringContaining('checksum')])
    expect(again.block('P', at - 20)?.id).toBe(block('P', at - 20)?.id)
  })

  test('keeps renewing validators, each cycle where the previous one ended', async () => {
    const host = await open()
    const primary = '0'.repeat(64)
    const renewed = (): Staker | undefined =>
      host.currentStakers(primary).find(({ renewal }) => renewal?.nextPeriod === 43_200)
    const before = renewed()
    host.mine('P', host.chainTime() + 24 * 3_600)
    const after = renewed()
    expect(after?.txId).toBe(before?.txId)
    expect(after?.start).toBe((before?.start ?? 0) + 2 * 43_200)
    expect(after?.weight).toBeGreaterThan(before?.weight ?? 0n)
    const made = heads(host)
    expect(heads(await open())).toEqual(made)
  })

  test('includes a transaction from outside in the next block', async () => {
    const host = await open()
    const bytes = await payment(host, 7, 9)
    const id = host.issue('P', bytes)
    expect(host.tx('P', id)).toMatchObject({ status: 'Processing' })
    const heard: number[] = []
    const stop = host.onBlock(({ height }) => heard.push(height))
    host.mine('P', host.chainTime() + 10)
    stop()
    expect(heard).toContain(host.height('P'))
    expect(host.tx('P', id)).toMatchObject({ status: 'Committed', height: host.height('P') })
    expect(() => host.issue('P', bytes)).toThrow(LedgerError)
    const after = heads(host)
    expect(heads(await open())).toEqual(after)
  })

  test('refuses a double spend and a wrong signature, without any effect', async () => {
    const host = await open()
    const bytes = await payment(host, 11, 9)
    const forged = new Uint8Array(bytes)
    forged[forged.length - 20] = (forged[forged.length - 20] ?? 0) ^ 1
    expect(() => host.issue('P', forged)).toThrow(LedgerError)
    expect(() => host.issue('P', bytes.slice(0, -1))).toThrow(LedgerError)
    host.issue('P', bytes)
    host.mine('P', host.chainTime() + 10)
    const other = await payment(host, 12, 9)
    const spent = new Uint8Array(Buffer.from(bytes))
    expect(() => host.issue('X', other)).toThrow(LedgerError)
    expect(() => host.issue('P', spent)).toThrow(/already|not found/)
  })
})

describe('the blocks after the history', () => {
  const hour = 3_600
  const day = 24 * hour

  /** The times of all transactions of a chain. C's are those of its blocks. */
  function timesOf(host: LedgerHost, cTimes: readonly number[]): Record<ChainAlias, readonly number[]> {
    const blocks = (chain: 'P' | 'X'): number[] =>
      Array.from({ length: host.height(chain) + 1 }, (_, height) => host.block(chain, height)).flatMap(
        (block) => (block === undefined ? [] : block.txIds.map(() => block.time)),
      )
    const atomic = cTimes.filter((_, index) => host.extraData(index + 1) !== undefined)
    return { P: blocks('P'), X: blocks('X'), C: atomic }
  }

  describe('hold what the same hours of the weeks before held', () => {
    const full = testPlan(1, 2_160, 1)
    const { end } = full.world.ages
    let own = ''
    let all: ReturnType<typeof timesOf>

    beforeAll(async () => {
      own = mkdtempSync(path.join(tmpdir(), 'ridgeline-sample-'))
      const host = await open(full, own)
      const cTimes = [...full.plan.cTimes]
      // The seconds between live blocks of the C-Chain: at first a few, later more.
      for (let at = end; at < end + 7 * day;) {
        const since = at
        at += at < end + 3 * hour ? 4 : 15
        await host.catchUp(at, running)
        cTimes.push(at)
        host.settleC({ height: cTimes.length, since, time: at })
      }
      all = timesOf(host, cTimes)
    })
    afterAll(() => rmSync(own, { recursive: true, force: true }))

    test.each([
      ['an hour', hour],
      ['a day', day],
      ['a week', 7 * day],
    ])('after %s', (_age, age) => {
      for (const chain of chainAliases) {
        const count = (from: number, length: number): number =>
          all[chain].filter((time) => from < time && time <= from + length).length
        const before = (from: number, length: number): number[] =>
          [1, 2, 3, 4].map((week) => count(from - 7 * day * week, length))
        for (let from = end; from < end + age; from += hour) {
          // An hour of the past has none or one, now and then a few.
          const max = 2 * Math.max(...before(from, hour)) + 2
          expect(count(from, hour), `${chain}, hour ${(from - end) / hour}`).toBeLessThanOrEqual(max)
        }
        for (let from = end; from + day <= end + age; from += day) {
          const weeks = before(from, day)
          const what = `${chain}, day ${(from - end) / day}, before ${weeks.join(' ')}`
          expect(count(from, day), what).toBeLessThanOrEqual(2 * Math.max(...weeks))
          expect(count(from, day), what).toBeGreaterThanOrEqual(Math.min(...weeks) / 2)
        }
        if (age < 7 * day) continue
        const mean = before(end, age).reduce((sum, each) => sum + each, 0) / 4
        const ratio = count(end, age) / mean
        expect(ratio, `${chain}, the week`).toBeGreaterThan(0.6)
        expect(ratio, `${chain}, the week`).toBeLessThan(1.6)
      }
    })
  })

  test('are the same whether made one by one or after a pause', async () => {
    const headsOf = async (step: number): Promise<unknown> => {
      const own = mkdtempSync(path.join(tmpdir(), 'ridgeline-sample-'))
      try {
        const host = await open({ world, plan }, own)
        const { end } = world.ages
        const before = host.height('P') + host.height('X')
        for (let at = end + step; at <= end + 7 * day; at += step) await host.catchUp(at, running)
        expect(host.height('P') + host.height('X')).toBeGreaterThan(before)
        return heads(host)
      } finally {
        rmSync(own, { recursive: true, force: true })
      }
    }
    expect(await headsOf(7 * day)).toEqual(await headsOf(420))
  })

  test('hold a submitted transaction without waiting for an ordinary one', async () => {
    const host = await open()
    const clock = (): number => host.chainTime() + 1_000
    const id = host.issue('P', await payment(host, 13, 9))
    const stop = new AbortController()
    const isMade = new Promise<void>((resolve) => {
      host.onBlock(() => {
        if (host.tx('P', id)?.status === 'Committed') resolve()
      })
    })
    const living = host.live(clock, stop.signal)
    await isMade
    stop.abort()
    await living
  })
})
