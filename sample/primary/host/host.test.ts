import { TransferableOutput, Utxo, addTxSignatures, pvm, utils } from '@avalabs/avalanchejs'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { avalancheContext } from '../../testing/avalanche-context.ts'
import { checkLedger } from '../../testing/check.ts'
import { type LedgerHost, openLedger } from './host.ts'
import { LedgerError, type Staker } from '../ledger.ts'
import { openLedgerStore } from './store.ts'
import { bytesOf, cb58Of } from '../text.ts'
import { testPlan } from '../../testing/made-ledger.ts'

const { world, plan } = testPlan(3, 6, 0.01)
const notes: string[] = []
let folder = ''

async function open(): Promise<LedgerHost> {
  const host = await openLedger({
    world,
    plan,
    store: openLedgerStore(folder, 'test'),
    note: (message) => notes.push(message),
    progress: () => undefined,
    stop: new AbortController().signal,
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
  const avax = cb58Of(host.ids.avax)
  const { capacity, excess, price, time } = host.feeState()
  const unsigned = pvm.newBaseTx(
    {
      feeState: { capacity, excess, price, timestamp: new Date(time * 1000).toISOString() },
      fromAddressesBytes: [bytesOf(payer.address)],
      outputs: [TransferableOutput.fromNative(avax, 5_000_000_000n, [bytesOf(payee.address)])],
      utxos: coins,
    },
    avalancheContext({ P: cb58Of(host.ids.P), X: cb58Of(host.ids.X), C: cb58Of(host.ids.C), avax }),
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
      first.settleC(plan.cTimes.length + block, begun + block * 3)
    }
    const before = heads(first)
    expect(first.height('P')).toBeGreaterThan(0)
    // Nothing was saved since the history, so, as after a kill, only the journal contains the blocks.
    const second = await open()
    expect(heads(second)).toEqual(before)
    second.save()
    expect(heads(await open())).toEqual(before)
    expect(checkLedger(second).problems).toEqual([])
    expect(notes).toEqual([])
  }, 60_000)

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
  }, 60_000)

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
    expect(checkLedger(host).problems).toEqual([])
    const made = heads(host)
    expect(heads(await open())).toEqual(made)
  }, 60_000)

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
    expect(checkLedger(host).problems).toEqual([])
    const after = heads(host)
    expect(heads(await open())).toEqual(after)
  }, 60_000)

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
    expect(checkLedger(host).problems).toEqual([])
  }, 60_000)
})
