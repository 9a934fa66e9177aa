import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerOf, resultOf, type TestBlock } from '../../testing/ask.ts'
import { recordedCalls, repeat } from '../../testing/recorded-answers.ts'
import { type RunningSample, startSample } from '../../testing/start.ts'

let sample: RunningSample
let c = ''

type Block = TestBlock & {
  readonly stateRoot: Hex
}

beforeAll(async () => {
  sample = await startSample({ hours: 120 })
  c = sample.chain('C-Chain').rpcUrl
})
afterAll(() => sample.stop())

const recorded = recordedCalls('debug-answers.json')
/** Methods whose answer does not depend on the node's blocks. */
const alike = [...recorded.values()].filter(({ name, answer }) => {
  const { error, result } = answer as { error?: unknown; result?: unknown }
  const isOwn = /modH\.un2|mod45|keys\.fill$|fill\.data/.test(name)
  return !isOwn && (error !== undefined || /rawR\.un|rawT\.un|fill\.full|pend/.test(name) || result === null)
})

const block = (number: number): Promise<Block> =>
  resultOf(c, 'eth_getBlockByNumber', `0x${number.toString(16)}`, false)
const head = async (): Promise<number> => Number(await resultOf<string>(c, 'eth_blockNumber'))
const messageOf = async (method: string, ...params: readonly unknown[]): Promise<string | undefined> =>
  (await answerOf(c, method, ...params)).error?.message

describe('gives the answers that a real node gives for any chain', () => {
  test.each(alike.map((call) => [call.name, call] as const))('%s', async (_, call) => {
    expect(await repeat(sample.url, call)).toEqual({ status: call.status, answer: call.answer })
  })
})

describe('debug methods that read states', () => {
  const nobody = `0x${'11'.repeat(20)}`
  const pruned = 'required historical state unavailable (reexec=0)'

  test('answer that the state was pruned, in a node’s words', async () => {
    const at = await block((await head()) - 1)
    const missing = (root: string): string =>
      `missing trie node ${root.slice(2)} (path ) state ${root} is not available, not found`
    expect(await messageOf('debug_accountRange', at.hash, '0x', 5, true, true, true)).toBe(
      missing(at.stateRoot),
    )
    expect(await messageOf('debug_storageRangeAt', at.hash, 0, nobody, '0x', 9)).toBe(pruned)
    expect(await messageOf('debug_intermediateRoots', at.hash, {})).toBe(pruned)
    const parent = await block(Number(at.number) - 1)
    expect(await messageOf('debug_getModifiedAccountsByHash', at.hash)).toBe(missing(parent.stateRoot))
  })

  test('check their parameters in a node’s order', async () => {
    const number = await head()
    const at = await block(number)
    expect(await messageOf('debug_storageRangeAt', at.hash, 99, nobody, '0x', 9)).toBe(
      `transaction index 99 out of range for block ${at.hash}`,
    )
    expect(await messageOf('debug_getModifiedAccountsByNumber', number, number - 1)).toBe(
      `start block height (${number}) must be less than end block height (${number - 1})`,
    )
  })
})

describe('blocks', () => {
  test('trace a known block by its bytes as by its hash, and refuse an unknown one', async () => {
    const { hash, number } = await block((await head()) - 1)
    const bytes = await resultOf<Hex>(c, 'debug_getRawBlock', number)
    const tracer = { tracer: 'callTracer' }
    const traces = await resultOf<unknown[]>(c, 'debug_traceBlock', bytes, tracer)
    expect(traces.length).toBeGreaterThan(0)
    expect(traces).toEqual(await resultOf(c, 'debug_traceBlockByHash', hash, tracer))
    const genesis = await resultOf(c, 'debug_getRawBlock', '0x0')
    expect(await messageOf('debug_traceBlock', genesis, tracer)).toBe('genesis is not traceable')
    const other = bytes.replace(hash.slice(2, 10), '00000000').replace(/.{2}$/, '01')
    expect(await messageOf('debug_traceBlock', other, tracer)).toBe(
      'the block is none of this chain, and no other is traced here',
    )
  })

  test('print a block with all its transactions', async () => {
    const { hash, transactions } = await block(9)
    const text = await resultOf<string>(c, 'debug_printBlock', 9)
    for (const each of [hash, ...transactions]) expect(text).toContain(each)
  })
})
