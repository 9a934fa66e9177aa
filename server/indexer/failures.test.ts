import {
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  getContractAddress,
  http,
  publicActions,
  type Hex,
} from 'viem'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anvilAccount } from '../node/testing/anvil.ts'
import { compiledContract } from '../testing/compiled-contract.ts'
import { createStats } from '../kernel/indexer-stats.ts'
import { defaultPace } from '../kernel/pause.ts'
import { RpcClient } from '../node/rpc.ts'
import { testConfig } from '../testing/config.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { startTestService } from '../testing/service.ts'
import { verifyChain } from '../verify/chain.ts'
import { BlockTracer, type TraceMethod } from './evm/tracer.ts'
import { startAnvil, type AnvilNode } from './testing/anvil.ts'
import { chainConfig, startIndexer, storedHead, until } from './testing/harness.ts'

const chainId = 43_114
const account = anvilAccount()
/** Code that passes its input and value on to an address, and ends as that call did. */
function relayTo(target: Hex): Hex {
  const code = `365f5f375f5f365f3473${target.slice(2)}5af13d5f5f3e602a573d5ffd5b3d5ff3`
  return `0x602e600c600039602e6000f3${code}`
}
/** Code that calls an address, then reverts with bytes of its own. */
function objectorTo(target: Hex): Hex {
  const code = `365f5f375f5f365f3473${target.slice(2)}5af15063deadbeef5f526004601cfd`
  const size = (code.length / 2).toString(16).padStart(2, '0')
  return `0x60${size}600c60003960${size}6000f3${code}`
}

type Expected = {
  kind: string
  reason: string
  depth: number
  internalIndex?: number
  to?: Hex
  args?: string[]
}
type Failed = Expected & { readonly hash: Hex; readonly number: number }

let anvil: AnvilNode
let store: TestDatabase
const failed: Failed[] = []

/** Fails in every way there is, each in a block of its own. */
beforeAll(async () => {
  anvil = await startAnvil(chainId)
  store = await createTestDatabase()
  const chain = { ...foundry, id: chainId }
  const transport = http(anvil.rpcUrl)
  const node = createTestClient({ chain, mode: 'anvil', transport }).extend(publicActions)
  const wallet = createWalletClient({ chain, transport })
  let nonce = 0
  const send = async (to: Hex | null, data: Hex, gas = 1_000_000n) => {
    const hash = await wallet.sendTransaction({ account, to, data, gas, nonce, maxFeePerGas: 10n ** 11n })
    nonce += 1
    await node.mine({ blocks: 1 })
    return node.getTransactionReceipt({ hash })
  }
  const deploy = async (bytecode: Hex): Promise<Hex> => {
    const at = getContractAddress({ from: account.address, nonce: BigInt(nonce) }).toLowerCase() as Hex
    const { status } = await send(null, bytecode, 3_000_000n)
    expect(status).toBe('success')
    return at
  }
  const fail = async (to: Hex | null, data: Hex, expected: Expected, gas?: bigint) => {
    const { status, transactionHash: hash, blockNumber } = await send(to, data, gas)
    expect(status, expected.reason).toBe('reverted')
    failed.push({ ...expected, hash, number: Number(blockNumber) })
  }
  const trouble = await deploy(compiledContract('Trouble').bytecode)
  const relay = await deploy(relayTo(trouble))
  const relays = await deploy(relayTo(relay))
  const objector = await deploy(objectorTo(relay))
  const factory = await deploy(compiledContract('Factory').bytecode)
  const data = (functionName: string, args: unknown[] = [], abi = compiledContract('Trouble').abi) =>
    encodeFunctionData({ abi, functionName, args })

  const own = { depth: 0, to: trouble }
  const long = 'why '.repeat(600)
  const credit = { kind: 'CUSTOM_ERROR', reason: 'credit too low', args: ['60', '584'] }
  await fail(trouble, data('withReason', ['no way']), { ...own, kind: 'REASON', reason: 'no way' })
  await fail(trouble, data('withReason', [long]), { ...own, kind: 'REASON', reason: long.slice(0, 1_000) })
  await fail(trouble, data('withError', [60n, 584n]), { ...own, ...credit })
  await fail(trouble, data('withoutReason'), {
    ...own,
    kind: 'EMPTY_REVERT',
    reason: 'reverted without a reason',
  })
  await fail(trouble, data('withAssert'), { ...own, kind: 'PANIC', reason: 'assertion failed' })
  await fail(trouble, data('withDivision', [0n]), {
    ...own,
    kind: 'PANIC',
    reason: 'division or modulo by zero',
  })
  await fail(trouble, data('withoutEnd'), { ...own, kind: 'OUT_OF_GAS', reason: 'out of gas' }, 90_000n)
  await fail(trouble, data('withInvalid'), { ...own, kind: 'INVALID_OPCODE', reason: 'invalid opcode' })
  const inner = { depth: 2, internalIndex: 1, to: trouble }
  await fail(relays, data('withError', [60n, 584n]), { ...inner, ...credit })
  await fail(relays, data('withoutReason'), {
    ...inner,
    kind: 'EMPTY_REVERT',
    reason: 'reverted without a reason',
  })
  await fail(relay, data('withInvalid'), {
    kind: 'INVALID_OPCODE',
    reason: 'invalid opcode',
    depth: 1,
    internalIndex: 0,
    to: trouble,
  })
  // Its inner calls fail too, but not for the reason that the transaction does.
  await fail(objector, data('withError', [60n, 584n]), {
    kind: 'UNKNOWN_ERROR',
    reason: 'unknown error 0xdeadbeef',
    depth: 0,
    to: objector,
  })
  await fail(null, '0x63deadbeef60e01b60005260046000fd', {
    kind: 'UNKNOWN_ERROR',
    reason: 'unknown error 0xdeadbeef',
    depth: 0,
  })
  // A call with the gas of a plain transfer, and no input.
  await fail(trouble, '0x', { ...own, kind: 'OUT_OF_GAS', reason: 'out of gas' }, 21_000n)
  await fail(factory, data('createAndUndo', [], compiledContract('Factory').abi), {
    kind: 'CUSTOM_ERROR',
    reason: 'undone',
    depth: 0,
    to: factory,
  })
})

