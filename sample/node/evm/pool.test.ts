import type { Hex } from 'viem'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../../evm/anvil/anvil.ts'
import type { RpcClient } from '../../evm/anvil/rpc.ts'
import { recordedCalls } from '../../testing/recorded-answers.ts'
import { localMethods, type LocalMethods } from './local.ts'
import { poolMethods } from './pool.ts'
import { proofMethod } from './proof.ts'
import { statesOf } from './states.ts'
import type { RpcRequest } from '../rpc/jsonrpc.ts'

const recorded = recordedCalls('evm-answers.json')
/** The sender of the recorded transactions: funded, with five transactions sent. */
const sender = '0x8db97c7cece249c2b98bdc0226cc4c2a57bf52fc'

let folder = ''
let anvil: Anvil
let answer: LocalMethods

/** Replays a recorded call and expects its recorded answer. */
async function expectRecorded(methods: LocalMethods, name: string): Promise<void> {
  const call = recorded.get(name)
  if (call === undefined) throw new Error(`${name} has not been recorded`)
  expect([name, await methods(call.body as RpcRequest)]).toEqual([name, call.answer])
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'ridgeline-sample-'))
  anvil = await startAnvil({
    chainId: 43_112,
    accounts: 1,
    mnemonicSeed: 1,
    genesisTime: 1_700_000_000,
    cache: folder,
    onSpawn: () => undefined,
  })
  await anvil.rpc.call('anvil_setBalance', sender, '0x295be96e64066972000000')
  await anvil.rpc.call('anvil_setNonce', sender, '0x5')
  const head = { number: 0, hash: '0x' as const, time: 0 }
  const { rpc } = anvil
  const submit = async (raw: Hex): Promise<Hex> => (await rpc.call('eth_sendRawTransaction', raw)) as Hex
  answer = localMethods(poolMethods(Promise.resolve({ head, rpc, submit })))
})
afterAll(async () => {
  await anvil.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('the pool answers like a real node', () => {
  test('to accepted and refused transactions, and about its contents', async () => {
    for (const part of ['gap', 'known', 'nonceTooLow', 'underpriced', 'replaceUnderpriced', 'garbage']) {
      await expectRecorded(answer, `C.eth_sendRawTransaction.${part}`)
    }
    for (const part of ['content', 'contentFrom', 'inspect']) await expectRecorded(answer, `C.txpool_${part}`)
  })
})

describe('the proof window is that of a real node', () => {
  /** A node with this head that returns a proof for any request. */
  function proving(head: number, blocks: number): LocalMethods {
    const rpc: Partial<RpcClient> = {
      call: async (method) => {
        if (method !== 'eth_getProof') return { stateRoot: emptyRoot }
        const hashes = { codeHash: '0x', storageHash: '0x', storageProof: [] }
        return { accountProof: ['0x80'], balance: '0x0', nonce: '0x0', ...hashes }
      },
    }
    const submit = async (): Promise<never> => Promise.reject(new Error('proves only'))
    const node = { head: { number: head, hash: '0x' as const, time: 0 }, rpc: rpc as RpcClient, submit }
    const states = Promise.resolve(statesOf(node, undefined))
    return localMethods({ eth_getProof: proofMethod(Promise.resolve(node), states, { blocks }) })
  }
  /** keccak256(0x80). */
  const emptyRoot = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
  const ask = (methods: LocalMethods, block: number): ReturnType<LocalMethods> =>
    methods({ id: 1, method: 'eth_getProof', params: [sender, [], `0x${block.toString(16)}`] })

  test.each(['genesis', 'outside'])('with a window of three blocks: %s', (part) =>
    expectRecorded(proving(7, 3), `C.eth_getProof.archiveWindow3.${part}`),
  )

  test.each(['genesis', 'earliest'])('with a window of 32 blocks: %s', (part) =>
    expectRecorded(proving(45, 32), `Cpruning.eth_getProof.${part}`),
  )

  test('with a window of 43,200 blocks, and without one', async () => {
    const archive = proving(50_000, 43_200)
    expect(await ask(archive, 6_800)).toHaveProperty('result')
    expect(await ask(archive, 6_799)).toMatchObject({
      error: {
        message:
          'historical proof query not allowed: block number 6799 is before the oldest allowed block number 6800 (window of 43200 blocks)',
      },
    })
    expect(await ask(proving(50_000, 0), 0)).toHaveProperty('result')
  })
})