afterAll(async () => {
  await anvil.stop()
  await store.drop()
})

async function indexAll(database: TestDatabase['database'], settings: object): Promise<void> {
  const indexer = startIndexer(
    database,
    chainConfig({ evmChainId: chainId, rpcUrl: anvil.rpcUrl, ...settings }),
  )
  try {
    const head = failed.at(-1)?.number
    await until('it is indexed', async () => (await storedHead(database, chainId))?.number === head)
    await until('it is traced', async () => {
      if ('traces' in settings) return true
      const gaps = await database`select from trace_gaps where chain = ${chainId}`
      return gaps.length === 0
    })
  } finally {
    await indexer.stop()
  }
}

/** Every reason, from a service whose node is gone. */
async function expectReasons(): Promise<void> {
  const service = await startTestService(store.database, {
    config: testConfig({ chains: [{ evmChainId: chainId, name: 'Gone', rpcUrl: 'http://127.0.0.1:9' }] }),
  })
  try {
    for (const { hash, kind, reason, depth, internalIndex, to, args } of failed) {
      const path = `/v1/chains/${chainId}/transactions/${hash}`
      const answer = (await service.app.inject(`${path}/failure`)).json()
      expect(answer, reason).toMatchObject({
        source: 'STORED_TRACE',
        isStateMissing: false,
        kind,
        call: { depth },
      })
      // Only the beginning of a long text is stored.
      expect(answer.reason.slice(0, 900)).toContain(reason.slice(0, 900))
      expect(answer.call.internalIndex).toBe(internalIndex)
      if (to !== undefined) expect(answer.call.to.address).toBe(to)
      if (args) expect(answer.error.args.map(({ value }: { value: string }) => value)).toEqual(args)
      const { internalTransactions } = (await service.app.inject(path)).json()
      const outputs = internalTransactions.flatMap((call: { output?: string }, index: number) =>
        call.output === undefined ? [] : [[index, call.output]],
      )
      expect(outputs).toEqual(internalIndex === undefined ? [] : [[internalIndex, answer.data ?? '0x']])
    }
  } finally {
    await service.close()
  }
}

describe('why transactions failed', () => {
  test('is kept with their blocks, and equals what the node says', async () => {
    await indexAll(store.database, {})
    await expectReasons()
    const { findings } = await verifyChain({ database: store.database, chain: chainId, rpcUrl: anvil.rpcUrl })
    expect(findings.all()).toEqual([])
    await store.database`update transactions set output = '\\x01' where failing_call = 1`
    await store.database`update calls set input = '\\x02' where (number, ordinal) = (select min(number), 0 from calls)`
    const broken = await verifyChain({ database: store.database, chain: chainId, rpcUrl: anvil.rpcUrl })
    expect(broken.findings.all()).toEqual([
      expect.stringMatching(/call -1 of transaction 0 returned 0x01, by the node 0x/),
      expect.stringMatching(/call 0 of transaction 0 was given 0x02, by the node 0x/),
      expect.stringMatching(/call -1 of transaction 0 returned 0x01, by the node 0x/),
    ])
  })

  test('is added when the traces of older blocks are', async () => {
    await store.drop()
    store = await createTestDatabase()
    await indexAll(store.database, { traces: 'off' })
    const [none] = await store.database`select count(*) as rows from transactions where error is not null`
    expect(none?.['rows']).toBe(0n)
    await indexAll(store.database, {})
    await expectReasons()
  })

  test('is the same by either way to trace', async () => {
    const rpc = new RpcClient({
      url: anvil.rpcUrl,
      timeout: 5_000,
      concurrency: 1,
      stats: createStats(),
      pace: defaultPace,
    })
    const signal = new AbortController().signal
    const traced = async (method: TraceMethod) => {
      const tracer = new BlockTracer(rpc, undefined, method)
      const found: unknown[] = []
      for (const { number, hash } of failed) {
        const { hash: block } = (await rpc.call(
          'eth_getBlockByNumber',
          [`0x${number.toString(16)}`, false],
          signal,
        )) as {
          hash: string
        }
        const answer = await tracer.trace({ number, hash: block, hashes: [hash] }, signal)
        if (!('ownCalls' in answer)) throw new Error(answer.reason)
        found.push(answer.ownCalls.map(({ output, failure }) => ({ output, call: failure?.call })))
      }
      return found
    }
    const flat = await traced('trace')
    expect(flat).toHaveLength(failed.length)
    expect(await traced('debug')).toEqual(flat)
    rpc.close()
  })
})
